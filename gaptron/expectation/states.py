"""The states a Gaptron can reach, each with its outcomes on the points of the stream, computed once."""

import math
from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import lru_cache, partial

from gaptron.expectation.number_systems import ARITHMETICS, MatrixKind
from gaptron.expectation.scores import Dots, Moves, start
from gaptron.expectation.walk import Outcome, Process, Successors
from gaptron.language.theorems import StatedTheorem, with_classes
from gaptron.learners.gaptron import Gaptron
from gaptron.numbers.kinds import Number, Vector, less, plain
from gaptron.numbers.sections import falls
from gaptron.rounds import Lists, of_theorem
from gaptron.rounds.geometry import geometry_of
from gaptron.rounds.layouts import Slopes
from gaptron.rounds.proximal import proximal_steps
from gaptron.rounds.step import Step


class States(Process):
    """Weights by number, 0 the learner's own.

    Rational and double states merge when their scores on ``basis`` are equal, which must be all that the rounds to come
    depend on. Balls cannot be equal: their states merge when they come from the same sequence of updates.
    """

    def __init__(self, learner: Gaptron, arithmetic: str, rates: tuple[Number, Number]) -> None:
        self.kind: MatrixKind
        super().__init__(learner, ARITHMETICS[arithmetic]())
        self.number = self.kind.number
        theorem = learner.surrogate.theorem
        self.gamma = self.number(rates[1])
        self.step = self._step(learner, self.number(rates[0]))
        self.surrogate = self.step.surrogate
        self._settles = learner.decoder != "best" and settles(theorem, learner.n_classes)
        self.radius = None if math.isinf(learner.radius) else self.number(learner.radius)
        self.additive = self.radius is None
        self.origins: list[tuple[int, int]] = [(0, 0)]
        self._certain = self.number(1)
        self._dots = Dots(self.kind)
        W = learner.W.tolist()
        self._moves = Moves(self._dots, start(self.kind, W))
        self._squares = [sum((self.number(w) * self.number(w) for row in W for w in row), self.number(0))]
        self._basis: list[int] = []
        self._numbers: dict[Hashable, int] = {}
        self._places: list[tuple[int, int]] = []

    def _step(self, learner: Gaptron, eta: Number) -> Step:
        """The learner's, in these numbers."""
        layout, theorem = Lists(self.kind), learner.surrogate.theorem
        is_proximal = learner.update_rule == "proximal"
        steps = proximal_steps(theorem.loss, learner.n_classes, self.kind) if is_proximal else None
        rounds = layout.is_float or learner._arithmetic.dtype is float
        return learner.step._replace(
            surrogate=of_theorem(theorem, learner.n_classes, layout),
            eta=eta,
            gamma=None if self.gamma == 0 else self.gamma,
            feature_norm=self.number(learner.feature_norm),
            proximal=steps,
            most=layout.most if rounds else layout.one,
        )

    def _meet(self, x: Vector, label: int) -> None:
        self._places.append((self._dots.vector(x), label))

    def span(self, vectors: Sequence[Sequence[Number]]) -> None:
        self._basis = list(dict.fromkeys(self._dots.vector(tuple(x)) for x in vectors))

    def weights(self, state: int) -> list[list[Number]]:
        """The scores on the basis: W, if it is that of the unit vectors; rows of Fractions, balls or floats."""
        columns = [self._moves.scores(state, vector) for vector in self._basis]
        return [[plain(w) for w in row] for row in zip(*columns, strict=True)]

    def _outcome(self, state: int, point: int) -> Outcome:
        vector, label = self._places[point]
        step, squared = self.step, None
        if step.proximal is not None:
            squared = self._dots.of(vector, vector)
            step.require_norm(squared)
        found = self.surrogate.at(self._moves.scores(state, vector))
        wrong, right = step.chances(found, label)
        return Outcome(wrong, not found.off(label), right, partial(step.slopes, found, label, squared))

    def _after(self, state: int, point: int) -> Successors:
        """A wrong draw teaches nothing with bandit feedback."""
        outcome = self.outcome(state, point)
        slopes = self._slopes(state, point, outcome)
        if slopes is None:
            return ((self._certain, state),)
        child = self._moved(state, point, slopes)
        if self.full or outcome.wrong == 0:
            return ((self._certain, child),)
        return (outcome.wrong, state), (outcome.right, child)

    def _slopes(self, state: int, point: int, outcome: Outcome) -> Slopes | None:
        """The step in the scores."""
        if self.full:
            return outcome.slopes(self._certain)
        return None if outcome.right == 0 else outcome.slopes(1 / outcome.right)

    def settled(self, state: int, point: int) -> bool:
        """With the top label right and a gap map of at most gamma, a step raises the label's score and no other: the
        top margin grows, so the gap map, which does not, stays below gamma. A projection could shrink the margin.
        """
        if self.radius is not None or not self._settles:
            return False
        vector, label = self._places[point]
        found = self.surrogate.at(self._moves.scores(state, vector))
        gap = found.gap
        return bool(gap != 1) and found.top == label and not less(self.gamma, gap)

    def _moved(self, state: int, point: int, slopes: Slopes) -> int:
        """The number of W + outer(slopes, x), projected."""
        vector = self._places[point][0]
        square, scale = None, None
        if self.radius is not None:
            square = self._square(state, vector, slopes)
            if less(self.radius * self.radius, square):
                square, scale = self.radius * self.radius, self.radius / self.kind.root(square)
        child = self._moves.add(state, vector, slopes, scale)
        if self.kind.equality:
            key = (square, *(score for v in self._basis for score in self._moves.scores(child, v)))
            if self._numbers.setdefault(key, child) != child:
                self._moves.forget()
                return self._numbers[key]
        self._squares.append(square)
        self.origins.append((state, point))
        return child

    def _square(self, state: int, vector: int, slopes: Slopes) -> Number:
        """||W + outer(slopes, x)||^2; a product with features that have nothing in common is None."""
        square, square_of_x = self._squares[state], self._dots.of(vector, vector)
        for slope, score in zip(slopes, self._moves.scores(state, vector), strict=True):
            if slope is not None and square_of_x is not None:
                square = square + slope * (2 * score + square_of_x * slope)
        return square


@lru_cache(maxsize=256)
def settles(theorem: StatedTheorem, n_classes: int) -> bool:
    """Whether loss and gap map fall with the top margin (with p*) for certain, and the loss is never off."""
    loss = theorem.data.loss.for_classes(n_classes)
    geometry = geometry_of(loss)
    if not geometry.is_one_scalar or loss.has_threshold:
        return False
    gap_map = with_classes(theorem.data.gap_map, n_classes)
    return all(falls(part, loss.variable, Fraction(0), geometry.highest) for part in (*loss.functions, gap_map))
