"""Proximal steps of many rounds at once, in doubles, one round a column: where speed counts and rounding does not."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gaptron.language.expressions import Expression
from gaptron.language.slopes import left_slope, right_slope
from gaptron.language.theorems import LossData, StatedLoss
from gaptron.numbers.arrays import array_function
from gaptron.numbers.kinds import Number
from gaptron.rounds.geometry import geometry_of
from gaptron.rounds.layouts import Labels, Scores
from gaptron.rounds.proximal_softmax import SoftmaxSteps
from gaptron.rounds.proximal_step import Proximal

Array = NDArray[np.float64]
HALVINGS, CHORDS = 44, 14


class ProximalColumns:
    """``ProximalSteps`` of one loss and one K at scores (rows, n): moves (rows, n), envelopes right up to rounding."""

    def __init__(self, loss: StatedLoss, n_classes: int) -> None:
        self.n_classes = n_classes
        of_kind = {"SoftmaxLoss": _softmax, "PairwiseLoss": _pairwise, "SeparableLoss": _separable}
        self.solve = of_kind.get(loss.data.kind, _scalar)(loss.data.for_classes(n_classes))

    def step(self, scores: Scores, label: Labels, c: Number) -> Proximal:
        """The steps for labels (n,) and c (n,); ``least`` has shape (n,)."""
        move, least = self.solve(scores, label, c)
        return Proximal(move, least)  # type: ignore[arg-type]

    def envelopes(self, scores: Scores, c: Number) -> list[Number]:
        """Of every label, (K, n)."""
        n, K = scores.shape[1], self.n_classes
        every = self.solve(np.tile(scores, K), np.repeat(np.arange(K), n), np.full(K * n, c))[1]
        return list(every.reshape(K, n))


Solve = Callable[[Array, Labels, Array], tuple[Array, Array]]


def _softmax(loss: LossData) -> Solve:
    steps = SoftmaxSteps(loss.functions)

    def solve(scores: Array, labels: Labels, c: Array) -> tuple[Array, Array]:
        moves, least = steps.solved(scores.T, labels, c)
        return moves.T, least

    return solve


def _scalar(loss: LossData) -> Solve:
    curves = _curves(loss)
    if geometry_of(loss).one_vector:
        return lambda scores, labels, c: _alone(curves, scores[0], labels, c)
    return lambda scores, labels, c: _among_rivals(curves[0], scores, labels, c)


def _separable(loss: LossData) -> Solve:
    """Every score by itself."""
    sides = _curves(loss)

    def solve(scores: Array, labels: Labels, c: Array) -> tuple[Array, Array]:
        found = [_alone(sides, row, np.where(np.asarray(labels) == k, 0, 1), c) for k, row in enumerate(scores)]
        return np.concatenate([moves for moves, _ in found]), np.asarray(sum(least for _, least in found))

    return solve


def _pairwise(loss: LossData) -> Solve:
    """The label's score after the step by bisection: see ``proximal_all_scores``."""
    (curve,) = _curves(loss)

    def solve(scores: Array, labels: Labels, c: Array) -> tuple[Array, Array]:
        columns, n = np.arange(scores.shape[1]), len(scores)
        theta, rivals = scores[labels, columns], np.arange(n)[:, None] != np.asarray(labels)

        def down(a: Array) -> tuple[Array, Array]:
            x = (a - scores).ravel()
            moves, _ = _alone([curve], x, np.zeros(len(x), dtype=int), np.tile(c, n))
            return np.where(rivals, -moves[0].reshape(scores.shape), 0), (x + moves[0]).reshape(scores.shape)

        most = np.abs(down(theta)[0].sum(axis=0))
        a = _crossing(lambda a: a - theta + down(a)[0].sum(axis=0), theta - most, theta + most)
        moves, margins = down(a)
        moves[labels, columns] = a - theta
        return moves, np.where(rivals, curve.value(margins), 0).sum(axis=0) + c * (moves**2).sum(axis=0)

    return solve


class _Curve:
    """A convex loss of one number, and its slopes from both sides."""

    def __init__(self, loss: Expression, name: str) -> None:
        self.value, self.right, self.left = (
            array_function(part, name) for part in (loss, right_slope(loss, name), left_slope(loss, name))
        )


def _curves(loss: LossData) -> list[_Curve]:
    return [_Curve(function, loss.variable) for function in loss.functions]


def _alone(sides: list[_Curve], now: Array, labels: Labels, c: Array) -> tuple[Array, Array]:
    moves, least = np.zeros((2, len(now))), np.zeros((2, len(now)))
    for i, curve in enumerate(sides):
        right, left = np.minimum(curve.right(now), 0), np.maximum(curve.left(now), 0)
        mu = _root(curve.right, lambda mu: 2 * c * (mu - now), now - left / (2 * c), now - right / (2 * c))
        moves[i], least[i] = mu - now, curve.value(mu) + c * (mu - now) ** 2
    chosen = np.asarray(labels), np.arange(len(now))
    return moves[chosen][None], least[chosen]


def _among_rivals(curve: _Curve, scores: Array, labels: Labels, c: Array) -> tuple[Array, Array]:
    """The rise that a margin needs is the largest of those with the j highest rivals coming down."""
    columns = np.arange(scores.shape[1])
    theta, others = scores[labels, columns], scores.copy()
    others[labels, columns] = -np.inf
    tops = np.cumsum(-np.sort(-others, axis=0)[:-1], axis=0)
    j = np.arange(1, len(scores))[:, None]

    def raised(mu: Array) -> Array:
        return np.asarray(((j * (mu - theta) + tops) / (j + 1)).max(axis=0))

    low = theta - tops[0]
    most = np.maximum(-curve.right(low), 0) / c  # the slope of the price is at least c (mu - low)
    mu = _root(curve.right, lambda at: 2 * c * raised(at), low, low + most)
    rise = raised(mu)
    moves = np.minimum(theta + rise - mu - scores, 0)
    moves[labels, columns] = rise
    return moves, curve.value(mu) + c * (moves**2).sum(axis=0)


def _root(slope: Callable[[Array], Array], price: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """Where slope + price, which increases, changes sign: by bisection."""
    low, high = low.copy(), high.copy()
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        falls = slope(middle) + price(middle) < 0
        low, high = np.where(falls, middle, low), np.where(falls, high, middle)
    return high


def _crossing(rising: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """Where a function that is dear to compute changes sign: by chords, halving what is kept twice (Illinois)."""
    at_low, at_high, side = rising(low), rising(high), np.zeros(len(low))
    for _ in range(CHORDS):
        width = at_high - at_low
        middle = np.where(width > 0, (low * at_high - high * at_low) / np.where(width > 0, width, 1), low)
        value = rising(middle)
        falls = value < 0
        at_high = np.where(falls, np.where(side < 0, at_high / 2, at_high), value)
        at_low = np.where(falls, value, np.where(side > 0, at_low / 2, at_low))
        low, high, side = np.where(falls, middle, low), np.where(falls, high, middle), np.where(falls, -1.0, 1.0)
    return np.where(np.abs(at_low) < np.abs(at_high), low, high)
