"""Exact evaluation: a sympy expression at rational points, as a rational or as a ball that certainly contains it."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import flint
import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

PRECISION = 192

Number: TypeAlias = Any  # fractions.Fraction or flint.arb
Point: TypeAlias = Mapping[sp.Symbol, Fraction]


class UncertainError(ArithmeticError):
    """A comparison of balls that overlap: neither answer is certain."""


def ball(value: Number) -> flint.arb:
    """The number as a real ball (rationals are enclosed to ``PRECISION`` bits)."""
    flint.ctx.prec = PRECISION
    if isinstance(value, flint.arb):
        return value
    value = Fraction(value)
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


def enclosure(value: Number) -> tuple[Fraction, Fraction]:
    """Rationals certainly not above and not below the number; equal if it is rational."""
    if isinstance(value, Fraction):
        return value, value
    low, high = value.lower().fmpq(), value.upper().fmpq()
    return Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))


def evaluate(expr: sp.Expr, point: Mapping[sp.Symbol, Number]) -> Number:
    """The value at ``point``: a Fraction whenever rational arithmetic suffices, else a ball that contains it.

    Raises
    ------
    ZeroDivisionError, ValueError
        Where the expression is not a finite real number.
    UncertainError
        Where a branch depends on a comparison that balls cannot settle.
    """
    if expr.is_Rational:
        return Fraction(int(expr.p), int(expr.q))
    if expr.is_Symbol:
        return point[expr]
    return _OPERATIONS[_operation(expr)](expr, point)


def _operation(expr: sp.Expr) -> Any:
    for kind in _OPERATIONS:
        if isinstance(expr, kind):
            return kind
    raise ValueError(f"{expr} is not a real number")


def _sum(expr: sp.Expr, point: Mapping[sp.Symbol, Number]) -> Number:
    total: Number = Fraction(0)
    for argument in expr.args:
        total = _both(total, evaluate(argument, point), lambda a, b: a + b)
    return total


def _product(expr: sp.Expr, point: Mapping[sp.Symbol, Number]) -> Number:
    total: Number = Fraction(1)
    for argument in expr.args:
        total = _both(total, evaluate(argument, point), lambda a, b: a * b)
    return total


def _both(left: Number, right: Number, operation: Any) -> Number:
    if isinstance(left, flint.arb) or isinstance(right, flint.arb):
        return finite(operation(ball(left), ball(right)))
    return operation(left, right)


def finite(value: flint.arb) -> flint.arb:
    """The ball itself, or ValueError if it is not finite."""
    if not value.is_finite():
        raise ValueError("not a finite real number")
    return value


def _power(expr: sp.Expr, point: Mapping[sp.Symbol, Number]) -> Number:
    base, exponent = evaluate(expr.base, point), evaluate(expr.exp, point)
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        return base ** int(exponent) if isinstance(base, Fraction) else finite(base ** int(exponent))
    if isinstance(base, Fraction) and isinstance(exponent, Fraction):
        if base < 0:
            raise ValueError(f"{base} has no real power {exponent}")
        root = _rational_root(base, exponent.denominator)
        if root is not None:
            return root**exponent.numerator
    return finite(ball(base) ** ball(exponent))


def _rational_root(base: Fraction, degree: int) -> Fraction | None:
    top, exact_top = sp.integer_nthroot(base.numerator, degree)
    bottom, exact_bottom = sp.integer_nthroot(base.denominator, degree)
    return Fraction(int(top), int(bottom)) if exact_top and exact_bottom else None


def _exp(expr: sp.Expr, point: Mapping[sp.Symbol, Number]) -> Number:
    value = evaluate(expr.args[0], point)
    return Fraction(1) if value == 0 else finite(ball(value).exp())


def _log(expr: sp.Expr, point: Mapping[sp.Symbol, Number]) -> Number:
    value = evaluate(expr.args[0], point)
    if value == 1:
        return Fraction(0)
    if not is_less(Fraction(0), value):
        raise ValueError(f"log({value}) is not a real number")
    return finite(ball(value).log())


def _extreme(expr: sp.Expr, point: Mapping[sp.Symbol, Number]) -> Number:
    values = [evaluate(argument, point) for argument in expr.args]
    best = values[0]
    for value in values[1:]:
        greater = best != value and is_less(best, value)
        if greater == isinstance(expr, sp.Max):
            best = value
    return best


def _absolute(expr: sp.Expr, point: Mapping[sp.Symbol, Number]) -> Number:
    return abs(evaluate(expr.args[0], point))


def _piecewise(expr: sp.Expr, point: Mapping[sp.Symbol, Number]) -> Number:
    for value, condition in expr.args:
        if holds(condition, point):
            return evaluate(value, point)
    raise ValueError("no branch is defined")


def _constant(expr: sp.Expr, point: Mapping[sp.Symbol, Number]) -> Number:
    flint.ctx.prec = PRECISION
    return flint.arb.pi() if expr == sp.pi else flint.arb.const_e()


_OPERATIONS = {
    sp.Add: _sum,
    sp.Mul: _product,
    sp.exp: _exp,
    sp.Pow: _power,
    sp.log: _log,
    sp.Min: _extreme,
    sp.Max: _extreme,
    sp.Abs: _absolute,
    sp.Piecewise: _piecewise,
    type(sp.pi): _constant,
    type(sp.E): _constant,
}


def is_less(left: Number, right: Number) -> bool:
    """left < right, certainly; UncertainError if balls cannot tell."""
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left < right
    left, right = ball(left), ball(right)
    if left < right:
        return True
    if left >= right:
        return False
    raise UncertainError(f"{left} against {right}")


def holds(condition: Boolean | Relational, point: Mapping[sp.Symbol, Number]) -> bool:
    """Whether a boolean combination of relations is true at ``point``."""
    if condition in (sp.true, sp.false):
        return bool(condition)
    if isinstance(condition, (sp.And, sp.Or)):
        return _junction(condition, point)
    if isinstance(condition, sp.Not):
        return not holds(condition.args[0], point)
    left, right = evaluate(condition.lhs, point), evaluate(condition.rhs, point)
    return _compare(condition, left, right)


def _junction(condition: Boolean, point: Mapping[sp.Symbol, Number]) -> bool:
    """An And or Or: one part that settles it is enough, in whatever order, even if another is undefined."""
    settles, undefined = isinstance(condition, sp.Or), None
    for part in condition.args:
        try:
            if holds(part, point) == settles:
                return settles
        except (UncertainError, ValueError, ZeroDivisionError) as error:
            undefined = error
    if undefined is not None:
        raise undefined
    return not settles


def _compare(condition: Relational, left: Number, right: Number) -> bool:
    if isinstance(condition, sp.Lt):
        return is_less(left, right)
    if isinstance(condition, sp.Gt):
        return is_less(right, left)
    if isinstance(condition, sp.Le):
        return not is_less(right, left)
    if isinstance(condition, sp.Ge):
        return not is_less(left, right)
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return (left == right) == isinstance(condition, sp.Eq)
    raise UncertainError(f"{left} against {right}")


def branch(expr: sp.Expr, variable: sp.Symbol, point: Point, side: int) -> sp.Expr:
    """The smooth expression that ``expr`` equals just right (side = +1) or left (-1) of ``point`` in ``variable``."""
    if not expr.has(sp.Piecewise, sp.Min, sp.Max, sp.Abs):
        return expr
    if isinstance(expr, sp.Piecewise):
        for value, condition in expr.args:
            if _holds_beside(condition, variable, point, side):
                return branch(value, variable, point, side)
        raise ValueError("no branch is defined")
    arguments = [branch(a, variable, point, side) for a in expr.args]
    if isinstance(expr, sp.Abs):
        return arguments[0] * (1 if _sign_beside(arguments[0], variable, point, side) >= 0 else -1)
    if isinstance(expr, (sp.Min, sp.Max)):
        best = arguments[0]
        for argument in arguments[1:]:
            if (_sign_beside(argument - best, variable, point, side) > 0) == isinstance(expr, sp.Max):
                best = argument
        return best
    return expr.func(*arguments)


def _holds_beside(condition: Boolean, variable: sp.Symbol, point: Point, side: int) -> bool:
    if condition in (sp.true, sp.false):
        return bool(condition)
    if isinstance(condition, (sp.And, sp.Or)):
        parts = [_holds_beside(c, variable, point, side) for c in condition.args]
        return all(parts) if isinstance(condition, sp.And) else any(parts)
    if isinstance(condition, sp.Not):
        return not _holds_beside(condition.args[0], variable, point, side)
    difference = branch(condition.lhs - condition.rhs, variable, point, side)
    sign = _sign_beside(difference, variable, point, side)
    return {sp.Lt: sign < 0, sp.Le: sign <= 0, sp.Gt: sign > 0, sp.Ge: sign >= 0, sp.Eq: sign == 0, sp.Ne: sign != 0}[
        condition.func
    ]


def _sign_beside(expr: sp.Expr, variable: sp.Symbol, point: Point, side: int) -> int:
    """The sign of a smooth expression next to ``point``: that of its first derivative that does not vanish there."""
    for order in range(12):
        value = evaluate(expr, point)
        if value != 0:
            return (1 if is_less(Fraction(0), value) else -1) * (side if order % 2 else 1)
        expr = sp.diff(expr, variable)
        if expr == 0:
            return 0
    raise UncertainError("a condition is flat to high order")


def one_sided_derivative(expr: sp.Expr, variable: sp.Symbol, point: Point, side: int) -> Number:
    """The derivative from the right (side = +1) or from the left (-1)."""
    return evaluate(sp.diff(branch(expr, variable, point, side), variable), point)
