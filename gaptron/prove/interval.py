"""Interval arithmetic with infinite ends: where an expression's values certainly lie when its variables range.

Ends are thin python-flint balls, rounded outward at every step; an end may be infinite and then is not attained.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import flint
import sympy as sp

from gaptron.evaluate import PRECISION, UncertainError, ball, evaluate

INFINITY = flint.arb.pos_inf()
ZERO = flint.arb(0)


@dataclass(frozen=True)
class Interval:
    """All reals between ``low`` and ``high``."""

    low: flint.arb
    high: flint.arb

    def __add__(self, other: "Interval") -> "Interval":
        return outward(self.low + other.low, self.high + other.high)

    def __mul__(self, other: "Interval") -> "Interval":
        products = [_times(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        return outward(_least(products), _greatest(products))

    def is_nonpositive(self) -> bool:
        """Certainly <= 0."""
        return bool(self.high <= 0)


def outward(low: flint.arb, high: flint.arb) -> Interval:
    """The interval between two balls."""
    if low.is_nan() or high.is_nan():
        raise UncertainError("an interval operation is not defined")
    return Interval(low.lower(), high.upper())


def thin(value: flint.arb) -> Interval:
    """The interval that a ball encloses."""
    return outward(value, value)


def _times(a: flint.arb, b: flint.arb) -> flint.arb:
    """The product of two ends; an infinite end is not attained, so zero times it is zero."""
    return ZERO if a == 0 or b == 0 else a * b


def _least(values: list[flint.arb]) -> flint.arb:
    best = values[0]
    for value in values[1:]:
        best = value if value.lower() < best.lower() else best
    return best


def _greatest(values: list[flint.arb]) -> flint.arb:
    return -_least([-value for value in values])


def enclose(expr: sp.Expr, box: Mapping[sp.Symbol, Interval]) -> Interval:
    """Where ``expr`` lies when each symbol ranges over its interval. Raises UncertainError where it is undefined."""
    flint.ctx.prec = PRECISION
    if expr.is_Symbol:
        return box[expr]
    if expr.is_number:
        return thin(ball(evaluate(expr, {})))
    if isinstance(expr, sp.exp):
        return _monotone(enclose(expr.args[0], box), flint.arb.exp)
    if isinstance(expr, sp.log):
        return _log(enclose(expr.args[0], box))
    if isinstance(expr, sp.Pow):
        return _power(enclose(expr.base, box), expr.exp)
    if isinstance(expr, (sp.Add, sp.Mul)):
        parts = [enclose(argument, box) for argument in expr.args]
        total = parts[0]
        for part in parts[1:]:
            total = total + part if isinstance(expr, sp.Add) else total * part
        return total
    raise UncertainError(f"{expr} has no interval extension")


def _monotone(argument: Interval, function: Callable[[flint.arb], flint.arb]) -> Interval:
    return outward(function(argument.low), function(argument.high))


def _log(argument: Interval) -> Interval:
    if not argument.low >= 0 or not argument.high > 0:
        raise UncertainError("the logarithm of a number that may be negative")
    low = -INFINITY if argument.low == 0 else argument.low.log()
    return outward(low, argument.high.log())


def _power(base: Interval, exponent: sp.Expr) -> Interval:
    if not exponent.is_Rational:
        raise UncertainError(f"the power {exponent} has no interval extension")
    if exponent.is_negative:
        return _reciprocal(_power(base, -exponent))
    if not exponent.is_Integer:
        if not base.low >= 0:
            raise UncertainError("a root of a number that may be negative")
        power = ball(evaluate(exponent, {}))
        return _monotone(base, lambda end: ZERO if end == 0 else INFINITY if end == INFINITY else end**power)
    if int(exponent) % 2 or base.low >= 0:
        return _monotone(base, lambda end: _integer_power(end, int(exponent)))
    flipped = Interval(-base.high, -base.low)
    if flipped.low >= 0:
        return _power(flipped, exponent)
    reach = _greatest([flipped.high, base.high])
    return outward(ZERO, _integer_power(reach, int(exponent)))


def _integer_power(end: flint.arb, exponent: int) -> flint.arb:
    if end.is_finite():
        return end**exponent
    return end if exponent % 2 else INFINITY


def _reciprocal(base: Interval) -> Interval:
    if base.low >= 0 and base.high > 0:
        return outward(_inverse(base.high), INFINITY if base.low == 0 else 1 / base.low)
    if base.high <= 0 and base.low < 0:
        return outward(-INFINITY if base.high == 0 else 1 / base.high, _inverse(base.low))
    raise UncertainError("a division by a number that may be zero")


def _inverse(end: flint.arb) -> flint.arb:
    return 1 / end if end.is_finite() else ZERO
