"""The mass of every state, round after round or many equal rounds at once, and the expectations it gives."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from gaptron.expectation.number_systems import MatrixKind
from gaptron.numbers.kinds import Number, Vector, plain

MAX_STATES = 2**20


class Outcome(Protocol):
    """What a round does in a state: P(wrong), and whether the loss is on."""

    @property
    def wrong(self) -> Number: ...
    @property
    def on(self) -> bool: ...


class Process(Protocol):
    """The states of a learner, by number from 0; see ``States`` and ``Copies``."""

    additive: bool
    rounds: list[tuple[Vector, int]]

    @property
    def kind(self) -> MatrixKind | None: ...

    def number(self, value: Number, /) -> Number: ...
    def point(self, x: Sequence[Number], label: int) -> int: ...
    def span(self, vectors: Sequence[Sequence[Number]]) -> None: ...
    def weights(self, state: int) -> list[list[Number]]: ...
    def outcome(self, state: int, point: int) -> Outcome: ...
    def successors(self, state: int, point: int) -> tuple[tuple[Number, int], ...]: ...
    def settled(self, state: int, point: int) -> bool: ...


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
            self.round(_always(point))

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


def _always(point: int) -> Callable[[int], int]:
    return lambda state: point
