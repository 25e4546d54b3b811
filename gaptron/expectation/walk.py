"""The mass of every state, round after round or many equal rounds at once, and the expectations it gives."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from gaptron.expectation.number_systems import MatrixKind
from gaptron.learners.learner import Learner
from gaptron.numbers.kinds import Function, Number, Vector, plain
from gaptron.rounds.layouts import Slopes

MAX_STATES = 2**20
LONG = 32
Point = TypeVar("Point")
Successors = tuple[tuple[Number, int], ...]


class Outcome(NamedTuple):
    """What a round does in a state: P(wrong), whether the loss is on; of a Gaptron P(right) and its ``Step.slopes``."""

    wrong: Number
    on: bool
    right: Number = None
    slopes: Callable[[Number], Slopes | None] = lambda weight: None  # of a learner that moves by itself


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


# --- rounds that repeat: a cycle of points is a step of a Markov chain, whose power sums what it visits -----------


class Chain(NamedTuple):
    """The states that the first can become: transitions [row, column, probability], and by row what a cycle adds."""

    states: list[int]
    transitions: list[tuple[int, int, Number]]
    mistakes: list[Number]
    losses: list[Number]


def repeat(walk: Walk, cycle: Sequence[int], times: int, *, last: bool) -> None:
    """The points of ``cycle``, so many times; ``last``: no other round follows them."""
    kind = walk.process.kind
    if times > LONG and kind is not None:
        walk.finish()
        chains = _chains(walk, cycle, times - 1, last and len(cycle) == 1, kind.most(times - 1))
        if chains is not None:
            _advance(walk, kind, chains, times - 1)
            times = 1
    for _ in range(times):
        walk.rounds(cycle)


def _chains(walk: Walk, cycle: Sequence[int], times: int, last: bool, most: int) -> list[Chain] | None:
    """One for every state that has mass, if powers of them all are worth it."""
    found = []
    for start in walk.mass:
        chain = _chain(walk, start, cycle, times, last, most)
        if chain is None:
            return None
        found.append(chain)
    return found


def _chain(walk: Walk, start: int, cycle: Sequence[int], times: int, last: bool, most: int) -> Chain | None:
    """The states within reach, None if they are more than ``most``.

    If no other point follows, a settled state stands for all that come after it.
    """
    chain, places, depths = Chain([start], [], [], []), {start: 0}, [0]
    for row, state in enumerate(chain.states):
        once = walk.fork(state)
        if depths[row] < times:
            once.rounds(cycle)
        if not (last and walk.process.settled(state, cycle[0])):
            once.finish()
        for after, probability in once.mass.items():
            if after not in places:
                if len(places) == most:
                    return None
                places[after] = len(places)
                chain.states.append(after)
                depths.append(depths[row] + 1)
            chain.transitions.append((row, places[after], probability))
        chain.mistakes.append(once.mistakes)
        chain.losses.append(once.loss)
    return chain


def _advance(walk: Walk, kind: MatrixKind, chains: Iterable[Chain], times: int) -> None:
    """The mass after these cycles, and what they add to the sums."""
    after: dict[int, Number] = {}
    for weight, chain in zip(walk.mass.values(), chains, strict=True):
        shares, mistakes, loss = kind.summed(chain.transitions, chain.mistakes, chain.losses, times)
        walk.mistakes += weight * mistakes
        walk.loss += weight * loss
        for state, share in zip(chain.states, shares, strict=True):
            if share != 0:
                after[state] = after.get(state, walk.process.number(0)) + weight * share
    walk.mass = after


def cycles(blocks: Sequence[tuple[Point, int]]) -> list[tuple[list[Point], int]]:
    """The runs as (cycle of points, times); single rounds that repeat a shorter cycle to the end are one."""
    points = [point for point, rounds in blocks if rounds == 1]
    period = shortest_period(points)
    if len(points) < len(blocks) or len(points) <= LONG * period:
        return [([point], rounds) for point, rounds in blocks]
    times, rest = divmod(len(points), period)
    return [(points[:period], times), *(([point], 1) for point in points[:rest])]


def shortest_period(points: Sequence[Point]) -> int:
    """The least p >= 1 with points[i] == points[i - p] wherever both are (Knuth, Morris, Pratt)."""
    borders = [0] * len(points)
    for i in range(1, len(points)):
        border = borders[i - 1]
        while border and points[i] != points[border]:
            border = borders[border - 1]
        borders[i] = border + (points[i] == points[border])
    return max(1, len(points) - (borders[-1] if points else 0))


def sequences(blocks: Iterable[tuple[Point, int]]) -> int:
    """How many sequences of updates there are at most before the last round."""
    return math.prod(rounds + 1 for _, rounds in blocks)
