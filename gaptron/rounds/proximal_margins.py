"""Proximal steps of margin and of binary losses, in doubles or, for linear and quadratic pieces, in fractions."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import sympy as sp

from gaptron.numbers.arrays import on_scalars
from gaptron.numbers.kinds import Function, Number
from gaptron.rounds.proximal_step import Proximal
from gaptron.symbols import m, z

HALVINGS = 200
ENOUGH = 1e-15  # a minimum is known to this much


@dataclass(frozen=True)
class Curve:
    """A convex loss from ``low`` to ``high``; a parabola has coefficients, others are smooth functions of a double."""

    low: Number
    high: Number
    parabola: tuple[Number, Number, Number] | None
    function: Function
    derivative: Function

    def value(self, at: Number) -> Number:
        """The loss."""
        if self.parabola is None:
            return self.function(at)
        a, b, c = self.parabola
        return a + b * at + c * at * at

    def slope(self, at: Number) -> Number:
        """Its derivative inside the piece, continued to its ends."""
        return self.derivative(at) if self.parabola is None else self.parabola[1] + 2 * self.parabola[2] * at


@dataclass(frozen=True)
class Price:
    """c ||delta||^2 as a function of what is reached, mu: its slope is 2 c r, r = (n mu + rise)/d the label's rise."""

    c: Number
    n: int
    d: int
    rise: Number

    def raised(self, mu: Number) -> Number:
        """By how much the label's score rises."""
        return (self.n * mu + self.rise) / self.d

    def slope(self, mu: Number) -> Number:
        """In mu."""
        return 2 * self.c * self.raised(mu)

    def balance(self, curve: Curve, low: Number, high: Number) -> tuple[Number, Number]:
        """Where the slopes cancel in [low, high], and by how much the minimum may be less than the value there."""
        if curve.parabola is not None:
            _, b, a = curve.parabola
            share = 2 * self.c / self.d
            return -(b + share * self.rise) / (2 * a + share * self.n), low * 0
        if math.isinf(high):  # the loss's slope is at least what it is at low
            high = (-self.d * curve.slope(low) / (2 * self.c) - self.rise) / self.n
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


class Rivals:
    """Those that come down with the label's rise: the j that would be above theta_y + r - mu come down to it.

    The cheapest way is r = (j mu + sum of their scores - j theta_y)/(j + 1).
    """

    def __init__(self, theta: Number, rivals: Sequence[Number], c: Number) -> None:
        self.theta, self.rivals, self.c = theta, sorted(rivals, reverse=True), c
        self.j, self.total = 1, self.rivals[0]

    @property
    def price(self) -> Price:
        """As long as the next one does not join."""
        return Price(self.c, self.j, self.j + 1, self.total - self.j * self.theta)

    @property
    def joins(self) -> Number:
        """The margin at which the next one joins."""
        if self.j == len(self.rivals):
            return math.inf
        return self.theta + self.total - (self.j + 1) * self.rivals[self.j]

    def join(self) -> None:
        """The next one."""
        self.j, self.total = self.j + 1, self.total + self.rivals[self.j]


@dataclass
class Alone:
    """One score that moves by itself."""

    price: Price
    joins: float = math.inf

    def join(self) -> None:
        """Nobody does."""


@dataclass(frozen=True)
class Reached:
    """Where the slopes of the loss and of the price cancel, and by how much the minimum may be less there."""

    mu: Number
    slack: Number
    curve: Curve
    price: Price


def reached(curves: Sequence[Curve], mu: Number, rivals: Rivals | Alone) -> Reached:
    """From mu upwards, the loss falling there: the sum of both slopes, which increases, changes sign at the minimum."""
    place = max(i for i, curve in enumerate(curves) if curve.low <= mu)
    while True:
        curve = curves[place]
        if rivals.joins <= mu:
            rivals.join()
            continue
        price = rivals.price
        if curve.slope(mu) + price.slope(mu) >= 0:
            return Reached(mu, mu * 0, curve, price)
        end = min(curve.high, rivals.joins)
        if not math.isinf(end) and curve.slope(end) + price.slope(end) < 0:
            mu, place = end, place + (end == curve.high)
            continue
        return Reached(*price.balance(curve, mu, end), curve, price)


