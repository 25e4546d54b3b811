"""The numbers of exact expectations: flint rationals, balls whose comparisons are certain or refused, doubles."""

import gc
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeVar

import flint
import sympy as sp

from gaptron.numbers.evaluate import UncertainError

PRECISIONS = (113, 226, 452, 904)
Result = TypeVar("Result")


def rational(value: Any) -> flint.fmpq:
    """``value`` as the rational it is; ValueError if it is not a finite one."""
    if isinstance(value, flint.arb) or (isinstance(value, sp.Expr) and not value.is_Rational):
        raise ValueError(f'arithmetic = "rational": {value} is not a rational number, use "ball"')
    if isinstance(value, flint.fmpq):
        return value
    try:
        fraction = Fraction(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{value!r} is not a finite number: {error}") from error
    return flint.fmpq(fraction.numerator, fraction.denominator)


def less(left: Any, right: Any) -> bool:
    """left < right, certainly; an object is not less than itself; UncertainError if balls cannot tell."""
    if left is right:
        return False
    if left < right:
        return True
    if left >= right:
        return False
    raise UncertainError(f"{left} against {right}")


def exp(value: Any) -> Any:
    """e^value; of rationals only e^0 is one."""
    if isinstance(value, flint.fmpq):
        return _only(value == 0, flint.fmpq(1), f"exp({value})")
    return value.exp() if isinstance(value, flint.arb) else math.exp(value)


def log(value: Any) -> Any:
    """The natural logarithm; of rationals only that of 1 is one."""
    if not less(0, value):
        raise ValueError(f"log({value}) is not a real number")
    if isinstance(value, flint.fmpq):
        return _only(value == 1, flint.fmpq(0), f"log({value})")
    return value.log() if isinstance(value, flint.arb) else math.log(value)


def root(value: Any) -> Any:
    """The square root, of rationals the rational one."""
    if isinstance(value, flint.fmpq):
        p, q = math.isqrt(int(value.p)), math.isqrt(int(value.q))
        return _only(value == flint.fmpq(p * p, q * q), flint.fmpq(p, q), "sqrt")
    return value.sqrt() if isinstance(value, flint.arb) else math.sqrt(value)


def _only(rational: bool, value: flint.fmpq, name: str) -> flint.fmpq:
    if not rational:
        raise ValueError(f'arithmetic = "rational": {name[:40]} needs a root or a logarithm, use "ball"')
    return value


def plain(value: Any) -> Any:
    """A flint rational as a Fraction; a ball or a double as it is."""
    return Fraction(int(value.p), int(value.q)) if isinstance(value, flint.fmpq) else value


def until_certain(compute: Callable[[], Result]) -> Result:
    """``compute()`` at the least of ``PRECISIONS`` at which every branch is certain; UncertainError if none."""
    for bits in PRECISIONS[:-1]:
        with _precision(bits):
            try:
                return compute()
            except UncertainError:
                continue
    with _precision(PRECISIONS[-1]):
        return compute()


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the garbage collector, which would walk through a growing multitude of states that are in no cycle."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@contextmanager
def _precision(bits: int) -> Iterator[None]:
    before, flint.ctx.prec = flint.ctx.prec, bits
    try:
        yield
    finally:
        flint.ctx.prec = before
