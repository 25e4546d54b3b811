"""Mistakes that a learner could have, planted in the one that is shipped: what generated streams must notice.

``python -m properties.mutants`` writes the tables of docs/properties.md anew, which takes some minutes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sympy import Min, Piecewise, sqrt

from gaptron import Gaptron, MarginLoss
from gaptron.bounds.comparators import strongest
from gaptron.bounds.exact_stream import ExactStream
from gaptron.expectation import expected_blocks
from gaptron.language.expressions import Expression
from gaptron.language.theorems import LossData, TheoremData
from gaptron.learners.arithmetic import Array
from gaptron.learners.surrogates import in_doubles
from gaptron.symbols import D, K, T, X, m
from gaptron.theory.named import named_theorem
from gaptron.theory.theorem import Theorem
from properties import bound_of

HINGE, SMOOTH_HINGE = named_theorem("hinge"), named_theorem("smooth hinge")
PAGE = Path(__file__).parents[1] / "docs/properties.md"
EXAMPLES, CHEAP_EXAMPLES = 100, 400
CERTAIN = 1e-6  # of the bound, beyond what doubles could have lost


class Mutant(NamedTuple):
    """A mistake: what it is in words, and how it is planted in the theorem's learner; None where it does not apply."""

    words: str
    plant: Callable[[Gaptron], Gaptron | None]
    classes: tuple[range, ...] = ()


class Found(NamedTuple):
    """The first stream on which a mutant breaks the bound, if any, and the most of the regret that it used."""

    stream: ExactStream | None
    ratio: float


class Flipped(Gaptron):
    """W + eta g."""

    def _move(self, rows: Array, change: Array) -> None:
        super()._move(rows, -change)


class Unweighted(Gaptron):
    """The gradient of bandit feedback without 1/p'."""

    def _learn(self, prediction: Any, label: int, weight: Any) -> None:
        super()._learn(prediction, label, min(weight, 1))


class OffByOne(Gaptron):
    """Learns the label after the true one."""

    def _learn(self, prediction: Any, label: int, weight: Any) -> None:
        super()._learn(prediction, (label + 1) % self.n_classes, weight)


class WrongRival(Gaptron):
    """Lowers the label of the least score, where the margin is to that of the largest other one."""

    def _learn(self, prediction: Any, label: int, weight: Any) -> None:
        gradient = self.surrogate.score_gradient(prediction.scores, label)
        if weight != 0 and gradient.any():
            scores = np.where(np.arange(self.n_classes) == label, np.inf, prediction.scores)
            rows = np.array([label, int(scores.argmin())])
            slope = np.array([gradient[label], -gradient[label]])
            self._move(rows, -np.outer(self.learning_rate * weight * slope, prediction.x))


class OtherStep(Gaptron):
    """Predicts as the theorem says, and steps along the gradient of another loss."""

    stepping: Any

    def _learn(self, prediction: Any, label: int, weight: Any) -> None:
        super()._learn(replace(prediction, seen=self.stepping.at(prediction.scores)), label, weight)


class OtherMap(Gaptron):
    """Mixes by the gap map of another theorem."""

    mapping: Any

    def _mixed(self, x: Array) -> Any:
        mixture = super()._mixed(x)
        return replace(mixture, uniform=max(self.mapping.gap(mixture.scores), self.exploration))


class LastTop(Gaptron):
    """Ties go to the last of the largest scores."""

    def _mixed(self, x: Array) -> Any:
        mixture = super()._mixed(x)
        return replace(mixture, top=self.n_classes - 1 - int(mixture.scores[::-1].argmax()))


def as_class(kind: type[Gaptron]) -> Callable[[Gaptron], Gaptron]:
    """The learner with another step."""

    def plant(learner: Gaptron) -> Gaptron:
        learner.__class__ = kind
        return learner

    return plant


def with_rate(factor: float) -> Callable[[Gaptron], Gaptron]:
    """The learning rate times a factor."""

    def plant(learner: Gaptron) -> Gaptron:
        learner.learning_rate *= factor
        return learner

    return plant


def unweighted(learner: Gaptron) -> Gaptron | None:
    """Without 1/p'."""
    return as_class(Unweighted)(learner) if learner.feedback == "bandit" else None


def unexplored(learner: Gaptron) -> Gaptron | None:
    """With gamma = 0, the learning rate unchanged."""
    if learner.feedback == "full":
        return None
    learner.exploration = 0.0
    return learner


