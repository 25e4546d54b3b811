"""sympy expressions of one variable as functions of rationals, balls or doubles, and their slopes at kinks."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint
import sympy as sp
from sympy.logic.boolalg import Boolean

from gaptron.expectation.numbers import exp, less, log
from gaptron.numbers.evaluate import UncertainError

Function = Callable[[Any], Any]
Condition = Callable[[Any], bool]
ORDERS = 12


def constant(expr: sp.Expr, kind: Any) -> Any:
    """The value of an expression without symbols."""
    if expr.free_symbols:
        raise ValueError(f"{expr} is not a number: it has the symbols {', '.join(map(str, expr.free_symbols))}")
    return compiled(expr, sp.Dummy(), kind)(None)


def compiled(expr: sp.Expr, variable: sp.Symbol, kind: Any) -> Function:
    """``expr`` as a function of ``variable``, in numbers of this kind.

    The function raises ValueError where the value is not real, or not rational if rationals are asked for;
    UncertainError where balls leave a branch open.
    """
    if expr == variable:
        return lambda value: value
    if expr.is_Rational:
        number = kind.number(Fraction(int(expr.p), int(expr.q)))
        return lambda value: number
    if expr in _CONSTANTS:
        transcendental = _CONSTANTS[expr](kind)
        return lambda value: transcendental
    for form, compile_form in _FORMS.items():
        if isinstance(expr, form):
            return compile_form(expr, variable, kind)
    raise ValueError(f"{expr} is not a real number")


def right_slope(expr: sp.Expr, variable: sp.Symbol) -> sp.Expr:
    """The derivative from the right, as an expression."""
    split = expr.rewrite(sp.Piecewise) if expr.has(sp.Min, sp.Max, sp.Abs) else expr
    folded = sp.piecewise_fold(split)
    if not isinstance(folded, sp.Piecewise):
        return sp.diff(folded, variable)
    return sp.Piecewise(*((sp.diff(value, variable), _beside(when, variable)) for value, when in folded.args))


def _beside(condition: Boolean, variable: sp.Symbol) -> Boolean:
    """Whether ``condition`` holds just right of ``variable``."""
    if condition in (sp.true, sp.false):
        return condition
    if isinstance(condition, (sp.And, sp.Or, sp.Not)):
        return condition.func(*(_beside(part, variable) for part in condition.args))
    positive, negative = (_positive_beside(side * (condition.lhs - condition.rhs), variable) for side in (1, -1))
    strict = {sp.Gt: positive, sp.Lt: negative, sp.Ne: sp.Or(positive, negative)}
    weak = {sp.Le: sp.Not(positive), sp.Ge: sp.Not(negative), sp.Eq: sp.Not(sp.Or(positive, negative))}
    return (strict | weak)[condition.func]


def _positive_beside(expr: sp.Expr, variable: sp.Symbol, orders: int = ORDERS) -> Boolean:
    """expr > 0 just right of ``variable``: the first derivative that does not vanish is positive."""
    expr = sp.expand(expr)
    if expr.is_number or not orders:
        return sp.Gt(expr, 0)
    later = _positive_beside(sp.diff(expr, variable), variable, orders - 1)
    return sp.Ge(expr, 0) if later == sp.true else sp.Or(sp.Gt(expr, 0), sp.And(sp.Eq(expr, 0), later))


# --- forms ------------------------------------------------------------------------------------------------------


def _sum(expr: sp.Expr, variable: sp.Symbol, kind: Any) -> Function:
    first, *rest = (compiled(part, variable, kind) for part in expr.args)

    def total(value: Any) -> Any:
        result = first(value)
        for part in rest:
            result = result + part(value)
        return result

    return total


def _product(expr: sp.Expr, variable: sp.Symbol, kind: Any) -> Function:
    first, *rest = (compiled(part, variable, kind) for part in expr.args)

    def total(value: Any) -> Any:
        result = first(value)
        for part in rest:
            result = result * part(value)
        return result

    return total


def _power(expr: sp.Expr, variable: sp.Symbol, kind: Any) -> Function:
    base, exponent = compiled(expr.base, variable, kind), expr.exp
    if exponent.is_Integer:
        return lambda value: base(value) ** int(exponent)
    by = compiled(exponent, variable, kind)

    def power(value: Any) -> Any:
        number = base(value)
        if not less(number, 0) and number == 0:
            return number
        return exp(by(value) * log(number))

    return power


def _extreme(expr: sp.Expr, variable: sp.Symbol, kind: Any) -> Function:
    parts, largest = [compiled(part, variable, kind) for part in expr.args], isinstance(expr, sp.Max)

    def extreme(value: Any) -> Any:
        best, *others = (part(value) for part in parts)
        for other in others:
            best = larger(best, other) if largest else -larger(-best, -other)
        return best

    return extreme


def larger(left: Any, right: Any) -> Any:
    """The larger of two numbers; of balls one that contains it."""
    if isinstance(left, flint.arb):
        return left.max(right)
    return right if left < right else left


def _piecewise(expr: sp.Expr, variable: sp.Symbol, kind: Any) -> Function:
    branches = [(_condition(when, variable, kind), compiled(part, variable, kind)) for part, when in expr.args]

    def chosen(value: Any) -> Any:
        for holds, part in branches:
            if holds(value):
                return part(value)
        raise ValueError(f"{expr} is not defined at {value}")

    return chosen


def _unary(function: Function) -> Callable[[sp.Expr, sp.Symbol, Any], Function]:
    def compile_form(expr: sp.Expr, variable: sp.Symbol, kind: Any) -> Function:
        argument = compiled(expr.args[0], variable, kind)
        return lambda value: function(argument(value))

    return compile_form


_CONSTANTS: dict[Any, Callable[[Any], Any]] = {
    sp.E: lambda kind: exp(kind.number(1)),
    sp.pi: lambda kind: kind.number(flint.arb.pi()),
}
_FORMS: dict[Any, Callable[[Any, sp.Symbol, Any], Function]] = {
    sp.Add: _sum,
    sp.Mul: _product,
    sp.exp: _unary(exp),
    sp.Pow: _power,
    sp.log: _unary(log),
    sp.Min: _extreme,
    sp.Max: _extreme,
    sp.Abs: _unary(abs),
    sp.Piecewise: _piecewise,
}


def _condition(condition: Boolean, variable: sp.Symbol, kind: Any) -> Condition:
    if condition in (sp.true, sp.false):
        truth = bool(condition)
        return lambda value: truth
    if isinstance(condition, (sp.And, sp.Or)):
        parts = [_condition(part, variable, kind) for part in condition.args]
        both = all if isinstance(condition, sp.And) else any
        return lambda value: both(part(value) for part in parts)
    if isinstance(condition, sp.Not):
        part = _condition(condition.args[0], variable, kind)
        return lambda value: not part(value)
    left, right = (compiled(side, variable, kind) for side in (condition.lhs, condition.rhs))
    compare = _RELATIONS[condition.func]
    return lambda value: compare(left(value), right(value))


def _equal(left: Any, right: Any) -> bool:
    if left == right:
        return True
    if left != right:
        return False
    raise UncertainError(f"{left} against {right}")


_RELATIONS: dict[Any, Callable[[Any, Any], bool]] = {
    sp.Lt: less,
    sp.Gt: lambda left, right: less(right, left),
    sp.Le: lambda left, right: not less(right, left),
    sp.Ge: lambda left, right: not less(left, right),
    sp.Eq: _equal,
    sp.Ne: lambda left, right: not _equal(left, right),
}
