"""Rational intervals that certainly contain the values of a term, rounded outward to a number of bits.

An end is a Fraction, or an infinity that is not attained. log, exp and roots carry their own error bounds, in integer
arithmetic scaled by 2^bits.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import inf

from gaptron.language.rejection import require
from gaptron.language.terms import Term, arguments, subterms

End = Fraction | float  # a float is an infinity
Interval = tuple[End, End]

EVERYTHING: Interval = (-inf, inf)
LARGEST_BITS = 1 << 18
LARGEST_EXPONENT = LARGEST_ROOT = 1 << 14
PRECISIONS = range(16, 1025)


def enclose(term: Term, box: Mapping[str, Interval], bits: int) -> Interval:
    """Where the term's values lie when each variable ranges over its interval and the term is defined."""
    if isinstance(term, Fraction):
        return term, term
    if isinstance(term, str):
        return box.get(term, EVERYTHING)
    parts = [enclose(part, box, bits) for part in arguments(term)]
    found = parts[0]
    if term[0] == "+":
        found = _sum([low for low, _ in parts]), _sum([high for _, high in parts])
    elif term[0] == "*":
        for part in parts[1:]:
            found = rounded(product(found, part), bits)
    elif term[0] == "^":
        found = power(found, term[2])
    elif term[0] == "exp":
        found = (_at(exp_bounds, found[0], bits)[0], _at(exp_bounds, found[1], bits)[1])
    elif term[0] == "log":
        require(found[1] > 0, "a logarithm of a number that is not positive")
        found = (_at(log_bounds, max(found[0], Fraction(0)), bits)[0], _at(log_bounds, found[1], bits)[1])
    else:
        require(found[1] >= 0, "a root of a negative number")
        low, high = max(found[0], Fraction(0)), found[1]
        found = (
            root_bounds(low, term[2], bits)[0] if isinstance(low, Fraction) else low,
            root_bounds(high, term[2], bits)[1] if isinstance(high, Fraction) else high,
        )
    return rounded(found, bits)


def require_smooth_on(term: Term, box: Mapping[str, Interval], bits: int) -> None:
    """Reject unless the term certainly has a derivative on the whole closed box."""
    for part in subterms(term):
        if isinstance(part, tuple) and part[0] not in ("+", "*", "exp"):
            low, high = enclose(part[1], box, bits)
            fine = low > 0 or (part[0] == "^" and (high < 0 or part[2] >= 0))
            require(fine, "a part may be undefined on the box, or have no slope")


def _sum(ends: list[End]) -> End:
    return sum((end for end in ends if isinstance(end, float)), 0.0) or sum(ends, Fraction(0))


def rounded(interval: Interval, bits: int) -> Interval:
    """The interval with ends of at most ``bits`` significant bits, rounded outward."""
    low, high = interval
    return (
        low if isinstance(low, float) else _round_down(low, bits),
        high if isinstance(high, float) else -_round_down(-high, bits),
    )


