"""The strongest comparator found for a stream: searched for in doubles, rounded to fractions.

Every U is a comparator (with bandit feedback, every U with ||U|| <= D), so a check with it is exact however well the
search did.
"""

import math
from fractions import Fraction

import numpy as np

from gaptron.bounds.hindsight import SHRINKS, Floats, HindsightLoss, class_sums, into_ball, least
from gaptron.bounds.sides import Game
from gaptron.bounds.stream import ExactStream, Matrix

GRAIN = 2**20
ITERATIONS = 100


def strongest(game: Game, stream: ExactStream) -> Matrix:
    """U of small comparator loss + regret: (K, d) fractions, (1, d) for a BinaryLoss; with bandit feedback in its ball.

    With full information rounds on which the loss is off at the learner's weights are free.

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
    rounds, labels = zip(*stream.played, strict=True)
    X, y = np.array(rounds, dtype=float), np.array(labels)
    learner = game.learner(stream.n_features, exact=False)
    on = np.ones(len(y), dtype=bool) if game.bandit else ~learner.run(X, y, compiled=False).off
    loss = HindsightLoss(game.theorem.loss, X[on], y[on], np.ones(on.sum()), game.n_classes)
    means = class_sums(loss)
    radius = float(game.radius or 0) if game.bandit else math.inf
    starts = [means] if game.bandit else [means, learner.W]
    found = [np.zeros(means.shape)]
    found += [into_ball(least(loss, c, start, ITERATIONS), radius) for c in _coefficients(game) for start in starts]
    last = 0.0 if game.bandit else _coefficients(game)[0]
    return _rational(min(found, key=lambda U: loss(U)[0] + last * float((U * U).sum())), game)


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
