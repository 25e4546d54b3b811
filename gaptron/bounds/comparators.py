"""The strongest comparator found for a stream: searched for in doubles, rounded to fractions.

Every U is a comparator (with bandit feedback, every U with ||U|| <= D), so a check with it is exact however well the
search did.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from gaptron.bounds.exact_stream import ExactStream, Matrix
from gaptron.bounds.hindsight import SHRINKS, Floats, HindsightLoss, class_sums, into_ball, least
from gaptron.bounds.sides import Game

GRAIN = 2**20
ITERATIONS = 100
FOLLOWED = 16  # rounds of a block that the learner plays where only its weights are asked for, to start from


def strongest(game: Game, stream: ExactStream, learner: Any = None) -> Matrix:
    """U of small comparator loss + regret: (K, d) fractions, (1, d) for a BinaryLoss; with bandit feedback in its ball.

    With full information rounds on which the loss is off at the learner's weights are free; ``learner`` is another one
    than the theorem's, in doubles.

    Examples
    --------
    >>> from sympy import Max
    >>> from gaptron import GapMap, MarginLoss, Theorem
    >>> from gaptron.symbols import K, m
    >>> from gaptron.testing import Stream, strongest
    >>> loss = Max(1 - m, 0) ** 2
    >>> mine = Theorem(name="mine", loss=MarginLoss(loss), gap_map=GapMap(loss), learning_rate=1 / (4 * K))
    >>> from gaptron.bounds.sides import Game
    >>> stream = Stream.of(2, ["1 0", "0 1"], [0, 1])
    >>> len(strongest(Game(mine, 2), stream))
    2
    """
    on: Sequence[int] = stream.times
    starts: list[Floats] = []
    if not game.bandit:
        learner = game.learner(stream.n_features, exact=False) if learner is None else learner
        on, starts = _rounds_on(learner, stream), [learner.W]
    return _rational(_strongest(game, stream, on, starts), game)


def bound_without_masks(game: Game, stream: ExactStream, U: Any = None) -> float:
    """Comparator loss + regret in doubles if no round is off; by default the least that is found."""
    U = _strongest(game, stream, stream.times, []) if U is None else np.array(U, dtype=float)
    return float(_loss(game, stream, stream.times)(U)[0]) + float(game.regret(U))


def _strongest(game: Game, stream: ExactStream, on: Sequence[int], starts: list[Floats]) -> Floats:
    loss = _loss(game, stream, on)
    means = class_sums(loss)
    radius = float(game.radius or 0) if game.bandit else math.inf
    found = [np.zeros(means.shape)]
    for c in _coefficients(game):
        found += [into_ball(least(loss, c, start, ITERATIONS), radius) for start in (means, *starts)]
    last = 0.0 if game.bandit else _coefficients(game)[0]
    return min(found, key=lambda U: loss(U)[0] + last * float((U * U).sum()))


def _loss(game: Game, stream: ExactStream, on: Sequence[int]) -> HindsightLoss:
    X, y = np.array(stream.rounds, dtype=float), np.array(stream.labels)
    return HindsightLoss(game.stated.loss, X, y, np.array(on, dtype=float), game.n_classes)


def _rounds_on(learner: Any, stream: ExactStream) -> list[int]:
    """Of every block, on how many rounds the loss is on; the learner learns. Weights that stay, stay for the block."""
    masked, on = learner.surrogate.loss.has_threshold, []
    for x, label, times in stream.blocks:
        features, rounds = np.array(x, dtype=float), 0
        for left in range(times if masked else min(times, FOLLOWED), 0, -1):
            is_on = not learner.surrogate.is_off(learner.W @ features, label)
            before = learner.W.copy()
            learner.update(features, label)
            still = np.array_equal(before, learner.W)
            rounds += is_on * (left if still else 1)
            if still:
                break
        on.append(rounds if masked else times)
    return on


def _coefficients(game: Game) -> list[float]:
    """c of the bound loss + c ||U||^2; with bandit feedback a few, since there D bounds U."""
    if game.bandit:
        return [float(game.horizon or 1) / float(game.radius or 1) ** 2 * shrink for shrink in SHRINKS]
    return [float(game.regret([[1]]))]


def _rational(U: Floats, game: Game) -> Matrix:
    """U in fractions; scaled down, where rounding has brought it out of its ball."""
    rows = [[Fraction(round(v * GRAIN), GRAIN) for v in row] for row in U.tolist()]
    while game.bandit and sum(v * v for row in rows for v in row) > Fraction(game.radius or 0) ** 2:
        rows = [[v * (1 - Fraction(1, GRAIN)) for v in row] for row in rows]
    return tuple(map(tuple, rows))
