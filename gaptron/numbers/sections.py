"""The intervals on which an expression is one smooth function, and whether it falls."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import inf
from typing import Any, NamedTuple

import flint

from gaptron.language.expressions import Condition, Expression, everywhere, sides, variables
from gaptron.language.instantiation import WRITTEN, substituted
from gaptron.language.slopes import right_slope, sign
from gaptron.language.smooth_pieces import Pieces, pieces
from gaptron.language.terms import replaced
from gaptron.language.univariate_polynomials import Coefficients, coefficients
from gaptron.numbers.evaluate import UncertainError, ball, enclosure, is_less, truth_at, value_at
from gaptron.numbers.kinds import PRECISION, Number, plain

NO_NUMBER = (ValueError, ZeroDivisionError)
INNER = "#"


class Section(NamedTuple):
    """From ``low`` to ``high``, fractions, balls or infinite, the expression is ``value``; at the ends perhaps not."""

    low: Number
    high: Number
    value: Expression


def sections(expression: Expression, name: str) -> list[Section]:
    """All of them, upwards; where no branch of the expression holds there is none.

    Raises
    ------
    NotImplementedError
        If it is not computed where a condition changes its truth.
    """
    found = pieces(expression)
    compared = dict.fromkeys(pair for when, _ in found for pair in _compared(when))
    ends = [-inf, *_ascending(cut for left, right in compared for cut in _changes(left, right, name)), inf]
    chosen = ((low, high, _holding(found, {name: _between(low, high)})) for low, high in pairwise(ends))
    return [Section(low, high, value) for low, high, value in chosen if value is not None]


def falls(expression: Expression, name: str, low: Fraction, high: Number = inf) -> bool:
    """Whether it never rises from ``low`` >= 0 to ``high``; at ``low`` itself it may have no value.

    False also where that is not seen: slopes are lines or have a sign, and sections end at fractions.
    """
    try:
        written, found = pieces(expression), sections(expression, name)
        if any(isinstance(end, flint.arb) for part in found for end in (part.low, part.high)):
            return False
        inside = [
            Section(max(low, part.low), min(high, part.high), part.value)
            for part in found
            if part.low < high and low < part.high
        ]
        ends = [low, *(part.high for part in inside)]
        if [part.low for part in inside] != ends[:-1] or ends[-1] != high:
            return False
        return all(_is_falling(part, name) for part in inside) and _never_jumps_up(written, inside, name)
    except (NotImplementedError, UncertainError, *NO_NUMBER):
        return False


def _is_falling(part: Section, name: str) -> bool:
    slope = right_slope(part.value, name)
    known = sign(substituted(slope, {name: ("exp", INNER)}))  # as of a variable that is positive
    if known is not None:
        return known <= 0
    found = coefficients(slope, name)
    if found is None or len(found) > 2:
        return False
    at_high = value_at(found[-1], {}) if part.high == inf else value_at(slope, {name: part.high})
    return not any(is_less(0, at) for at in (value_at(slope, {name: part.low}), at_high))


def _never_jumps_up(written: Pieces, found: Sequence[Section], name: str) -> bool:
    """Neither to what holds at the end of a section nor from there."""
    joints: list[tuple[Expression | None, Expression | None, Number]] = [
        (part.value, _holding(written, {name: part.high}), part.high) for part in found if part.high != inf
    ]
    joints += [(_holding(written, {name: part.low}), part.value, part.low) for part in found]
    if joints[-len(found)][0] is None:
        del joints[-len(found)]  # at the low end of all there may be no value
    return not any(
        before is None or after is None or is_less(value_at(before, {name: at}), value_at(after, {name: at}))
        for before, after, at in joints
        if before != after
    )


def _compared(condition: Condition) -> list[tuple[Expression, Expression]]:
    found = sides(condition)
    return list(zip(found[::2], found[1::2], strict=True))


def _holding(found: Pieces, point: dict[str, Number]) -> Expression | None:
    """The value of the piece whose condition holds; a condition without a truth does not."""
    for when, value in found:
        try:
            if truth_at(when, point):
                return value
        except NO_NUMBER:
            continue
    return None


def _changes(left: Expression, right: Expression, name: str) -> Iterator[Number]:
    """Where the sign of left - right may change, or whether it has one."""
    difference = WRITTEN.operation("+", [left, WRITTEN.product([Fraction(-1), right], [])])
    found = coefficients(difference, name)
    if found is not None:
        yield from _roots(found)
        return
    for inner in everywhere(difference):
        if not isinstance(inner, tuple) or inner[0] not in ("exp", "log"):
            continue
        line = coefficients(inner[1], name)
        outer = coefficients(replaced(difference, inner, INNER), INNER)
        if line is not None and len(line) == 2 and outer is not None and not any(name in variables(p) for p in outer):
            yield from _through(inner[0], line, outer)
            return
    raise NotImplementedError(f"it is not computed where the sign of {difference} changes")


def _through(function: str, line: Coefficients, outer: Coefficients) -> Iterator[Number]:
    """Where a polynomial in the exponential or in the logarithm of a line is zero, or stops to be defined."""
    free, first = (ball(value_at(part, {})) for part in line)
    if function == "log":
        yield from _roots(line)
    for root in _roots(outer):
        if function == "log":
            yield (ball(root).exp() - free) / first
        elif is_less(0, root):
            yield (ball(root).log() - free) / first


@lru_cache(maxsize=256)
def _roots(found: Coefficients) -> list[Number]:
    """The real roots of a polynomial; NotImplementedError if it is not rational, nor of degree 1 or 2."""
    numbers = [value_at(part, {}) for part in found]
    if len(numbers) <= 1:
        return []
    if all(isinstance(number, Fraction) for number in numbers):
        return _rational_roots(numbers)
    flint.ctx.prec = PRECISION
    free, first, *second = map(ball, numbers)
    if len(second) > 1 or any(top.contains(0) for top in (second or [first])):
        raise NotImplementedError(f"the roots of a polynomial with the coefficients {numbers} are not computed")
    if not second:
        return [-free / first]
    square = first * first - 4 * free * second[0]
    if square < 0:
        return []
    if not square > 0:
        raise NotImplementedError(f"whether a polynomial with the coefficients {numbers} has roots is not computed")
    return [(-first + way * square.sqrt()) / (2 * second[0]) for way in (1, -1)]


def _rational_roots(numbers: Sequence[Fraction]) -> list[Number]:
    """Fractions where they are rational, else balls."""
    flint.ctx.prec = PRECISION
    _, factors = flint.fmpq_poly([flint.fmpq(n.numerator, n.denominator) for n in numbers]).factor()
    found = (_roots_of_factor(tuple(factor.coeffs())) for factor, _ in factors)
    return [root for roots in found for root in roots]


@lru_cache(maxsize=256)
def _roots_of_factor(factor: tuple[flint.fmpq, ...]) -> list[Number]:
    """Of an irreducible polynomial; the same objects for the same one."""
    if len(factor) == 2:
        return [plain(-factor[0] / factor[1])]
    found: list[Any] = flint.fmpq_poly(list(factor)).numer().complex_roots()  # pairs; the stub has no multiplicities
    return [root.real for root, _ in found if root.imag == 0]


def _ascending(cuts: Iterable[Number]) -> list[Number]:
    """In order, each once; NotImplementedError if balls leave the order open."""
    kept: list[Number] = []
    for cut in cuts:
        place = 0
        try:
            while place < len(kept) and is_less(kept[place], cut):
                place += 1
            if place == len(kept) or is_less(cut, kept[place]):
                kept.insert(place, cut)
        except UncertainError as error:
            raise NotImplementedError(f"it is not computed which of two sections comes first: {error}") from error
    return kept


def _between(low: Number, high: Number) -> Fraction:
    """A number inside."""
    if low == -inf:
        return Fraction(0) if high == inf else enclosure(high)[0] - 1
    return enclosure(low)[1] + 1 if high == inf else (enclosure(low)[1] + enclosure(high)[0]) / 2
