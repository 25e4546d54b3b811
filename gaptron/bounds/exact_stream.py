"""A stream on which a theorem is tried: exact rounds, the numbers that its parameters depend on, and both sides there.

Of theorems about abstaining, too, whose cost is another one.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from gaptron.bounds.sides import Game, Sides
from gaptron.language.theorems import StatedTheorem
from gaptron.numbers.evaluate import Number, ball, value_at
from gaptron.numbers.kinds import IrrationalError

Vector = tuple[Fraction, ...]
Matrix = tuple[Vector, ...]
Block = tuple[Vector, int, int]

SHORT = 64  # rounds that fractions are asked for
SHORT_OF_ESTIMATES = 12  # if steps are divided by chances that depend on the weights: lengths double with each


@dataclass(frozen=True, repr=False)
class ExactStream:
    """T rounds for K classes, or blocks of equal ones.

    Attributes
    ----------
    n_classes : int
        K.
    rounds : tuple of T tuples of d Fractions
        Features, with ||x|| <= X.
    labels : tuple of T integers in 0..K-1
    radius : Fraction, optional
        D; bandit feedback only.
    feature_norm : Fraction
        X.
    counts : tuple of integers, optional
        How many times each of the rounds comes, one after the other; once by default.

    Examples
    --------
    >>> from gaptron.testing import Stream
    >>> Stream.of(2, ["1 0", "0 1"], [0, 1]).labels
    (0, 1)
    """

    n_classes: int
    rounds: tuple[Vector, ...]
    labels: tuple[int, ...]
    radius: Fraction | None = None
    feature_norm: Fraction = Fraction(1)
    counts: tuple[int, ...] | None = None

    @classmethod
    def of(
        cls,
        n_classes: int,
        rounds: Iterable[str],
        labels: Sequence[int],
        radius: Number | None = None,
        feature_norm: Number = 1,
        counts: Sequence[int] | None = None,
    ) -> "ExactStream":
        """A stream as it is printed: every x as its entries, "3/5 4/5".

        >>> Stream.of(2, ["3/5 4/5", "1 0"], [1, 0])
        Stream.of(2, ["3/5 4/5", "1 0"], [1, 0])
        """
        features = tuple(tuple(map(Fraction, x.split())) for x in rounds)
        D, X = None if radius is None else Fraction(radius), Fraction(feature_norm)
        return cls(n_classes, features, tuple(labels), D, X, None if counts is None else tuple(counts))

    def __repr__(self) -> str:
        rounds = ", ".join(f'"{written(x)}"' for x in self.rounds)
        radius = "" if self.radius is None else f', radius="{self.radius}"'
        norm = "" if self.feature_norm == 1 else f', feature_norm="{self.feature_norm}"'
        counts = "" if self.counts is None else f", counts={list(self.counts)}"
        return f"Stream.of({self.n_classes}, [{rounds}], {list(self.labels)}{radius}{norm}{counts})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """How Hypothesis shows it."""
        printer.text(repr(self))

    @property
    def n_features(self) -> int:
        """d."""
        return len(self.rounds[0])

    @property
    def times(self) -> tuple[int, ...]:
        """How many rounds every block has."""
        return (1,) * len(self.labels) if self.counts is None else self.counts

    @property
    def blocks(self) -> list[Block]:
        """Features, label and number of rounds of every block."""
        return list(zip(self.rounds, self.labels, self.times, strict=True))

    @property
    def played(self) -> list[tuple[Vector, int]]:
        """(features, label) of all T rounds."""
        return [(x, label) for x, label, count in self.blocks for _ in range(count)]

    @property
    def horizon(self) -> int:
        """T."""
        return sum(self.times)

    def game(self, theorem: StatedTheorem) -> Game:
        """The theorem with this stream's K, X, D and T; one about abstaining, as if its learner guessed."""
        guessing = replace(theorem.data, abstention_cost=None)  # whose weights are the same
        horizon = self.horizon if guessing.feedback == "bandit" else None
        return Game(guessing, self.n_classes, horizon, self.radius, self.feature_norm)


def written(numbers: Iterable[Any]) -> str:
    """Entries of a vector as text: "3/5 4/5"."""
    return " ".join(map(str, numbers))


def is_rational(game: Game) -> bool:
    """Whether the theorem's learner computes with fractions, as far as no projection needs a root."""
    learner: Any = game.learner(1)
    return isinstance(learner.W.flat[0], Fraction)


# --- both sides ---------------------------------------------------------------------------------------------------


def exact_sides(theorem: StatedTheorem, stream: ExactStream, U: Any) -> Sides:
    """Both sides, in fractions if parameters and projections are rational and the stream is short, else in balls."""
    game, sides = stream.game(theorem), None
    if stream.horizon <= _short(game) and is_rational(game):
        with suppress(IrrationalError):  # a projection needs a root
            sides = game.sides_of_blocks(stream.blocks, U)
    if sides is None:
        sides = game.sides_of_blocks(stream.blocks, U, arithmetic="ball")
    return abstaining_sides(theorem, stream, sides)


def _short(game: Game) -> int:
    is_uniform = game.theorem.data.feedback != "bandit" or game.exploration == 1
    return SHORT if is_uniform else SHORT_OF_ESTIMATES


def abstaining_sides(theorem: StatedTheorem, stream: ExactStream, sides: Sides, *, exact: bool = True) -> Sides:
    """Both sides if abstaining costs c: a guess is wrong with probability (K - 1)/K, an abstention costs c."""
    cost = theorem.data.abstention_cost
    if cost is None:
        return sides
    c = value_at(cost, {"K": Fraction(stream.n_classes)})
    share = _uniform_share(theorem, stream, exact)
    guess = Fraction(stream.n_classes - 1, stream.n_classes)
    if not all(isinstance(number, Fraction) for number in (c, share, sides.mistakes)):
        return replace(sides, mistakes=ball(sides.mistakes) + ball(share) * (ball(c) - ball(guess)))
    return replace(sides, mistakes=sides.mistakes + share * (c - guess))


def _uniform_share(theorem: StatedTheorem, stream: ExactStream, exact: bool) -> Number:
    """The sum of the gap map over the rounds, exactly or in doubles."""
    learner: Any = stream.game(theorem).learner(stream.n_features, exact=exact)
    total: Number = Fraction(0)
    for x, label in stream.played:
        a = learner.surrogate.gap(learner._scores(learner._features(x)))
        total = a + total if isinstance(a, Fraction) else ball(a) + ball(total)
        learner.update(x, label)
    return total
