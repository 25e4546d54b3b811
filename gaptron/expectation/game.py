"""What is to be computed: a learner in an arithmetic, with a comparator; checked."""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, TypeVar

import flint
import numpy as np
from mpmath import iv

from gaptron.expectation.copies import Copies
from gaptron.expectation.number_systems import ARITHMETICS
from gaptron.expectation.scores import start
from gaptron.expectation.states import States
from gaptron.expectation.walk import Outcome, Process
from gaptron.language.theorems import StatedLoss, TheoremData
from gaptron.learners.binary_gaptron import BinaryGaptron
from gaptron.learners.gaptron import Gaptron
from gaptron.learners.learner import Learner
from gaptron.learners.rounds import RoundLearner
from gaptron.numbers.kinds import Number, UncertainError, Vector, is_irrational
from gaptron.rounds import Lists, Surrogate
from gaptron.rounds.geometry import geometry_of
from gaptron.rounds.layouts import Scores, Slopes
from gaptron.system import checks
from gaptron.theory.by_name import HINGE

LossOfScores = Callable[[Scores, int], Number]


def comparator_loss(U: Any, loss: StatedLoss | LossOfScores, arithmetic: str) -> LossOfScores:
    """loss(U x, label) as a function of (x, label), for U of shape (K, d), or (1, d) for one weight vector."""
    kind = ARITHMETICS[arithmetic]()
    scores = start(kind, U.tolist())
    if callable(loss):
        return lambda x, label: loss(scores(kind.column(x)), label)
    surrogate = Surrogate(loss, max(2, len(U)), Lists(kind))
    return lambda x, label: surrogate.at(scores(kind.column(x))).value(label)


DEEPEST = 14
Answer = TypeVar("Answer")
Result = TypeVar("Result")


class Arbitrated(States):
    """Balls or intervals beside the same states in rationals, found when needed only: they double in length."""

    def __init__(self, learner: Gaptron, arithmetic: str, rates: tuple[Number, Number]) -> None:
        super().__init__(learner, arithmetic, rates)
        self._rational = States(learner, "rational", rates)
        self._twins = {0: 0}

    def span(self, vectors: Sequence[Sequence[Number]]) -> None:
        super().span(vectors)
        self._rational.span(vectors)

    def settled(self, state: int, point: int) -> bool:
        try:
            return super().settled(state, point)
        except UncertainError:
            return self._asked(self._rational.settled, state, point)

    def _outcome(self, state: int, point: int) -> Outcome:
        try:
            return super()._outcome(state, point)
        except UncertainError:
            exact = self._asked(self._rational.outcome, state, point)
            step = partial(self._of_rational, exact.slopes)
            return Outcome(self.number(exact.wrong), exact.on, self.number(exact.right), step)

    def _slopes(self, state: int, point: int, outcome: Outcome) -> Slopes | None:
        try:
            return super()._slopes(state, point, outcome)
        except UncertainError:
            exact = self._asked(self._rational.outcome, state, point)
            return super()._slopes(state, point, outcome._replace(slopes=partial(self._of_rational, exact.slopes)))

    def _of_rational(self, slopes: Callable[[Number], Slopes | None], weight: Number) -> Slopes | None:
        found = slopes(flint.fmpq(1))
        return None if found is None else [None if slope is None else weight * self.number(slope) for slope in found]

    def _asked(self, question: Callable[[int, int], Answer], state: int, point: int) -> Answer:
        """What the rational state says that came from the same updates."""
        try:
            return question(self._twin(state), self._rational.point(*self.rounds[point]))
        except ValueError as error:
            raise UncertainError(f"a tie, exact or nearly so: {error}") from error

    def _twin(self, state: int) -> int:
        path = []
        while state not in self._twins:
            path.append(state)
            state = self.origins[state][0]
        if len(path) > DEEPEST:
            raise UncertainError(f"a tie, exact or nearly so, after more than {DEEPEST} updates")
        for child in reversed(path):
            parent, point = self.origins[child]
            twin_point = self._rational.point(*self.rounds[point])
            self._twins[child] = self._rational.successors(self._twins[parent], twin_point)[-1][1]
        return self._twins[path[0] if path else state]


def is_rational(learner: Gaptron, rates: tuple[Number, Number]) -> bool:
    """Whether the learner's numbers are rational, as far as can be told beforehand; not its loss."""
    numbers = (*rates, learner.radius, *learner.W.ravel().tolist())
    return not any(isinstance(v, flint.arb) or is_irrational(v) for v in numbers)


PRECISIONS = (169, 338, 676, 1352)  # bits; the first is 50 decimal digits


