"""Proximal steps of softmax losses, in doubles."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gaptron.language.expressions import Expression
from gaptron.language.instantiation import substituted
from gaptron.language.slopes import right_slope
from gaptron.numbers.arrays import array_function
from gaptron.numbers.kinds import Number
from gaptron.rounds.layouts import Labels
from gaptron.rounds.proximal_step import Proximal

Array = NDArray[np.float64]
LOG_P = "log p"
NEWTONS, SHRINKINGS = 100, 60
ENOUGH = 1e-15  # a minimum is known to this much
DECREASE = 1e-4


class SoftmaxSteps:
    """psi(p_y), as h(u), u = log p_y: Newton's method with a line search, for many labels at once, in O(K) a label.

    The objective is strongly convex: it is at most ||gradient||^2/(4 c) above its minimum, which is the stopping rule.
    One more step squares how far the moves are off; the value is that before it.
    ``solved`` takes one row of scores for all labels, or one for each.
    """

    def __init__(self, functions: Sequence[Expression], exact: bool = False) -> None:
        if exact:
            raise NotImplementedError("the proximal step of a softmax loss is not rational: balls contain it")
        self.h = [array_function(part, LOG_P) for part in in_log_p(functions[0])]

    def step(self, scores: Sequence[Number], label: int, c: Number) -> Proximal:
        """See ``ProximalSteps``."""
        moves, least = self.solved(np.asarray(scores, dtype=float), np.array([label]), np.array([float(c)]))
        return Proximal(moves[0].tolist(), float(least[0]))

    def envelopes(self, scores: Sequence[Number], c: Number) -> list[Number]:
        """One row for each label."""
        labels = np.arange(len(scores))
        return list(self.solved(np.asarray(scores, dtype=float), labels, np.full(len(labels), float(c)))[1].tolist())

    def solved(self, scores: Array, labels: Labels, c: Array) -> tuple[Array, Array]:
        """Moves (n, K) and what the envelopes are not below (n,), at scores (K,) or (n, K), for labels (n,), c (n,)."""
        moves = np.zeros((len(labels), scores.shape[-1]))
        value = self._value(scores + moves, labels) + c * (moves**2).sum(axis=1)
        for _ in range(NEWTONS):
            gradient, newton = self._direction(scores, moves, labels, c)
            slack = (gradient**2).sum(axis=1) / (4 * c)
            if (slack <= ENOUGH).all():
                return moves - newton, value - slack
            size, expected = np.ones(len(labels)), (gradient * newton).sum(axis=1)
            for _ in range(SHRINKINGS):
                tried = moves - size[:, None] * newton
                there = self._value(scores + tried, labels) + c * (tried**2).sum(axis=1)
                worse = there > value - DECREASE * size * expected + ENOUGH
                if not worse.any():
                    break
                size = np.where(worse, size / 2, size)
            moves, value = tried, there
        return moves, value - slack

    def _value(self, at: Array, labels: Labels) -> Array:
        return self.h[0](_log_softmax(at)[np.arange(len(labels)), labels])

    def _direction(self, scores: Array, moves: Array, labels: Labels, c: Array) -> tuple[Array, Array]:
        """The gradient h' (e_y - p) + 2 c delta, and the inverse Hessian on it.

        The Hessian is D + h'' g g^T + h' p p^T with g = e_y - p and D = 2 c - h' p: a diagonal and two ranks.
        """
        rows = np.arange(len(labels))
        logs = _log_softmax(scores + moves)
        shares = np.exp(logs)
        _, first, second = (h(logs[rows, labels])[:, None] for h in self.h)
        toward = -shares
        toward[rows, labels] += 1
        gradient = first * toward + 2 * c[:, None] * moves
        diagonal = 2 * c[:, None] - first * shares
        ranks = np.stack([toward, shares], axis=2)
        solved = ranks / diagonal[:, :, None]
        weights = np.concatenate([second, first], axis=1)
        inner = np.eye(2) + weights[:, :, None] * (ranks.transpose(0, 2, 1) @ solved)
        flat = gradient / diagonal
        known = weights * (ranks * flat[:, :, None]).sum(axis=1)
        return gradient, flat - (solved @ np.linalg.solve(inner, known[:, :, None]))[:, :, 0]


def _log_softmax(scores: Array) -> Array:
    shifted = scores - scores.max(axis=-1, keepdims=True)
    logs: Array = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return logs


@lru_cache(maxsize=256)
def in_log_p(psi: Expression) -> tuple[Expression, Expression, Expression]:
    """psi as a function of u = log p, and its first two derivatives."""
    h = substituted(psi, {"p": ("exp", LOG_P)})
    first = right_slope(h, LOG_P)
    return h, first, right_slope(first, LOG_P)