def unprojected(learner: Gaptron) -> Gaptron | None:
    """Without the ball of radius D."""
    if learner.feedback == "full":
        return None
    learner.radius = np.inf
    return learner


def with_map(expression: Callable[[TheoremData], Expression]) -> Callable[[Gaptron], Gaptron]:
    """Another gap map, in m or p as the theorem's."""

    def plant(learner: Gaptron) -> Gaptron:
        theorem = learner.surrogate.theorem
        mapped = replace(theorem, gap_map=expression(theorem))
        learner.surrogate = in_doubles(mapped, learner.n_classes)
        return learner

    return plant


def with_other_map(learner: Gaptron) -> Gaptron:
    """The hinge's gap map, and the smooth hinge's for the hinge."""
    learner.__class__ = OtherMap
    loss = learner.surrogate.theorem.loss
    other = HINGE if loss.off_above is None else SMOOTH_HINGE
    learner.mapping = in_doubles(other, learner.n_classes)  # type: ignore[attr-defined]
    return learner


def unmasked(learner: Gaptron) -> Gaptron | None:
    """Steps on rounds that are off."""
    loss = learner.surrogate.theorem.loss
    return None if loss.off_above is None else stepping_by(learner, replace(loss, off_above=None))


def with_other_loss(learner: Gaptron) -> Gaptron:
    """The gradient of the hinge loss (2), and of the smooth hinge loss for the hinge."""
    loss = learner.surrogate.theorem.loss
    other = HINGE if loss.off_above is None else SMOOTH_HINGE
    return stepping_by(learner, other.data.loss)


def stepping_by(learner: Gaptron, loss: LossData) -> Gaptron:
    """With the gradient of another loss."""
    learner.__class__ = OtherStep
    theorem = TheoremData(name="step", loss=loss, gap_map=Fraction(1))
    learner.stepping = in_doubles(theorem, learner.n_classes)  # type: ignore[attr-defined]
    return learner


def rival_of_margin(learner: Gaptron) -> Gaptron | None:
    """The wrong rival, of a margin loss."""
    return as_class(WrongRival)(learner) if learner.surrogate.loss.kind == "MarginLoss" else None


MUTANTS = (
    Mutant("the sign of the step is flipped", as_class(Flipped)),
    Mutant("no 1/p' in the step", unweighted, (range(12, 17), range(16, 21))),
    Mutant("no step", with_rate(0)),
    Mutant("eta times 3", with_rate(3)),
    Mutant("eta/10", with_rate(0.1)),
    Mutant("no exploration", unexplored),
    Mutant("always a uniform guess", with_map(lambda theorem: Fraction(1))),
    Mutant("half of the gap map", with_map(lambda theorem: ("*", Fraction(1, 2), theorem.gap_map))),
    Mutant("another theorem's gap map", with_other_map),
    Mutant("the wrong rival", rival_of_margin),
    Mutant("ties to the last label", as_class(LastTop)),
    Mutant("no projection", unprojected),
    Mutant("masked rounds not masked", unmasked),
    Mutant("the gradient of another theorem's loss", with_other_loss),
    Mutant("the label off by one", as_class(OffByOne)),
)


SHIPPED = Mutant("none", lambda learner: learner)


def planted(mutant: Mutant, theorem: Theorem, stream: ExactStream) -> Gaptron | None:
    """The learner of the stream's game, in doubles, with the mistake; None where it does not apply."""
    learner = stream.game(theorem).learner(stream.n_features, exact=False)
    assert isinstance(learner, Gaptron)
    return mutant.plant(learner)


def examples_of(theorem: Theorem) -> int:
    """How many streams are drawn: more where the learner has few states and nothing is transcendental."""
    cheap = theorem.feedback == "full" and isinstance(theorem.loss, MarginLoss)
    return CHEAP_EXAMPLES if cheap else EXAMPLES


