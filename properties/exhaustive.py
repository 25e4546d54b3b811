"""Every stream of a small scope, exactly, against a grid of comparators.

The features are the signed axes of the plane. Merged are streams that a reflection or an exchange of the axes maps to
each other: x -> Q x, Q a signed permutation matrix. This is sound: an update adds outer(g, x) to W, so that Q turns W_t
to W_t Q' and leaves all scores as they are, hence all ties, draws, losses and gradients; norms and projections too, and
the grid of comparators is mapped onto itself. A renaming of labels is not sound, since ties go to the lowest label: all
labellings are walked.

A stream is walked with its beginnings. Its right side is added up in integers, rounded down in units of 2^-30; what
then looks broken is asked exactly.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import floor
from typing import Any, NamedTuple

import numpy as np

from gaptron.bounds.exact_stream import Vector
from gaptron.bounds.sides import Game
from gaptron.expectation import expected
from gaptron.numbers.evaluate import Number, ball, enclosure
from gaptron.rounds import value
from gaptron.testing import Stream, assert_bound
from gaptron.theory.losses import BinaryLoss, MarginLoss, SoftmaxLoss
from gaptron.theory.theorem import Theorem

UNIT = 2**30
FAR = 2**60
ROUNDING = 2**6  # units, more than a stream is rounded down by
AXES = tuple(tuple(map(Fraction, x)) for x in ((1, 0), (-1, 0), (0, 1), (0, -1)))
ENTRIES = tuple(map(Fraction, ("-1/2", "-1/4", "0", "1/4", "1/2")))
Round = tuple[Vector, int]


def is_canonical(rounds: tuple[Round, ...]) -> bool:
    """Whether the first axis comes first, and every axis is positive when it is new."""
    seen = 0
    for x, _ in rounds:
        axis = 0 if x[0] else 1
        if axis > seen or (axis == seen and x[axis] < 0):
            return False
        seen = max(seen, axis + 1)
    return True


def low(number: Number) -> int:
    """The number in units, rounded down."""
    return floor(enclosure(number)[0] * UNIT)


@dataclass(frozen=True)
class Beginning:
    """The rounds so far, what they did to the learner, and the comparators' losses, of shape (columns, columns)."""

    rounds: tuple[Round, ...]
    lived: "Lived"
    losses: Any


class Lived(NamedTuple):
    """Expected mistakes, E loss(0), and with full information the number of the weights."""

    mistakes: Number
    at_zero: Number
    weights: int = 0


class FullInformation:
    """The learner's own rounds, each at each of its weights once."""

    def __init__(self, learner: Any) -> None:
        self.learner = learner
        self.weights = [learner.W.copy()]
        self.numbers = {self._key(learner.W): 0}
        self.rounds: dict[tuple[int, Round], Lived] = {}

    def after(self, before: Lived, rounds: tuple[Round, ...]) -> Lived:
        """What the last of the rounds adds."""
        place = before.weights, rounds[-1]
        if place not in self.rounds:
            self.rounds[place] = self._round(*place)
        wrong, on, weights = self.rounds[place]
        total = before.mistakes + wrong if isinstance(wrong, Fraction) else ball(before.mistakes) + wrong
        return Lived(total, before.at_zero + on, weights)

    def _round(self, weights: int, choice: Round) -> Lived:
        x, label = list(choice[0]), choice[1]
        self.learner.W = self.weights[weights].copy()
        wrong = 1 - self.learner.predict_proba(x)[label]
        off = self.learner.surrogate.is_off(self.learner._scores(self.learner._features(x)), label)
        self.learner.update(x, label)
        number = self.numbers.setdefault(self._key(self.learner.W), len(self.weights))
        if number == len(self.weights):
            self.weights.append(self.learner.W.copy())
        return Lived(wrong, Fraction(not off), number)

    def _key(self, W: Any) -> tuple[Any, ...]:
        """Equal for equal fractions, and for balls with the same middle and radius."""
        return tuple(w if isinstance(w, Fraction) else (w.mid().man_exp(), w.rad().man_exp()) for w in W.ravel())


class BanditFeedback:
    """All paths of draws, by the exact expectation of every beginning."""

    def __init__(self, learner: Any, zero: list[list[int]]) -> None:
        self.learner, self.zero = learner, zero

    def after(self, before: Lived, rounds: tuple[Round, ...]) -> Lived:
        """The expectations over all of the rounds."""
        X, y = zip(*rounds, strict=True)
        done = expected(self.learner, X, y, comparator=self.zero, arithmetic="ball")
        return Lived(done.mistakes, done.comparator_loss)


