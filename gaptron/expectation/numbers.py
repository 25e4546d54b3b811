"""The numbers of exact expectations: flint rationals, and balls whose comparisons are certain or refused."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeVar

import flint

from gaptron.evaluate import UncertainError

PRECISIONS = (113, 226, 452, 904)
Result = TypeVar("Result")


def rational(value: Any) -> flint.fmpq:
    """``value`` as the rational it is; ValueError if it is not a finite one."""
    if isinstance(value, flint.arb):
        raise ValueError(f'arithmetic = "rational": {value} is a ball, use "ball"')
    try:
        fraction = Fraction(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{value!r} is not a finite number: {error}") from error
    return flint.fmpq(fraction.numerator, fraction.denominator)


def ball(value: Any) -> flint.arb:
    """A ball that contains ``value``, at the current precision."""
    if isinstance(value, flint.arb):
        return value
    return flint.arb(value if isinstance(value, (int, flint.fmpq)) else rational(value))


def less(left: Any, right: Any) -> bool:
    """left < right, certainly; UncertainError if balls cannot tell."""
    if left < right:
        return True
    if left >= right:
        return False
    raise UncertainError(f"{left} against {right}")


def plain(value: Any) -> Any:
    """A flint rational as a Fraction; a ball as it is."""
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
def _precision(bits: int) -> Iterator[None]:
    before, flint.ctx.prec = flint.ctx.prec, bits
    try:
        yield
    finally:
        flint.ctx.prec = before
