"""The one evaluator: a sympy expression as a function in a kind of numbers (on NumPy arrays: ``arrays``).

Rationals, balls and intervals are computed by closures, doubles by the Python that ``lambdify`` prints.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

import flint
import sympy as sp
from sympy.logic.boolalg import Boolean

from gaptron.numbers.kinds import Doubles, Function, Kind, Number, UncertainError, finite, less

Argument: TypeAlias = Any  # the value of the variable, or a point
Condition = Callable[[Argument], bool]


def compiled(expr: sp.Expr, variable: sp.Symbol, kind: Kind) -> Function:
    """``expr`` as a function of ``variable``, in numbers of this kind.

    The function raises ValueError or ZeroDivisionError where the value is not a finite real number, or not rational if
    rationals are asked for; UncertainError where balls leave a branch open.
    """
    return _on_floats(expr, variable) if isinstance(kind, Doubles) else closure(expr, kind, variable)


def constant(expr: sp.Expr, kind: Kind) -> Number:
    """The value of an expression without symbols."""
    if expr.free_symbols:
        raise ValueError(f"{expr} is not a number: it has the symbols {', '.join(map(str, expr.free_symbols))}")
    return kind.number(compiled(expr, sp.Dummy(), kind)(None))


@lru_cache(maxsize=512)
def _on_floats(expr: sp.Expr, variable: sp.Symbol) -> Function:
    return sp.lambdify(variable, expr, "math")  # type: ignore[no-any-return]


# --- closures ---------------------------------------------------------------------------------------------------


def closure(expr: sp.Expr, kind: Kind, variable: sp.Symbol | None = None) -> Function:
    """``expr`` as a function of the value of ``variable``; without one, of a point: a mapping of symbols to numbers."""
    if expr.is_Symbol:
        return (lambda value: value) if variable is not None else lambda point: point[expr]
    if expr.is_Rational:
        number = kind.number(flint.fmpq(int(expr.p), int(expr.q)))
        return lambda value: number
    if not expr.free_symbols:
        return _once(_operation(expr, kind, variable))
    return _operation(expr, kind, variable)


def _operation(expr: sp.Expr, kind: Kind, variable: sp.Symbol | None) -> Function:
    for form, compile_form in _FORMS.items():
        if isinstance(expr, form):
            return compile_form(expr, kind, variable)
    raise ValueError(f"{expr} is not a real number")


def _once(function: Function) -> Function:
    """A constant: computed when it is first needed, since it may be in a branch that never is."""
    known: list[Number] = []

    def value_of(value: Argument) -> Number:
        if not known:
            known.append(function(value))
        return known[0]

    return value_of


def _sum(expr: sp.Expr, kind: Kind, variable: sp.Symbol | None) -> Function:
    first, *rest = (closure(part, kind, variable) for part in expr.args)

    def total(value: Argument) -> Number:
        result = first(value)
        for part in rest:
            result = result + part(value)
        return result

    return total


def _product(expr: sp.Expr, kind: Kind, variable: sp.Symbol | None) -> Function:
    first, *rest = (closure(part, kind, variable) for part in expr.args)

    def total(value: Argument) -> Number:
        result = first(value)
        for part in rest:
            result = result * part(value)
        return result

    return total


def _power(expr: sp.Expr, kind: Kind, variable: sp.Symbol | None) -> Function:
    base, by = closure(expr.base, kind, variable), closure(expr.exp, kind, variable)
    if expr.exp.is_Integer:
        n = int(expr.exp)
        return (lambda value: base(value) ** n) if n > 0 else lambda value: finite(base(value) ** n)
    return lambda value: kind.power(base(value), by(value))


def _extreme(expr: sp.Expr, kind: Kind, variable: sp.Symbol | None) -> Function:
    parts, largest = [closure(part, kind, variable) for part in expr.args], isinstance(expr, sp.Max)

    def extreme(value: Argument) -> Number:
        best, *others = (part(value) for part in parts)
        for other in others:
            best = kind.larger(best, other) if largest else -kind.larger(-best, -other)
        return best

    return extreme


def _piecewise(expr: sp.Expr, kind: Kind, variable: sp.Symbol | None) -> Function:
    branches = [(condition(when, kind, variable), closure(part, kind, variable)) for part, when in expr.args]

    def chosen(value: Argument) -> Number:
        for holds, part in branches:
            if holds(value):
                return part(value)
        raise ValueError(f"no branch of {expr} is defined")

    return chosen


def _absolute(expr: sp.Expr, kind: Kind, variable: sp.Symbol | None) -> Function:
    argument = closure(expr.args[0], kind, variable)
    return lambda value: abs(argument(value))


def _exp(expr: sp.Expr, kind: Kind, variable: sp.Symbol | None) -> Function:
    argument = closure(expr.args[0], kind, variable)
    return lambda value: kind.exp(argument(value))


def _log(expr: sp.Expr, kind: Kind, variable: sp.Symbol | None) -> Function:
    argument = closure(expr.args[0], kind, variable)
    return lambda value: kind.log(argument(value))


def _pi(expr: sp.Expr, kind: Kind, variable: sp.Symbol | None) -> Function:
    return lambda value: kind.pi()


def _e(expr: sp.Expr, kind: Kind, variable: sp.Symbol | None) -> Function:
    return lambda value: kind.exp(kind.number(1))


_FORMS: dict[type, Callable[[sp.Expr, Kind, sp.Symbol | None], Function]] = {
    sp.Add: _sum,
    sp.Mul: _product,
    sp.exp: _exp,
    sp.Pow: _power,
    sp.log: _log,
    sp.Min: _extreme,
    sp.Max: _extreme,
    sp.Abs: _absolute,
    sp.Piecewise: _piecewise,
    type(sp.pi): _pi,
    type(sp.E): _e,
}


def condition(given: Boolean, kind: Kind, variable: sp.Symbol | None = None) -> Condition:
    """A boolean combination of relations, as a function like ``closure``."""
    if given in (sp.true, sp.false):
        truth = bool(given)
        return lambda value: truth
    if isinstance(given, (sp.And, sp.Or)):
        return _junction([condition(part, kind, variable) for part in given.args], isinstance(given, sp.Or))
    if isinstance(given, sp.Not):
        part = condition(given.args[0], kind, variable)
        return lambda value: not part(value)
    if isinstance(given, sp.ITE):
        test, then, otherwise = (condition(part, kind, variable) for part in given.args)
        return lambda value: then(value) if test(value) else otherwise(value)
    left, right = (closure(side, kind, variable) for side in (given.lhs, given.rhs))
    compare = _RELATIONS[given.func]
    return lambda value: compare(kind, left(value), right(value))


def _junction(parts: list[Condition], settles: bool) -> Condition:
    """An And or Or: one part that settles it is enough, in whatever order, even if another is undefined."""

    def junction(value: Argument) -> bool:
        undefined = None
        for part in parts:
            try:
                if part(value) == settles:
                    return settles
            except (UncertainError, ValueError, ZeroDivisionError) as error:
                undefined = error
        if undefined is not None:
            raise undefined
        return not settles

    return junction


_RELATIONS: dict[type, Callable[[Kind, Number, Number], bool]] = {
    sp.Lt: lambda kind, left, right: less(left, right),
    sp.Gt: lambda kind, left, right: less(right, left),
    sp.Le: lambda kind, left, right: not less(right, left),
    sp.Ge: lambda kind, left, right: not less(left, right),
    sp.Eq: lambda kind, left, right: kind.equal(left, right),
    sp.Ne: lambda kind, left, right: not kind.equal(left, right),
}
