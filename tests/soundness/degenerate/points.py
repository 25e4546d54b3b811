"""Does a kernel claim fail at one of a few points? Read from the claim's data with the oracle's own arithmetic."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product
from typing import Any

import flint

from degenerate.evaluate import (
    ARITHMETIC,
    BITS,
    FUNCTIONS,
    RELATIONS,
    Number,
    Point,
    UndefinedError,
    UnsureError,
    ball,
    below,
)

SIGNS = {"=": "Eq", "!=": "Ne"}
MOST = 16


def fails(claim: Any, values: dict[str, list[Fraction]], others: list[Fraction]) -> bool:
    """Whether the hypotheses certainly hold and the conclusion certainly does not at a point of the product.

    ``values`` are what a variable of that name is given, ``others`` what any other is.
    """
    relations = [*claim.given, claim.then]
    names = sorted(
        {name for relation in relations for side in (relation.left, relation.right) for name in _names(side)}
    )
    rows = product(*(values.get(name, others) for name in names))
    with flint.ctx.workprec(BITS):
        return any(_fails(claim, dict(zip(names, row, strict=True))) for row in islice(rows, MOST))


def _fails(claim: Any, point: Point) -> bool:
    try:
        if not all(_holds(relation, point) for relation in claim.given):
            return False
        if any(not _is_integer(_value(term, point)) for term in getattr(claim, "integers", ())):
            return False
    except (UndefinedError, UnsureError):
        return False
    try:
        return not _holds(claim.then, point)
    except UndefinedError:
        return True
    except UnsureError:
        return False


def _is_integer(number: Number) -> bool:
    return isinstance(number, Fraction) and number.denominator == 1


def _holds(relation: Any, point: Point) -> bool:
    return RELATIONS[SIGNS.get(relation.sign, relation.sign)](
        _value(relation.left, point), _value(relation.right, point)
    )


def _value(term: Any, point: Point) -> Number:
    if isinstance(term, Fraction):
        return term
    if isinstance(term, str):
        return point[term]
    head, parts = term[0], [part if type(part) is int else _value(part, point) for part in term[1:]]
    if head in ("+", "*"):
        found = parts[0]
        for part in parts[1:]:
            found = ARITHMETIC[head](found, part)
        return found
    if head == "^":
        return ARITHMETIC["**"](parts[0], Fraction(parts[1]))
    if head == "root":
        if parts[1] == 2:
            return FUNCTIONS["sqrt"](parts[0])
        if below(parts[0], Fraction(0)):
            raise UndefinedError("root of a negative number")
        return ball(parts[0]).root(parts[1])
    return FUNCTIONS[head](parts[0])


def _names(term: Any) -> Iterator[str]:
    if isinstance(term, str):
        yield term
    elif isinstance(term, tuple):
        for part in term[1:]:
            yield from _names(part)
