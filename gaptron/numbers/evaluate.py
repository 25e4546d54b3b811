"""Exact evaluation: an expression at rational points, as a rational or as a ball that certainly contains it."""

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from types import ModuleType

import flint

from gaptron.language.expressions import Condition, Expression, evaluated, judged
from gaptron.numbers.compiled import Closures
from gaptron.numbers.kinds import PRECISION as PRECISION
from gaptron.numbers.kinds import Exact, Function, less, plain
from gaptron.numbers.kinds import Number as Number
from gaptron.numbers.kinds import UncertainError as UncertainError

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


def if_positive(value: Callable[..., Number], *arguments: object) -> Number | None:
    """The value of a function, if it certainly is positive; None where balls cannot tell or nothing is defined."""
    try:
        found = value(*arguments)
    except (UncertainError, ValueError, ZeroDivisionError):
        return None
    return found if is_positive(found) else None


def value_at(expression: Expression, point: Mapping[str, Number]) -> Number:
    """The value at ``point``: a Fraction whenever rational arithmetic suffices, else a ball that contains it.

    Raises
    ------
    ZeroDivisionError, ValueError
        Where the expression is not a finite real number.
    UncertainError
        Where a branch depends on a comparison that balls cannot settle.
    """
    return plain(evaluated(expression, Closures(EXACT)).call(_numbers(point)))


def truth_at(condition: Condition, point: Mapping[str, Number]) -> bool:
    """Whether a condition holds at ``point``."""
    return bool(judged(condition, Closures(EXACT)).call(_numbers(point)))


def evaluate(expr: Hashable, point: Mapping[Hashable, Number]) -> Number:
    """As ``value_at``, of what is still written in sympy: an expression, and a point that has symbols."""
    return plain(_function(expr)(_named(point)))


def holds(given: Hashable, point: Mapping[Hashable, Number]) -> bool:
    """As ``truth_at``, of a boolean combination of sympy's relations."""
    return _truth(given)(_named(point))


@cache
def sympys_door() -> ModuleType:
    """What reads sympy: imported by those who write it alone."""
    from gaptron.door import reading

    return reading


def _named(point: Mapping[Hashable, Number]) -> dict[str, Number]:
    name_of = sympys_door().name_of
    return _numbers({name_of(symbol): value for symbol, value in point.items()})


def _numbers(point: Mapping[str, Number]) -> dict[str, Number]:
    flint.ctx.prec = PRECISION
    return {name: EXACT.number(value) for name, value in point.items()}


@lru_cache(maxsize=2048)
def _function(expr: Hashable) -> Function:
    return evaluated(sympys_door().read(expr), Closures(EXACT)).call


@lru_cache(maxsize=2048)
def _truth(given: Hashable) -> Callable[[Mapping[str, Number]], bool]:
    return judged(sympys_door().read_condition(given), Closures(EXACT)).call