class MarginSteps:
    """phi(m(theta, y)): the margin after the step is the one unknown."""

    def __init__(self, phi: sp.Expr, exact: bool) -> None:
        self.curves = curves_of(phi, m, exact)

    def envelopes(self, scores: Sequence[Number], c: Number) -> list[Number]:
        """One step for each score, from the largest on: lower ones have larger envelopes, and from 1 on all do."""
        found: dict[Number, Number] = {}
        last: Number = 0
        for label in sorted(range(len(scores)), key=lambda k: scores[k], reverse=True):
            if scores[label] not in found:
                last = found[scores[label]] = last if last >= 1 else self.step(scores, label, c).least
        return [found[score] for score in scores]

    def reached(self, scores: Sequence[Number], label: int, c: Number) -> Reached:
        """The margin after the step; ValueError if phi increases at the margin."""
        rivals = Rivals(scores[label], [score for k, score in enumerate(scores) if k != label], c)
        mu = scores[label] - rivals.rivals[0]
        if max((curve for curve in self.curves if curve.low <= mu), key=lambda curve: curve.low).slope(mu) > 0:
            raise ValueError(f"the loss increases at the margin {mu}: a proximal step would make it smaller")
        return reached(self.curves, mu, rivals)

    def step(self, scores: Sequence[Number], label: int, c: Number) -> Proximal:
        """See ``ProximalSteps``; ValueError if phi increases at the margin."""
        found, theta = self.reached(scores, label, c), scores[label]
        raised = found.price.raised(found.mu)
        level = theta + raised - found.mu
        move = [raised if k == label else min(level - score, score * 0) for k, score in enumerate(scores)]
        paid = c * sum((part * part for part in move), theta * 0)
        return Proximal(move, found.curve.value(found.mu) + paid - found.slack)


class BinarySteps:
    """The two losses of one score z, each as it is and mirrored: a step goes where the loss falls."""

    def __init__(self, sides: tuple[sp.Expr, sp.Expr], exact: bool) -> None:
        self.curves = [[curves_of(side.subs(z, sign * z), z, exact) for sign in (1, -1)] for side in sides]

    def envelopes(self, scores: Sequence[Number], c: Number) -> list[Number]:
        """Of both labels."""
        return [self.step(scores, label, c).least for label in (0, 1)]

    def reached(self, scores: Sequence[Number], label: int, c: Number) -> tuple[int, Reached]:
        """The direction, 1 or -1, and where the step leads along it."""
        z_now = one_score(scores)
        for sign, curves in zip((1, -1), self.curves[label], strict=True):
            found = reached(curves, sign * z_now, Alone(Price(c, 1, 1, -sign * z_now)))
            if found.mu != sign * z_now:
                break
        return sign, found

    def step(self, scores: Sequence[Number], label: int, c: Number) -> Proximal:
        """See ``ProximalSteps``; the scores are (z, 0), or z alone."""
        sign, found = self.reached(scores, label, c)
        move = sign * found.mu - one_score(scores)
        return Proximal([move], found.curve.value(found.mu) + c * move * move - found.slack)


def one_score(scores: Sequence[Number]) -> Number:
    """z of one weight vector, of which (z, 0) or z alone is given."""
    return scores[0] if len(scores) == 1 else scores[0] - scores[1]


@lru_cache(maxsize=256)
def curves_of(loss: sp.Expr, variable: sp.Symbol, exact: bool) -> tuple[Curve, ...]:
    """The pieces of a loss, each on an interval."""
    return tuple(sorted(_curves(loss, variable, exact), key=lambda curve: curve.low))


def _curves(loss: sp.Expr, variable: sp.Symbol, exact: bool) -> Iterator[Curve]:
    folded = sp.piecewise_fold(loss.rewrite(sp.Piecewise))
    pairs = folded.as_expr_set_pairs() if isinstance(folded, sp.Piecewise) else [(folded, sp.S.Reals)]
    for value, where in pairs:
        for interval in where.args if isinstance(where, sp.Union) else (where,):
            if isinstance(interval, sp.Interval) and interval.measure > 0:
                yield _curve(value, interval, variable, exact)


def _curve(value: sp.Expr, interval: sp.Interval, variable: sp.Symbol, exact: bool) -> Curve:
    low, high = (_number(end, exact) for end in (interval.start, interval.end))
    is_parabola = value.is_polynomial(variable) and sp.degree(value, variable) <= 2
    if not is_parabola and exact:
        raise NotImplementedError(f"the proximal step of {value} is not rational: balls contain it")
    free, first, second = (_number(sp.expand(value).coeff(variable, n), exact) if is_parabola else 0 for n in range(3))
    parabola = (free, first, second) if is_parabola else None
    return Curve(low, high, parabola, on_scalars(value, variable), on_scalars(sp.diff(value, variable), variable))


def _number(value: sp.Expr, exact: bool) -> Number:
    if value.is_infinite or not exact:
        return float(value)
    if not value.is_Rational:
        raise NotImplementedError(f"{value} is not rational: balls contain the proximal step")
    return Fraction(int(value.p), int(value.q))