def hunting_grounds(mutant: Mutant, theorem: Theorem, examples: int) -> Iterator[ExactStream]:
    """Streams aimed at the mutant; with bandit feedback longer ones, and for the classes at which it is worst."""
    yield from bound_of.drawn(theorem, examples, learner=mutant.plant)
    if theorem.feedback == "bandit":
        yield from bound_of.drawn(theorem, examples // 4, longest=8)
        for classes in mutant.classes:
            many = replace(theorem, classes=classes)
            most = classes[-1]
            yield from bound_of.drawn(many, examples // 10, max_classes=most, max_rounds=50_000, longest=16)


def hunted(mutant: Mutant, theorem: Theorem, examples: int) -> Found | None:
    """What generated streams say of a mutant; None where it does not apply."""
    if any(planted(mutant, theorem, stream) is None for stream in bound_of.drawn(theorem, 1)):
        return None
    most = 0.0
    for stream in dict.fromkeys(hunting_grounds(mutant, theorem, examples)):
        ratio = used(mutant, theorem, stream)
        if ratio > 1 + CERTAIN:
            return Found(stream, ratio)
        most = max(most, ratio)
    return Found(None, most)


def used(mutant: Mutant, theorem: Theorem, stream: ExactStream) -> float:
    """(mistakes - comparator loss)/regret of a mutant for the strongest comparator found, in doubles."""
    game = stream.game(theorem)
    U = strongest(game, stream, planted(mutant, theorem, stream))
    regret = float(game.regret(U))
    if regret == 0:
        return 0.0
    learner = planted(mutant, theorem, stream)
    assert learner is not None
    done = expected_blocks(learner, stream.blocks, comparator=U, arithmetic="float", played=True)
    return float(done.mistakes - done.comparator_loss) / regret


def cell(found: Found | None) -> str:
    """How a table shows it."""
    if found is None:
        return ""
    return "noticed" if found.stream else f"{found.ratio:.2f}"


def column(theorem: Theorem) -> list[str]:
    """The cells of one theorem."""
    return [cell(hunted(mutant, theorem, examples_of(theorem))) for mutant in MUTANTS]


def power(theorem: Theorem) -> list[str]:
    """Of 200 streams that are always the same ones, the shares on which bad learners break the bound."""
    seen = bound_of.power_seen(theorem, 200)
    return [f"{100 * count / seen.streams:.0f} %" for count in (seen.always_wrong, seen.guessing)]


def as_printed() -> dict[str, Theorem]:
    """Theorems that are false to the letter: with loss (3) not truncated, with the printed gamma for K >= 55."""
    third, sixth = bound_of.six()["Theorem 3"], bound_of.six()["Theorem 6"]
    square = Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, True))
    gamma = Min(1, sqrt(4 * K**2 * X**2 * D**2 / T))
    return {
        "Theorem 3, loss (3)": replace(third, name="Theorem 3, as printed", loss=MarginLoss(square), sharp_at=None),
        "Theorem 6, K = 55 to 60": replace(sixth, exploration=gamma, classes=range(55, 61)),
    }


def found_as_printed(theorem: Theorem) -> list[str]:
    """How many streams were drawn, and what the learner without a mistake uses of the printed bound."""
    drawn = dict.fromkeys(bound_of.drawn(theorem, examples_of(theorem)))
    found = [used(SHIPPED, theorem, stream) for stream in drawn]
    return [str(len(found)), f"{max(found):.2f}"]


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """In Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def tables() -> dict[str, str]:
    """The tables of docs/properties.md by name."""
    columns = [column(theorem) for theorem in bound_of.six().values()]
    names = [mutant.words for mutant in MUTANTS]
    shares = [[name, *power(theorem)] for name, theorem in bound_of.six().items()]
    printed = [[name, *found_as_printed(theorem)] for name, theorem in as_printed().items()]
    return {
        "printed": table(["as printed", "streams", "largest (mistakes - comparator loss)/regret"], printed),
        "power": table(["", "an always-wrong learner", "a uniform guesser"], shares),
        "mutants": table(
            ["mistake", *bound_of.six()], [[n, *cells] for n, *cells in zip(names, *columns, strict=True)]
        ),
    }


def read(page: str, name: str) -> list[list[str]]:
    """The rows of a table of the page, without its header."""
    text = page.split(f"<!-- table: {name} -->")[1].split("<!-- end -->")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.strip().splitlines()]
    return rows[2:]


def main() -> None:
    """Write the page."""
    made = tables()
    page = PAGE.read_text()
    for name, text in made.items():
        before, _, rest = page.partition(f"<!-- table: {name} -->")
        page = f"{before}<!-- table: {name} -->\n\n{text}\n\n<!-- end -->{rest.split('<!-- end -->', 1)[1]}"
    PAGE.write_text(page)


if __name__ == "__main__":
    main()