def until_certain(compute: Callable[[], Result]) -> Result:
    """``compute()`` at the least of ``PRECISIONS`` at which every branch is certain; UncertainError if none."""
    for bits in PRECISIONS[:-1]:
        with _precision(bits):
            try:
                return compute()
            except UncertainError:
                continue
    with _precision(PRECISIONS[-1]):
        return compute()


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the garbage collector, which would walk through a growing multitude of states that are in no cycle."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@contextmanager
def _precision(bits: int) -> Iterator[None]:
    before = flint.ctx.prec, iv.prec
    flint.ctx.prec = iv.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec, iv.prec = before


ENCLOSING = ("ball", "interval")


@dataclass(frozen=True)
class ExpectedGame:
    """What is to be computed, on whatever stream."""

    learner: Learner
    arithmetic: str
    U: Any = None
    loss: StatedLoss | LossOfScores | None = None
    learning_rate: Number | None = None
    exploration: Number | None = None
    played: bool = False

    def __post_init__(self) -> None:
        checks.choice(self.arithmetic, "arithmetic", tuple(ARITHMETICS))
        if not isinstance(self.learner, Learner):
            raise ValueError(f"learner = {self.learner!r} is not a Learner")
        if not self.is_gaptron:
            self._check_other()
        elif self.arithmetic == "rational" and self._is_logarithmic:
            name = self._theorem.name
            raise ValueError(f'arithmetic = "rational": the {name} loss needs "ball", "interval" or "float"')
        if self.U is not None:
            rows = 1 if isinstance(self.learner, BinaryGaptron) else self.learner.n_classes
            object.__setattr__(self, "U", matrix(self.U, "comparator", (rows, self.learner.n_features)))

    @cached_property
    def is_gaptron(self) -> bool:
        """Whether the learner's round is one that ``States`` knows, and computes."""
        learner: Any = self.learner
        known = type(learner) in (Gaptron, BinaryGaptron) and learner.ties == "lowest" and not learner.delay
        return known and not self.played

    @property
    def _is_logarithmic(self) -> bool:
        return geometry_of(self._theorem.loss).is_transcendental

    @property
    def _theorem(self) -> TheoremData:
        """A Gaptron's."""
        return self.learner.surrogate.theorem  # type: ignore[attr-defined, no-any-return]

    def _check_other(self) -> None:
        kind = type(self.learner).__name__
        own = "rational" if isinstance(self.learner._arithmetic.number(0), Fraction) else "ball"
        own = "float" if self.learner._arithmetic.dtype is float else own
        if self.arithmetic != own:
            raise ValueError(f'arithmetic = "{self.arithmetic}": this {kind} computes in "{own}" (see exact =)')
        if self.learning_rate is not None or self.exploration is not None:
            raise ValueError(f"learning_rate and exploration are for Gaptron: a {kind} has its own")

    def round(self, x: Any, label: int) -> tuple[Vector, int]:
        """A round, checked."""
        features = matrix(x, "features of a round", (self.learner.n_features,)).tolist()
        return tuple(features), checks.label(label, "label of a round", self.learner.n_classes)

    def certain(self, compute: Callable[[], Result]) -> Result:
        """The result, at a precision that settles every branch if it is by balls."""
        with uncollected():
            return until_certain(compute) if self.arithmetic in ENCLOSING else compute()

    def process(self) -> Process:
        """The learner's states, at the current precision."""
        learner: Any = self.learner
        if not self.is_gaptron:
            return Copies(learner)
        enclosing = self.arithmetic in ENCLOSING
        if enclosing and not self._is_logarithmic and is_rational(learner, self.rates):
            return Arbitrated(learner, self.arithmetic, self.rates)
        return States(learner, self.arithmetic, self.rates)

    @property
    def rates(self) -> tuple[Number, Number]:
        """eta and gamma of a Gaptron."""
        own: Any = self.learner
        eta = own.learning_rate if self.learning_rate is None else self.learning_rate
        return eta, own.exploration if self.exploration is None else self.exploration

    def comparator(self) -> LossOfScores | None:
        """The loss of U, at the current precision."""
        if self.U is None:
            return None
        own = self._theorem.loss if isinstance(self.learner, RoundLearner) else HINGE
        return comparator_loss(self.U, self.loss or own, self.arithmetic)


def matrix(values: Any, argument: str, shape: tuple[int, ...]) -> Any:
    """``values`` as an object array of this shape."""
    array = np.array(values, dtype=object)
    checks.shape(array.shape, argument, shape)
    return array
