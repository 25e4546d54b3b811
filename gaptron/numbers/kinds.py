"""Kinds of numbers: rationals, balls, intervals, doubles; what an expression is compiled to in each of them.

Comparisons are certain or refused. The numbers of a kind know + - * / among themselves, and rationals beside balls.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from numbers import Rational
from typing import Any, Protocol, TypeAlias

import flint
from mpmath import iv
from mpmath.libmp import finf, fnan, fninf

PRECISION = 192

Number: TypeAlias = Any  # Fraction, flint.fmpq, flint.arb, mpmath.iv.mpf or float: the libraries have no types
Vector: TypeAlias = tuple[Number, ...]
Function: TypeAlias = Callable[[Number], Number]


class UncertainError(ArithmeticError):
    """A comparison of balls that overlap: neither answer is certain."""


class IrrationalError(ValueError):
    """A root or a logarithm that is not rational, where rationals are asked for."""


class Kind(Protocol):
    """What differs between the kinds; functions raise ValueError where there is no number."""

    def number(self, value: Number) -> Number: ...
    def exp(self, value: Number) -> Number: ...
    def log(self, value: Number) -> Number: ...  # natural
    def root(self, value: Number) -> Number: ...  # square
    def power(self, base: Number, exponent: Number) -> Number: ...
    def pi(self) -> Number: ...
    def larger(self, left: Number, right: Number) -> Number: ...  # of what overlaps, something that contains it
    def equal(self, left: Number, right: Number) -> bool: ...  # certainly


def less(left: Number, right: Number) -> bool:
    """left < right, certainly; an object is not less than itself; UncertainError if balls cannot tell."""
    if left is right:
        return False
    if left < right:
        return True
    if left >= right:
        return False
    raise UncertainError(f"{left} against {right}")


def plain(value: Number) -> Number:
    """A flint rational as a Fraction; any other number as it is."""
    return Fraction(int(value.p), int(value.q)) if isinstance(value, flint.fmpq) else value


def is_irrational(value: Number) -> bool:
    """Whether it is a number that sympy wrote, and no rational one."""
    return hasattr(value, "free_symbols") and not isinstance(value, Rational)


def rational(value: Number) -> flint.fmpq:
    """``value`` as the rational it is; ValueError if it is not a finite one."""
    if isinstance(value, flint.fmpq):
        return value
    if isinstance(value, Fraction):
        return flint.fmpq(value.numerator, value.denominator)
    if isinstance(value, (flint.arb, iv.mpf)) or is_irrational(value):
        raise ValueError(f'arithmetic = "rational": {value} is not a rational number, use "ball"')
    try:
        fraction = Fraction(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{value!r} is not a finite number: {error}") from error
    return flint.fmpq(fraction.numerator, fraction.denominator)


class Exact:
    """Rationals (flint.fmpq) wherever they suffice, else balls of ``PRECISION`` bits that contain the number."""

    def number(self, value: Number) -> Number:
        """``value`` as a rational, or the ball that it is (or that contains the interval)."""
        if isinstance(value, iv.mpf):
            ends = [(1 - 2 * sign, int(man), exp) for sign, man, exp, _ in value._mpi_]
            low, high = (sign * flint.arb(man) * flint.arb(2) ** exp for sign, man, exp in ends)
            return low.union(high)
        return value if isinstance(value, flint.arb) else rational(value)

    def irrational(self, value: Number, name: str) -> flint.arb:
        """``value`` as a ball, for a function that takes it out of the rationals."""
        flint.ctx.prec = PRECISION
        return flint.arb(value)

    def exp(self, value: Number) -> Number:
        """e^value; of rationals only e^0 is one."""
        if isinstance(value, flint.fmpq):
            if value == 0:
                return flint.fmpq(1)
            value = self.irrational(value, f"exp({value})")
        return finite(value.exp())

    def log(self, value: Number) -> Number:
        """The natural logarithm; of rationals only that of 1 is one."""
        if not less(0, value):
            raise ValueError(f"log({value}) is not a real number")
        if isinstance(value, flint.fmpq):
            if value == 1:
                return flint.fmpq(0)
            value = self.irrational(value, f"log({value})")
        return finite(value.log())

    def root(self, value: Number) -> Number:
        """The square root, of rationals the rational one if there is one."""
        return self.power(value, flint.fmpq(1, 2))

    def power(self, base: Number, exponent: Number) -> Number:
        """base^exponent, rational if both are and there is such a root."""
        if isinstance(base, flint.fmpq):
            if isinstance(exponent, flint.fmpq):
                if base < 0:
                    raise ValueError(f"{base} has no real power {exponent}")
                found = _rational_root(base, int(exponent.q))
                if found is not None:
                    return found ** int(exponent.p)
            base = self.irrational(base, f"power({exponent})")
        return finite(base ** flint.arb(exponent))

    def pi(self) -> Number:
        self.irrational(0, "pi")
        return flint.arb.pi()

    def larger(self, left: Number, right: Number) -> Number:
        if left < right:
            return right
        return left if left >= right else flint.arb(left).max(right)

    def equal(self, left: Number, right: Number) -> bool:
        if left == right:
            return True
        if left != right:
            return False
        raise UncertainError(f"{left} against {right}")


class Rationals(Exact):
    """flint.fmpq alone: what is not rational is an error."""

    def number(self, value: Number) -> Number:
        return rational(value)

    def irrational(self, value: Number, name: str) -> flint.arb:
        raise IrrationalError(f'arithmetic = "rational": {name[:40]} needs a root or a logarithm, use "ball"')


class Balls(Exact):
    """flint.arb at the current precision."""

    def number(self, value: Number) -> Number:
        """A ball that contains ``value``."""
        if isinstance(value, flint.arb):
            return value
        return flint.arb(value if isinstance(value, (int, flint.fmpq)) else rational(value))

    def irrational(self, value: Number, name: str) -> flint.arb:
        return flint.arb(value)


class Intervals:
    """mpmath.iv at its current precision."""

    def number(self, value: Number) -> Number:
        """An interval that contains ``value``."""
        if isinstance(value, iv.mpf):
            return value
        if isinstance(value, flint.arb):
            return iv.mpf([self.number(value.lower().fmpq()).a, self.number(value.upper().fmpq()).b])
        exact = rational(value)
        return iv.mpf(int(exact.p)) / iv.mpf(int(exact.q))

    def exp(self, value: Number) -> Number:
        return finite(iv.exp(value))

    def log(self, value: Number) -> Number:
        if not less(0, value):
            raise ValueError(f"log({value}) is not a real number")
        return finite(iv.log(value))

    def root(self, value: Number) -> Number:
        if less(value, 0):
            raise ValueError(f"{value} has no real root")
        return finite(iv.sqrt(value))

    def power(self, base: Number, exponent: Number) -> Number:
        """base^exponent for a base >= 0."""
        if exponent == 0.5:
            return self.root(base)
        return self.exp(exponent * self.log(base))

    def pi(self) -> Number:
        return +iv.pi

    def larger(self, left: Number, right: Number) -> Number:
        return iv.mpf([max(left.a, right.a), max(left.b, right.b)])

    def equal(self, left: Number, right: Number) -> bool:
        """left == right, certainly: only of points."""
        return not (less(left, right) or less(right, left))


class Doubles:
    """Python floats."""

    number = staticmethod(float)
    exp = staticmethod(math.exp)
    log = staticmethod(math.log)
    root = staticmethod(math.sqrt)
    power = staticmethod(math.pow)
    larger = staticmethod(max)

    def pi(self) -> float:
        return math.pi

    def equal(self, left: float, right: float) -> bool:
        return left == right


def finite(value: Number) -> Number:
    """The number itself; ValueError if it is a ball or an interval that is not finite."""
    if isinstance(value, flint.arb):
        bounded = value.is_finite()
    elif isinstance(value, iv.mpf):
        bounded = not any(end in (finf, fninf, fnan) for end in value._mpi_)
    else:
        bounded = True
    if not bounded:
        raise ValueError("not a finite real number")
    return value


def _rational_root(base: flint.fmpq, degree: int) -> flint.fmpq | None:
    if base <= 1 and base >= 0 and base == base * base:
        return base
    top, bottom = (part.root(degree) for part in (base.p, base.q))
    return flint.fmpq(top, bottom) if top**degree == base.p and bottom**degree == base.q else None