class Walk:
    """All streams of T rounds for K classes."""

    def __init__(self, theorem: Theorem, n_classes: int, n_rounds: int, radius: Fraction | None = None) -> None:
        self.theorem, self.T, self.radius = theorem, n_rounds, radius
        self.game: Game = Stream(n_classes, (AXES[0],) * n_rounds, (0,) * n_rounds, radius).game(theorem)
        learner = self.game.learner(2)
        zero = [[0, 0]] * n_classes
        self.rounds = BanditFeedback(learner, zero) if self.game.bandit else FullInformation(learner)
        self.choices = list(product(AXES, range(n_classes)))
        rows = 1 if isinstance(theorem.loss, BinaryLoss) else n_classes
        self.columns = list(product(ENTRIES, repeat=rows))
        self.tables = {choice: self._losses(*choice) for choice in self.choices}
        self.regrets = self._regrets()
        self.least, self.tightest = FAR, ()
        self.streams = 0

    def run(self) -> int:
        """The number of streams that were checked; AssertionError if one breaks the bound."""
        start = Beginning((), Lived(Fraction(0), Fraction(0)), np.zeros(self.regrets.shape, dtype=np.int64))
        for beginning in self._beginnings(start):
            self._check(beginning)
        assert_bound(self.theorem, self._stream(self.tightest))
        return self.streams

    def _beginnings(self, before: Beginning) -> Iterator[Beginning]:
        for choice in self.choices:
            rounds = (*before.rounds, choice)
            if is_canonical(rounds):
                after = self._after(before, rounds)
                if not self.game.bandit or len(rounds) == self.T:
                    yield after
                if len(rounds) < self.T:
                    yield from self._beginnings(after)

    def _after(self, before: Beginning, rounds: tuple[Round, ...]) -> Beginning:
        lived = self.rounds.after(before.lived, rounds)
        on = UNIT
        if not isinstance(self.theorem.loss, SoftmaxLoss):
            on = low(ball(lived.at_zero) - ball(before.lived.at_zero))  # P(on), as the loss at 0 is 1
        return Beginning(rounds, lived, before.losses + self.tables[rounds[-1]] * on // UNIT)

    def _check(self, found: Beginning) -> None:
        slack = found.losses + self.regrets - (low(found.lived.mistakes) + 1)
        place = np.unravel_index(slack.argmin(), slack.shape)
        if slack[place] < 0:
            U = list(zip(*(self.columns[i] for i in place), strict=True))
            assert_bound(self.theorem, self._stream(found.rounds), U)
            assert slack[place] > -ROUNDING, f"{found.rounds}: only the learner's own rounds break the bound"
        if slack[place] < self.least:
            self.least, self.tightest = int(slack[place]), found.rounds
        self.streams += 1

    def _stream(self, rounds: tuple[Round, ...]) -> Stream:
        X, y = zip(*rounds, strict=True)
        return Stream(self.game.n_classes, X, y, self.radius)

    def _losses(self, x: Vector, label: int) -> Any:
        """The loss of every comparator: by the column of U on the axis of x."""
        loss = self.theorem.loss
        if isinstance(loss, MarginLoss):
            loss = replace(loss, off_above=None)
        axis = 0 if x[0] else 1
        values = [low(value(loss, self._scores(c, x[axis]), label)) for c in self.columns]
        shape = (-1, 1) if axis == 0 else (1, -1)
        return np.broadcast_to(np.array(values, dtype=np.int64).reshape(shape), (len(self.columns),) * 2)

    def _scores(self, column: tuple[Fraction, ...], sign: Fraction) -> list[Fraction]:
        scores = [sign * v for v in column]
        return [*scores, Fraction(0)] if isinstance(self.theorem.loss, BinaryLoss) else scores

    def _regrets(self) -> Any:
        """The regret of every comparator; far too large for one that is outside of its ball."""
        squares = [sum(v * v for v in column) for column in self.columns]
        of = {a + b: self._regret(a + b) for a in set(squares) for b in set(squares)}
        return np.array([[of[a + b] for b in squares] for a in squares], dtype=np.int64)

    def _regret(self, square: Fraction) -> int:
        if self.radius is None:
            return floor(square * low(self.game.regret([[1]])))
        return low(self.game.regret([])) if square <= self.radius**2 else FAR
