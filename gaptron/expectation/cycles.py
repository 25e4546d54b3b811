"""Rounds that repeat, many at once: a cycle of points is a step of a Markov chain, whose power sums what it visits."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from gaptron.expectation.number_systems import MatrixKind
from gaptron.expectation.walk import Walk
from gaptron.numbers.kinds import Number

LONG = 32
Point = TypeVar("Point")


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
