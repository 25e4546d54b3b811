"""The proximal step of a round: min_delta loss_y(theta + delta) + c ||delta||^2, and how it moves the scores.

For ||x|| = 1 that is W+ = argmin_V loss_y(V x) + c ||V - W||^2, with V x = theta + delta. ``least`` is never above the
minimum, the envelope, but for rounding: a prediction that gives label y at least 1 - least pays no more than it.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from gaptron.numbers.compiled import on_arrays, on_scalars
from gaptron.numbers.kinds import Number
from gaptron.symbols import K, m, p
from gaptron.theory.losses import BinaryLoss, Loss, MarginLoss

Array = NDArray[np.float64]
LOG_P = sp.Symbol("u", real=True)
HALVINGS, NEWTONS, SHRINKINGS = 200, 100, 60
ENOUGH = 1e-15  # a minimum is known to this much
DECREASE = 1e-4


@dataclass(frozen=True)
class Proximal:
    """How the (K,) scores move, and a number that the envelope is not below."""

    move: Sequence[Number]
    least: Number


class ProximalSteps(Protocol):
    """Of one loss and one K."""

    def step(self, scores: Sequence[Number], label: int, c: Number) -> Proximal:
        """The step at these scores for this label, c in units of X^2/||x||^2."""

    def envelopes(self, scores: Sequence[Number], c: Number) -> list[Number]:
        """``least`` of every label."""


def proximal_steps(loss: Loss, n_classes: int, exact: bool) -> ProximalSteps:
    """Its proximal steps, in doubles or in fractions.

    Raises
    ------
    NotImplementedError
        For a binary loss, and in fractions unless phi is made of linear and quadratic pieces: the step is not rational.
    """
    if isinstance(loss, BinaryLoss):
        raise NotImplementedError("proximal updates are for margin and softmax losses")
    if isinstance(loss, MarginLoss):
        return MarginSteps(loss.phi.subs(K, n_classes), exact)
    if exact:
        raise NotImplementedError("the proximal step of a softmax loss is not rational: it is computed in doubles only")
    return SoftmaxSteps(loss.psi.subs(K, n_classes))


# --- margin losses ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Curve:
    """phi from ``low`` to ``high``; a parabola has coefficients, others are smooth functions of a double."""

    low: Number
    high: Number
    parabola: tuple[Number, Number, Number] | None
    function: Callable[[Any], Any]
    derivative: Callable[[Any], Any]

    def value(self, at: Number) -> Number:
        """phi."""
        if self.parabola is None:
            return self.function(at)
        a, b, c = self.parabola
        return a + b * at + c * at * at

    def slope(self, at: Number) -> Number:
        """Its derivative inside the piece, continued to its ends."""
        return self.derivative(at) if self.parabola is None else self.parabola[1] + 2 * self.parabola[2] * at


class MarginSteps:
    """phi(m(theta, y)): the margin after the step is the one unknown.

    To reach the margin mu the label goes up by r and the j rivals that would be above theta_y + r - mu come down to it:
    r = (j mu + sum of their scores - j theta_y)/(j + 1), the cheapest way, whose cost has the slope 2 r in mu. So
    phi'(mu) + 2 c r(mu), which increases, changes sign at the minimum.
    """

    def __init__(self, phi: sp.Expr, exact: bool) -> None:
        self.curves = sorted(_curves(phi, exact), key=lambda curve: curve.low)

    def envelopes(self, scores: Sequence[Number], c: Number) -> list[Number]:
        """One step for each label."""
        return [self.step(scores, label, c).least for label in range(len(scores))]

    def step(self, scores: Sequence[Number], label: int, c: Number) -> Proximal:
        """See ``ProximalSteps``; ValueError if phi increases at the margin."""
        theta = scores[label]
        rivals = sorted((score for k, score in enumerate(scores) if k != label), reverse=True)
        mu, slack = theta - rivals[0], theta * 0
        place = max(i for i, curve in enumerate(self.curves) if curve.low <= mu)
        if self.curves[place].slope(mu) > 0:
            raise ValueError(f"the loss increases at the margin {mu}: a proximal step would make it smaller")
        j, total = 1, rivals[0]
        while True:
            curve = self.curves[place]
            joins = theta + total - (j + 1) * rivals[j] if j < len(rivals) else math.inf
            if joins <= mu:
                j, total = j + 1, total + rivals[j]
                continue
            price = _Price(c, j, total - j * theta)
            if curve.slope(mu) + price.slope(mu) >= 0:
                break
            end = min(curve.high, joins)
            if not math.isinf(end) and curve.slope(end) + price.slope(end) < 0:
                mu, place = end, place + (end == curve.high)
                continue
            mu, slack = price.balance(curve, mu, end)
            break
        raised = _Price(c, j, total - j * theta).raised(mu)
        level = theta + raised - mu
        move = [raised if k == label else min(level - score, score * 0) for k, score in enumerate(scores)]
        return Proximal(move, curve.value(mu) + c * sum((part * part for part in move), theta * 0) - slack)


@dataclass(frozen=True)
class _Price:
    """c ||delta||^2 as a function of the margin mu reached, while j rivals come down; rise = their sum - j theta_y."""

    c: Number
    j: int
    rise: Number

    def raised(self, mu: Number) -> Number:
        return (self.j * mu + self.rise) / (self.j + 1)

    def slope(self, mu: Number) -> Number:
        return 2 * self.c * self.raised(mu)

    def balance(self, curve: Curve, low: Number, high: Number) -> tuple[Number, Number]:
        """Where the slopes cancel in [low, high], and by how much the minimum may be less than the value there."""
        if curve.parabola is not None:
            _, b, a = curve.parabola
            share = 2 * self.c / (self.j + 1)
            return -(b + share * self.rise) / (2 * a + share * self.j), low * 0
        if math.isinf(high):  # phi' is at least what it is at low
            high = (-(self.j + 1) * curve.slope(low) / (2 * self.c) - self.rise) / self.j
        return self._bisected(curve, low, high)

    def _bisected(self, curve: Curve, low: float, high: float) -> tuple[float, float]:
        """The convex function lies above its tangent at low: this bounds the minimum from below."""
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            slack = -(curve.slope(low) + self.slope(low)) * (high - low)
            if slack <= ENOUGH or not low < middle < high:
                break
            low, high = (middle, high) if curve.slope(middle) + self.slope(middle) < 0 else (low, middle)
        return low, max(slack, 0.0)


def _curves(phi: sp.Expr, exact: bool) -> Iterator[Curve]:
    """The pieces of phi, each on an interval."""
    folded = sp.piecewise_fold(phi.rewrite(sp.Piecewise))
    pairs = folded.as_expr_set_pairs() if isinstance(folded, sp.Piecewise) else [(folded, sp.S.Reals)]
    for value, where in pairs:
        for interval in where.args if isinstance(where, sp.Union) else (where,):
            if isinstance(interval, sp.Interval) and interval.measure > 0:
                yield _curve(value, interval, exact)


def _curve(value: sp.Expr, interval: sp.Interval, exact: bool) -> Curve:
    low, high = (_number(end, exact) for end in (interval.start, interval.end))
    is_parabola = value.is_polynomial(m) and sp.degree(value, m) <= 2
    if not is_parabola and exact:
        raise NotImplementedError(f"the proximal step of {value} is not rational: it is computed in doubles only")
    free, first, second = (_number(sp.expand(value).coeff(m, n), exact) if is_parabola else 0 for n in range(3))
    parabola = (free, first, second) if is_parabola else None
    return Curve(low, high, parabola, on_scalars(value, m), on_scalars(sp.diff(value, m), m))


def _number(value: sp.Expr, exact: bool) -> Number:
    if value.is_infinite or not exact:
        return float(value)
    if not value.is_Rational:
        raise NotImplementedError(f"{value} is not rational: the proximal step is computed in doubles only")
    return Fraction(int(value.p), int(value.q))


# --- softmax losses -----------------------------------------------------------------------------------------------


class SoftmaxSteps:
    """psi(p_y), as h(u), u = log p_y: Newton's method with a line search, for many labels at once, in O(K) a label.

    The objective is strongly convex: it is at most ||gradient||^2/(4 c) above its minimum, which is the stopping rule.
    """

    def __init__(self, psi: sp.Expr) -> None:
        h = sp.simplify(psi.subs(p, sp.exp(LOG_P)))
        self.h = [on_arrays(sp.diff(h, LOG_P, order), LOG_P) for order in range(3)]

    def step(self, scores: Sequence[Number], label: int, c: Number) -> Proximal:
        """See ``ProximalSteps``."""
        moves, least = self._solved(np.asarray(scores, dtype=float), np.array([label]), float(c))
        return Proximal(moves[0], float(least[0]))

    def envelopes(self, scores: Sequence[Number], c: Number) -> list[Number]:
        """One row for each label."""
        labels = np.arange(len(scores))
        return list(self._solved(np.asarray(scores, dtype=float), labels, float(c))[1].tolist())

    def _solved(self, scores: Array, labels: Any, c: float) -> tuple[Array, Array]:
        moves = np.zeros((len(labels), len(scores)))
        value = self._value(scores + moves, labels) + c * (moves**2).sum(axis=1)
        for _ in range(NEWTONS):
            gradient, newton = self._direction(scores, moves, labels, c)
            slack = (gradient**2).sum(axis=1) / (4 * c)
            if (slack <= ENOUGH).all():
                break
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

    def _value(self, at: Array, labels: Any) -> Array:
        return self.h[0](_log_softmax(at)[np.arange(len(labels)), labels])

    def _direction(self, scores: Array, moves: Array, labels: Any, c: float) -> tuple[Array, Array]:
        """The gradient h' (e_y - p) + 2 c delta, and the inverse Hessian on it.

        The Hessian is D + h'' g g^T + h' p p^T with g = e_y - p and D = 2 c - h' p: a diagonal and two ranks.
        """
        rows = np.arange(len(labels))
        logs = _log_softmax(scores + moves)
        shares = np.exp(logs)
        _, first, second = (h(logs[rows, labels])[:, None] for h in self.h)
        toward = -shares
        toward[rows, labels] += 1
        gradient = first * toward + 2 * c * moves
        diagonal = 2 * c - first * shares
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
