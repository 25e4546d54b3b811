"""Exact evaluation: a sympy expression at rational points, as a rational or as a ball that certainly contains it."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache

import flint
import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from gaptron.door.reading import name_of, read, read_condition
from gaptron.language.expressions import Condition, Expression, evaluated, judged
from gaptron.numbers.compiled import Closures
from gaptron.numbers.kinds import PRECISION, Exact, Function, Number, UncertainError, finite, less, plain

__all__ = [
    "PRECISION",
    "Number",
    "UncertainError",
    "ball",
    "enclosure",
    "evaluate",
    "finite",
    "holds",
    "is_less",
    "is_positive",
    "truth_at",
    "value_at",
]

EXACT = Exact()


def ball(value: Number) -> flint.arb:
    """The number as a real ball (rationals are enclosed to ``PRECISION`` bits)."""
    flint.ctx.prec = PRECISION
    return value if isinstance(value, flint.arb) else flint.arb(EXACT.number(value))


def enclosure(value: Number) -> tuple[Fraction, Fraction]:
    """Rationals certainly not above and not below the number; equal if it is rational."""
    if isinstance(value, Fraction):
        return value, value
    return plain(value.lower().fmpq()), plain(value.upper().fmpq())


def is_less(left: Number, right: Number) -> bool:
    """left < right, certainly; UncertainError if balls cannot tell."""
    return less(EXACT.number(left), EXACT.number(right))


def is_positive(value: Number) -> bool:
    """Whether it is certainly positive."""
    try:
        return is_less(Fraction(0), value)
    except UncertainError:
        return False


def evaluate(expr: sp.Expr, point: Mapping[sp.Symbol, Number]) -> Number:
    """The value at ``point``: a Fraction whenever rational arithmetic suffices, else a ball that contains it.

    Raises
    ------
    ZeroDivisionError, ValueError
        Where the expression is not a finite real number.
    UncertainError
        Where a branch depends on a comparison that balls cannot settle.
    """
    return plain(_function(expr)(_numbers(point)))


def holds(given: Boolean | Relational, point: Mapping[sp.Symbol, Number]) -> bool:
    """Whether a boolean combination of relations is true at ``point``."""
    return _truth(given)(_numbers(point))


def value_at(expression: Expression, point: Mapping[str, Number]) -> Number:
    """As ``evaluate``, of data and a point by names."""
    return plain(evaluated(expression, Closures(EXACT)).call(_by_name(point)))


def truth_at(condition: Condition, point: Mapping[str, Number]) -> bool:
    """As ``holds``, of data and a point by names."""
    return bool(judged(condition, Closures(EXACT)).call(_by_name(point)))


def _numbers(point: Mapping[sp.Symbol, Number]) -> dict[str, Number]:
    return _by_name({name_of(symbol): value for symbol, value in point.items()})


def _by_name(point: Mapping[str, Number]) -> dict[str, Number]:
    flint.ctx.prec = PRECISION
    return {name: EXACT.number(value) for name, value in point.items()}


@lru_cache(maxsize=2048)
def _function(expr: sp.Expr) -> Function:
    return evaluated(read(expr), Closures(EXACT)).call


@lru_cache(maxsize=2048)
def _truth(given: Boolean) -> Callable[[Mapping[str, Number]], bool]:
    return judged(read_condition(given), Closures(EXACT)).call