def _round_down(value: Fraction, bits: int) -> Fraction:
    if value.denominator.bit_length() <= bits and value.numerator.bit_length() <= bits:
        return value
    shift = bits - (value.numerator.bit_length() - value.denominator.bit_length())
    if shift >= 0:
        return Fraction((value.numerator << shift) // value.denominator, 1 << shift)
    return Fraction((value.numerator // (value.denominator << -shift)) << -shift)


def product(left: Interval, right: Interval) -> Interval:
    """All products."""
    corners = [_times(a, b) for a in left for b in right]
    return min(corners), max(corners)


def _times(a: End, b: End) -> End:
    """The product of two ends; an infinity is not attained, so that zero times it is zero."""
    if a == 0 or b == 0:
        return Fraction(0)
    if isinstance(a, float) or isinstance(b, float):
        return inf if (a > 0) == (b > 0) else -inf
    return a * b


def power(base: Interval, exponent: int) -> Interval:
    """All values of base ** exponent."""
    if exponent < 0:
        return reciprocal(power(base, -exponent))
    ends = [_raised(end, exponent) for end in base]
    if exponent % 2 == 0 and base[0] < 0 < base[1]:
        return Fraction(0), max(ends)
    return min(ends), max(ends)


def _raised(end: End, exponent: int) -> End:
    if isinstance(end, Fraction):
        bits = max(end.numerator.bit_length(), end.denominator.bit_length())
        require(bits * exponent <= LARGEST_BITS, "a power is too large")
        return end**exponent
    return Fraction(1) if exponent == 0 else end if exponent % 2 else inf


def reciprocal(base: Interval) -> Interval:
    """All values of 1 / base: zero may be an end, where the term is not defined, but not inside."""
    low, high = base
    one_sided = low >= 0 or high <= 0
    require(one_sided and not low == high == 0, "a division by a number that may be zero")
    return _inverse(high, -inf), _inverse(low, inf)


def _inverse(end: End, at_zero: float) -> End:
    if isinstance(end, float):
        return Fraction(0)
    return at_zero if end == 0 else 1 / end


def _at(bounds: object, end: End, bits: int) -> Interval:
    """The bounds of a monotone function at an end; exp falls to 0 and log to minus infinity."""
    if isinstance(end, Fraction) and (end != 0 or bounds is exp_bounds):
        return bounds(end, bits)  # type: ignore[operator,no-any-return]
    least: End = Fraction(0) if bounds is exp_bounds else -inf
    return (inf, inf) if end == inf else (least, least)


def root_bounds(value: Fraction, degree: int, bits: int) -> tuple[Fraction, Fraction]:
    """Rationals below and above the root of a number >= 0."""
    shift = bits + value.denominator.bit_length()
    require(degree * shift + value.numerator.bit_length() <= LARGEST_ROOT, "a root is too large")
    scale = 1 << shift
    scaled = value * scale**degree
    low = integer_root(scaled.numerator // scaled.denominator, degree)
    return Fraction(low, scale), Fraction(low if low**degree == scaled else low + 1, scale)


def integer_root(value: int, degree: int) -> int:
    """The largest integer whose ``degree``-th power is at most the value >= 0."""
    low, high = 0, 1 << (value.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        if middle**degree <= value:
            low = middle
        else:
            high = middle - 1
    return low


@lru_cache(maxsize=4096)
def log_bounds(value: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Rationals below and above log(value), value > 0: value = 2^e m, log m = 2 artanh((m - 1)/(m + 1))."""
    if value < 1:
        low, high = log_bounds(1 / value, bits)
        return -high, -low
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    exponent -= value < Fraction(2) ** exponent
    working = bits + 8 + exponent.bit_length()
    first, second = _log(value / Fraction(2) ** exponent, working), _log(Fraction(2), working)
    return first[0] + exponent * second[0], first[1] + exponent * second[1]


def _log(value: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """For 1 <= value <= 2, where y = (value - 1)/(value + 1) <= 1/3: the series 2 (y + y^3/3 + y^5/5 + ...)."""
    scale, y = 1 << bits, (value - 1) / (value + 1)
    low_power, high_power = (end(y * scale) for end in (_floor, _ceiling))
    low_square, high_square = (end(y * y * scale) for end in (_floor, _ceiling))
    low = high = 0
    for n in range(1, bits + 1, 2):
        low, high = low + low_power // n, high - (-high_power // n)
        low_power, high_power = (low_power * low_square) >> bits, -((-high_power * high_square) >> bits)
    # what is left is at most the next power times 1 + 1/9 + 1/81 + ... < 2
    return Fraction(2 * low, scale), Fraction(2 * (high + 2 * high_power), scale)


def _floor(value: Fraction) -> int:
    return value.numerator // value.denominator


def _ceiling(value: Fraction) -> int:
    return -(-value.numerator // value.denominator)


@lru_cache(maxsize=4096)
def exp_bounds(value: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Rationals below and above exp(value): Taylor's series at value / 2^k <= 1/2, squared k times."""
    if value < 0:
        low, high = exp_bounds(-value, bits)
        return 1 / high, 1 / low
    require(value <= LARGEST_EXPONENT, "an exponential is too large")
    halvings = _ceiling(value).bit_length() + 1
    working = bits + 2 * halvings + 8
    low, high = _taylor(value / (1 << halvings), working)
    for _ in range(halvings):
        low, high = _round_down(low * low, working), -_round_down(-high * high, working)
    return low, high


def _taylor(x: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """For 0 <= x <= 1/2: 1 + x + x^2/2 + ..., the rest being at most twice the next term."""
    scale, n = 1 << bits, 0
    low_x, high_x = _floor(x * scale), _ceiling(x * scale)
    low = high = low_term = high_term = scale
    while high_term > 1:
        n += 1
        low_term, high_term = (low_term * low_x >> bits) // n, -((-high_term * high_x >> bits) // n)
        low, high = low + low_term, high + high_term
    return Fraction(low, scale), Fraction(high + 2 * high_term, scale)
