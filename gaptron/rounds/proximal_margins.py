"""Proximal steps of margin and of binary losses, in doubles or, for linear and quadratic pieces, in fractions."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from gaptron.language.expressions import Expression
from gaptron.language.instantiation import substituted
from gaptron.language.slopes import right_slope
from gaptron.language.univariate_polynomials import coefficients
from gaptron.numbers.arrays import scalar_function
from gaptron.numbers.evaluate import value_at
from gaptron.numbers.kinds import Function, Number
from gaptron.numbers.sections import Section, sections
from gaptron.rounds.proximal_step import Proximal

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


Prices = Iterator[tuple[Number, Price]]  # and up to which mu each holds


def with_rivals(theta: Number, ranked: Sequence[Number], c: Number) -> Prices:
    """Of a margin: the j rivals that would be above theta_y + r - mu come down to it, and upwards more of them join.

    The cheapest way is r = (j mu + sum of their scores - j theta_y)/(j + 1).
    """
    for j, total in enumerate(accumulate(ranked), start=1):
        joins = math.inf if j == len(ranked) else theta + total - (j + 1) * ranked[j]
        yield joins, Price(c, j, j + 1, total - j * theta)


@dataclass(frozen=True)
class Reached:
    """Where the slopes of the loss and of the price cancel, and by how much the minimum may be less there."""

    mu: Number
    slack: Number
    curve: Curve
    price: Price


def reached(curves: Sequence[Curve], mu: Number, prices: Prices) -> Reached:
    """From mu upwards, the loss falling there: the sum of both slopes, which increases, changes sign at the minimum."""
    place = max(i for i, curve in enumerate(curves) if curve.low <= mu)
    joins, price = next(prices)
    while True:
        while joins <= mu:
            joins, price = next(prices)
        curve = curves[place]
        if curve.slope(mu) + price.slope(mu) >= 0:
            return Reached(mu, mu * 0, curve, price)
        end = min(curve.high, joins)
        if not math.isinf(end) and curve.slope(end) + price.slope(end) < 0:
            mu, place = end, place + (end == curve.high)
            continue
        return Reached(*price.balance(curve, mu, end), curve, price)


class MarginSteps:
    """phi(m(theta, y)): the margin after the step is the one unknown."""

    def __init__(self, functions: Sequence[Expression], exact: bool) -> None:
        self.curves = curves_of(functions[0], "m", exact)

    def envelopes(self, scores: Sequence[Number], c: Number) -> list[Number]:
        """One step for each score, from the largest on: lower ones have larger envelopes, and from 1 on all do."""
        found: dict[Number, Number] = {}
        last: Number = 0
        for label in sorted(range(len(scores)), key=lambda k: scores[k], reverse=True):
            if scores[label] not in found:
                last = found[scores[label]] = last if last >= 1 else self.step(scores, label, c).least
        return [found[score] for score in scores]

    def reached(self, scores: Sequence[Number], label: int, c: Number) -> tuple[int, Reached]:
        """1, as margins go up, and the one after the step; ValueError if phi increases at the margin."""
        ranked = sorted((score for k, score in enumerate(scores) if k != label), reverse=True)
        mu = scores[label] - ranked[0]
        if max((curve for curve in self.curves if curve.low <= mu), key=lambda curve: curve.low).slope(mu) > 0:
            raise ValueError(f"the loss increases at the margin {mu}: a proximal step would make it smaller")
        return 1, reached(self.curves, mu, with_rivals(scores[label], ranked, c))

    def step(self, scores: Sequence[Number], label: int, c: Number) -> Proximal:
        """See ``ProximalSteps``; ValueError if phi increases at the margin."""
        (_, found), theta = self.reached(scores, label, c), scores[label]
        raised = found.price.raised(found.mu)
        level = theta + raised - found.mu
        move = [raised if k == label else min(level - score, score * 0) for k, score in enumerate(scores)]
        paid = c * sum((part * part for part in move), theta * 0)
        return Proximal(move, found.curve.value(found.mu) + paid - found.slack)


class BinarySteps:
    """The two losses of one score z, each as it is and mirrored: a step goes where the loss falls."""

    def __init__(self, sides: Sequence[Expression], exact: bool) -> None:
        mirror: dict[str, Expression] = {"z": ("*", Fraction(-1), "z")}
        self.curves = [[curves_of(one, "z", exact) for one in (side, substituted(side, mirror))] for side in sides]

    def envelopes(self, scores: Sequence[Number], c: Number) -> list[Number]:
        """Of both labels."""
        return [self.step(scores, label, c).least for label in (0, 1)]

    def reached(self, scores: Sequence[Number], label: int, c: Number) -> tuple[int, Reached]:
        """The direction, 1 or -1, and where the step leads along it."""
        z_now = one_score(scores)
        for sign, curves in zip((1, -1), self.curves[label], strict=True):
            found = reached(curves, sign * z_now, iter([(math.inf, Price(c, 1, 1, -sign * z_now))]))
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
def curves_of(loss: Expression, name: str, exact: bool) -> tuple[Curve, ...]:
    """The pieces of a loss, each on an interval."""
    found: list[Section] = []
    for section in sections(loss, name):
        joins = found and found[-1].high is section.low and found[-1].value == section.value
        found.append(section._replace(low=found.pop().low) if joins else section)
    return tuple(_curve(section, name, exact) for section in found)


def _curve(section: Section, name: str, exact: bool) -> Curve:
    low, high = (end if end in (-math.inf, math.inf) else _number(end, exact) for end in (section.low, section.high))
    found = coefficients(section.value, name)
    parabola = None
    if found is not None and len(found) <= 3:
        numbers = [_number(value_at(part, {}), exact) for part in found]
        numbers += [Fraction(0) if exact else 0.0] * (3 - len(numbers))
        parabola = (numbers[0], numbers[1], numbers[2])
    elif exact:
        raise NotImplementedError("the proximal step of a loss without linear and quadratic pieces is not rational")
    value, slope = (scalar_function(part, name) for part in (section.value, right_slope(section.value, name)))
    return Curve(low, high, parabola, value, slope)


def _number(value: Number, exact: bool) -> Number:
    if exact and not isinstance(value, Fraction):
        raise NotImplementedError(f"{value} is not rational: balls contain the proximal step")
    return value if exact else float(value)
