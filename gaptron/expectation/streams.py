"""A game on a stream: fixed, in blocks of equal rounds and part by part, or adaptive."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from gaptron.expectation.game import ExpectedGame
from gaptron.expectation.state_arrays import array_expectation
from gaptron.expectation.walk import Expectation, Walk, cycles, repeat, sequences
from gaptron.learners.gaptron import Gaptron
from gaptron.numbers.kinds import Number, Vector
from gaptron.system import checks

Adversary = Callable[[list[list[Number]]], tuple[Number, int]]
ARRAY_ROUNDS = 24
STATES_A_ROUND, STATES_A_STATE = 4, 200  # what arrays do in the time of one state among dictionaries


Point = tuple[int, int]


class PointBlocks(NamedTuple):
    """Blocks of rounds (point, how many), a point being (number of the features in ``vectors``, label)."""

    vectors: list[Vector]
    blocks: list[tuple[Point, int]]

    @property
    def span(self) -> list[Vector]:
        """The features that occur."""
        return [self.vectors[i] for i in dict.fromkeys(vector for (vector, _), _ in self.blocks)]

    @property
    def rounds(self) -> list[tuple[Vector, int]]:
        """(features, label) of every round."""
        return [(self.vectors[vector], label) for (vector, label), rounds in self.blocks for _ in range(rounds)]


def stream(rows: Iterable[Sequence[Number]], labels: Iterable[int], rounds: Iterable[int]) -> PointBlocks:
    """From lists of features, their labels, and how many rounds each; blocks of one point that touch are one."""
    vectors: dict[Vector, int] = {}
    by_objects: dict[tuple[int, ...], int] = {}  # numbers that are one object are equal: quicker than their hashes
    blocks: list[tuple[Point, int]] = []
    kept = list(rows)
    for row, label, times in zip(kept, labels, rounds, strict=True):
        objects = tuple(map(id, row))
        if objects not in by_objects:
            by_objects[objects] = vectors.setdefault(tuple(row), len(vectors))
        blocks.append(((by_objects[objects], label), times))
    return PointBlocks(list(vectors), _merged(blocks))


def blocks_of(game: ExpectedGame, given: Iterable[tuple[Any, int, int]]) -> PointBlocks:
    """Blocks (features, label, how many rounds), checked."""
    checked = [(*game.round(x, label), checks.integer(n, "rounds of a block", 1)) for x, label, n in given]
    return stream(*zip(*checked, strict=True)) if checked else PointBlocks([], [])


def _merged(blocks: Iterable[tuple[Point, int]]) -> list[tuple[Point, int]]:
    """Blocks of one point that touch are one."""
    return [(point, sum(map(itemgetter(1), same))) for point, same in groupby(blocks, itemgetter(0))]


def parts(whole: PointBlocks) -> list[PointBlocks]:
    """What is learned from one part changes no score in another."""
    component = _components(whole.vectors)
    grouped: dict[int, list[tuple[Point, int]]] = {}
    for block in whole.blocks:
        grouped.setdefault(component[block[0][0]], []).append(block)
    return [whole._replace(blocks=_merged(blocks)) for blocks in grouped.values()]


def _components(vectors: Sequence[Vector]) -> list[int]:
    """Of every vector: those with a common feature are in one component, and so on."""
    used = csr_array(np.array(vectors, dtype=object) != 0)
    n, d = used.shape
    rows, columns = used.nonzero()
    graph = csr_array((np.ones(len(rows)), (rows, n + columns)), shape=(n + d, n + d))
    return connected_components(graph, directed=False)[1][:n].tolist()  # type: ignore[no-any-return]


def fixed(game: ExpectedGame, stream: PointBlocks) -> Expectation:
    """The sum over the parts of the stream that do not touch each other."""
    separate = parts(stream) if stream.blocks and game.process().additive else [stream]
    return _sum([(_arrays if _is_for_arrays(game, part) else _states)(game, part) for part in separate])


def adaptive(game: ExpectedGame, adversary: Adversary, n_rounds: int) -> Expectation:
    """Every path has its own next round."""
    process = game.process()
    process.span(np.eye(game.learner.n_features, dtype=int).tolist())
    walk, answers = Walk(process, game.comparator()), dict[int, int]()

    def answer(state: int) -> int:
        if state not in answers:
            answers[state] = process.point(*game.round(*adversary(process.weights(state))))
        return answers[state]

    for _ in range(n_rounds):
        walk.round(answer)
    return walk.expectation()


def _states(game: ExpectedGame, stream: PointBlocks) -> Expectation:
    process = game.process()
    process.span(stream.span)
    walk = Walk(process, game.comparator())
    points = {point: process.point(stream.vectors[point[0]], point[1]) for point, _ in stream.blocks}
    repeated = cycles([(points[point], rounds) for point, rounds in stream.blocks])
    for i, (cycle, times) in enumerate(repeated, start=1):
        repeat(walk, cycle, times, last=i == len(repeated))
    return walk.expectation()


def _arrays(game: ExpectedGame, stream: PointBlocks) -> Expectation:
    comparator, learner = game.comparator(), game.learner
    losses = None if comparator is None else [float(comparator(*point)) for point in stream.rounds]
    return array_expectation(learner, game.rates, stream.rounds, losses)  # type: ignore[arg-type]


def _is_for_arrays(game: ExpectedGame, stream: PointBlocks) -> bool:
    """Short streams in doubles with many states."""
    if not (game.arithmetic == "float" and game.is_gaptron and isinstance(game.learner, Gaptron)):
        return False
    rounds = sum(times for _, times in stream.blocks)
    if rounds > ARRAY_ROUNDS or game.learner.feedback == "full":
        return False
    return bool(sequences(stream.blocks) > 2**rounds // STATES_A_STATE + STATES_A_ROUND * rounds)


def _sum(parts: list[Expectation]) -> Expectation:
    first, *rest = parts
    for part in rest:
        loss = None if first.comparator_loss is None else first.comparator_loss + part.comparator_loss
        states = first.states * part.states
        first = Expectation(first.mistakes + part.mistakes, loss, first.mass * part.mass, states)
    return first
