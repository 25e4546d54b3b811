"""Exact numbers as text, for witnesses: what is printed can be read back without loss."""

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor

from gaptron.numbers.evaluate import Number, ball, enclosure
from gaptron.system.digits import decimal
from gaptron.system.documents import Document

Witness = Document  # JSON-ready: numbers as exact text

DIGITS = 24


def exact(value: Number) -> str | list[str]:
    """A rational as text; a ball as two decimal rationals that certainly enclose it."""
    if isinstance(value, Fraction):
        return str(value)
    low, high = enclosure(value)
    return [_decimal(low, floor), _decimal(high, ceil)]


def read_number(value: object) -> Number:
    """A number as witnesses have it: exact text, or the two ends of an enclosure."""
    if isinstance(value, list):
        low, high = (ball(Fraction(end)) for end in value)
        return low.union(high)
    return Fraction(str(value))


def _decimal(value: Fraction, rounded: Callable[[Fraction], int]) -> str:
    """The value to some ``DIGITS`` significant digits, rounded down (floor) or up (ceil)."""
    return decimal(value, rounded, DIGITS + max(0, len(str(value.denominator)) - len(str(abs(value.numerator)))))
