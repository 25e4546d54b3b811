"""The mass of every state, round after round or many equal rounds at once, and the expectations it gives."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gaptron.expectation.number_systems import MatrixKind
from gaptron.learners.learner import Learner
from gaptron.numbers.kinds import Function, Number, Vector, plain
from gaptron.rounds.layouts import Slopes

MAX_STATES = 2**20
Successors = tuple[tuple[Number, int], ...]


def no_step(weight: Number) -> Slopes | None:
    """Of a learner that moves by itself."""
    return None


class Outcome(NamedTuple):
    """What a round does in a state: P(wrong), whether the loss is on; of a Gaptron P(right) and its ``Step.slopes``."""

    wrong: Number
    on: bool
    right: Number = None
    slopes: Callable[[Number], Slopes | None] = no_step


class Process(ABC):
    """The states of a learner, by number from 0; see ``States`` and ``Copies``."""

    number: Function
    additive: bool

    def __init__(self, learner: Learner, kind: MatrixKind | None) -> None:
        self.kind, self.full = kind, learner.feedback == "full"
        self.rounds: list[tuple[Vector, int]] = []
        self._points: dict[tuple[Vector, int], int] = {}
        self._outcomes: dict[tuple[int, int], Outcome] = {}
        self._successors: dict[tuple[int, int], Successors] = {}

    def point(self, x: Sequence[Number], label: int) -> int:
        """The number of a round (features, label)."""
        key = tuple(x), label
        if key not in self._points:
            self._meet(*key)
            self._points[key] = len(self.rounds)
            self.rounds.append(key)
        return self._points[key]

    def outcome(self, state: int, point: int) -> Outcome:
        """What a round does in this state."""
        found = self._outcomes.get((state, point))
        if found is None:
            found = self._outcomes[state, point] = self._outcome(state, point)
        return found

    def successors(self, state: int, point: int) -> Successors:
        """The states after the round, each with its probability."""
        found = self._successors.get((state, point))
        if found is None:
            found = self._successors[state, point] = self._after(state, point)
        return found

    @abstractmethod
    def span(self, vectors: Sequence[Sequence[Number]]) -> None:
        """The features of the rounds to come are linear combinations of these, from now on."""

    def settled(self, state: int, point: int) -> bool:
        """Whether it is known that, if this point is repeated for ever, every outcome is this one."""
        return False

    @abstractmethod
    def weights(self, state: int) -> list[list[Number]]:
        """W as a list of rows."""

    @abstractmethod
    def _meet(self, x: Vector, label: int) -> None:
        """A round that is new."""

    @abstractmethod
    def _outcome(self, state: int, point: int) -> Outcome: ...

    @abstractmethod
    def _after(self, state: int, point: int) -> Successors: ...


@dataclass(frozen=True)
class Expectation:
    """Over all draws of T rounds.

    Attributes
    ----------
    mistakes
        Expected number of rounds with y' != y: a Fraction, an arb that contains it, or a float.
    comparator_loss
        E sum loss_t(U) over the rounds that are on at the learner's weights; None without a comparator.
    mass
        The sum of the probabilities of these states: exactly 1, a ball that contains 1, or 1 up to rounding.
    states : int
        How many states the learner can be in at the last round, as far as they were told apart.
    """

    mistakes: Number
    comparator_loss: Number
    mass: Number
    states: int


class Walk:
    """The mass of every state before the next round, and the sums over the rounds so far.

    Parameters
    ----------
    process : Process
    comparator : function of features and label, optional
        The comparator's loss.
    """

    def __init__(self, process: Process, comparator: Callable[[Number, int], Number] | None) -> None:
        self.process, self.comparator = process, comparator
        self._losses: dict[int, Number] = {}
        self.mistakes = self.loss = process.number(0)
        self.mass: dict[int, Number] = {0: process.number(1)}
        self._unfinished: list[tuple[int, int, Number]] = []

    def round(self, point_at: Callable[[int], int]) -> None:
        """One round, at a point that may depend on the state."""
        self.finish()
        outcome_of, mistakes = self.process.outcome, self.mistakes
        for state, weight in self.mass.items():
            point = point_at(state)
            outcome = outcome_of(state, point)
            mistakes += weight * outcome.wrong
            if self.comparator is not None and outcome.on:
                self.loss += weight * self.loss_at(point)
            self._unfinished.append((state, point, weight))
        self.mistakes = mistakes

    def rounds(self, points: Iterable[int]) -> None:
        """Rounds at these points, whatever the state."""
        for point in points:
            self.round(lambda state, point=point: point)  # type: ignore[misc]

    def fork(self, state: int) -> "Walk":
        """Another walk, from this state."""
        other = Walk(self.process, self.comparator)
        other._losses, other.mass = self._losses, {state: self.process.number(1)}
        return other

    def loss_at(self, point: int) -> Number:
        """The comparator's loss, 0 without one."""
        if self.comparator is None:
            return 0
        if point not in self._losses:
            self._losses[point] = self.process.number(plain(self.comparator(*self.process.rounds[point])))
        return self._losses[point]

    def finish(self) -> None:
        """The draws of the last round; what the last round of all leads to is never computed."""
        if not self._unfinished:
            return
        mass: dict[int, Number] = {}
        for state, point, weight in self._unfinished:
            for probability, successor in self.process.successors(state, point):
                share = weight * probability
                mass[successor] = mass[successor] + share if successor in mass else share
        if len(mass) > MAX_STATES:
            raise ValueError(f"the learner can be in more than {MAX_STATES} states: fewer rounds, or repeated ones")
        self.mass, self._unfinished = mass, []

    def expectation(self) -> Expectation:
        """After the last round."""
        mass = plain(sum(self.mass.values(), self.process.number(0)))
        loss = None if self.comparator is None else plain(self.loss)
        return Expectation(plain(self.mistakes), loss, mass, len(self.mass))
