"""A game on a stream: fixed, part by part, or adaptive."""

import math
from collections.abc import Callable

import numpy as np

from gaptron.expectation.cycles import cycles, repeat, sequences
from gaptron.expectation.game import ExpectedGame
from gaptron.expectation.independent_components import PointBlocks, parts
from gaptron.expectation.state_arrays import array_expectation
from gaptron.expectation.walk import Expectation, Walk
from gaptron.learners.gaptron import Gaptron
from gaptron.numbers.kinds import Number

Adversary = Callable[[list[list[Number]]], tuple[Number, int]]
ARRAY_ROUNDS = 24
STATES_A_ROUND, STATES_A_STATE = 4, 200  # what arrays do in the time of one state among dictionaries


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
        first = Expectation(
            first.mistakes + part.mistakes, loss, first.mass * part.mass, math.prod((first.states, part.states))
        )
    return first
