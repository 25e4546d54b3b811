"""The states a learner can reach, each with its outcomes on the points of the stream, computed once."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import flint

from gaptron.expectation.losses import LOSSES
from gaptron.expectation.numbers import ball, less, rational
from gaptron.learners.gaptron import Gaptron

Point = tuple[tuple[Any, ...], int]


class Outcome(NamedTuple):
    """P(wrong), P(right), whether the loss is on, and the step on a right draw: (point, gradient), or None."""

    wrong: Any
    right: Any
    on: bool
    step: tuple[Point, list[tuple[int, Any]]] | None


class States:
    """Weights by number, 0 the learner's own.

    Rational states merge when they are equal. Balls cannot be equal: their states merge when they come from the
    same sequence of updates.
    """

    def __init__(self, learner: Gaptron, arithmetic: str) -> None:
        exact = arithmetic == "rational"
        self.number: Callable[[Any], Any] = rational if exact else ball
        self.matrix: Any = flint.fmpq_mat if exact else flint.arb_mat
        self.round, self.full = LOSSES[str(learner.loss_given)], learner.feedback == "full"
        self.eta, self.gamma = self.number(learner.learning_rate), self.number(learner.exploration)
        self.radius = None if math.isinf(learner.radius) else self.number(learner.radius)
        self.K, self.d = learner.n_classes, learner.n_features
        entries: list[Any] = [self.number(w) for w in learner.W.ravel().tolist()]
        self.weights = [self.matrix(self.K, self.d, entries)]
        self._outcomes: dict[tuple[int, Point], Outcome] = {}
        self._numbers: dict[Any, int] = {}
        self._columns: dict[tuple[Any, ...], Any] = {}
        self._rows: dict[tuple[Any, ...], Any] = {}
        self._children: dict[tuple[int, Point], int] = {}
        self._zero = self.number(0)

    def outcome(self, state: int, point: Point) -> Outcome:
        """What a round at ``point`` = (features, label) does in this state."""
        found = self._outcomes.get((state, point))
        if found is None:
            found = self._outcomes[state, point] = self._outcome(state, *point)
        return found

    def scores(self, W: Any, x: tuple[Any, ...]) -> list[Any]:
        """W x."""
        return (W * self._column(x)).entries()  # type: ignore[no-any-return]

    def _column(self, x: tuple[Any, ...]) -> Any:
        if x not in self._columns:
            self._columns[x] = self.matrix(self.d, 1, [self.number(v) for v in x])
        return self._columns[x]

    def _row(self, x: tuple[Any, ...]) -> Any:
        if x not in self._rows:
            self._rows[x] = self.matrix(1, self.d, [self.number(v) for v in x])
        return self._rows[x]

    def _outcome(self, state: int, x: tuple[Any, ...], label: int) -> Outcome:
        W = self.weights[state]
        gap, top, gradient, off = self.round(self.scores(W, x), label)
        if less(gap, self.gamma):
            gap = self.gamma
        right = gap / self.K if top is False else self.number(1) / self.K if top is None else 1 - gap + gap / self.K
        step = ((x, label), gradient) if gradient is not None and (self.full or right != 0) else None
        return Outcome(1 - right, right, not off, step)

    def child(self, state: int, outcome: Outcome) -> int | None:
        """The state after a right draw (with full information: after any), or None if it stays the same."""
        if outcome.step is None:
            return None
        point, gradient = outcome.step
        found = self._children.get((state, point))
        if found is None:
            rate = self.eta if self.full else self.eta / outcome.right
            found = self._children[state, point] = self._numbered(self._moved(state, point[0], gradient, rate))
        return found

    def _moved(self, state: int, x: tuple[Any, ...], gradient: list[tuple[int, Any]], rate: Any) -> Any:
        steps = [self._zero] * self.K
        for k, slope in gradient:
            steps[k] = -rate * slope
        return self._projected(self.weights[state] + self.matrix(self.K, 1, steps) * self._row(x))

    def _projected(self, W: Any) -> Any:
        if self.radius is None:
            return W
        square = sum((w * w for w in W.entries()), self.number(0))
        if not less(self.radius * self.radius, square):
            return W
        if self.matrix is flint.fmpq_mat:
            raise ValueError('arithmetic = "rational": a projection onto the radius needs a root, use "ball"')
        return W * (self.radius / square.sqrt())

    def _numbered(self, W: Any) -> int:
        key = tuple(W.entries()) if self.matrix is flint.fmpq_mat else len(self.weights)
        if key not in self._numbers:
            self._numbers[key] = len(self.weights)
            self.weights.append(W)
        return self._numbers[key]
