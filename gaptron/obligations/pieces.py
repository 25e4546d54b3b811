"""Conditions as lists of relations, by their structure alone: no case is judged here, and none is dropped.

A condition that is undefined at a point is false there, as in the kernel; that every condition is defined is a claim
of its own (``coverage``).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from gaptron.language.expressions import Condition, Expression, everywhere
from gaptron.language.formulas import relation
from gaptron.language.instantiation import has_no_value
from gaptron.language.normal import NORMAL, put
from gaptron.language.relations import Relation

Region = tuple[Relation, ...]  # all of them hold

SPLIT = ("pieces", "min", "max", "abs")
NEGATIONS = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "=": "!=", "!=": "="}
CLOSED = {"<": "<=", ">": ">="}
ZERO = Fraction(0)
HOLE: Expression = ("pieces",)  # it has no branch, and no value anywhere
NOWHERE = relation("1 <= 0")  # the conclusion of a claim that says its hypotheses never hold


@dataclass(frozen=True)
class Piece:
    """``value`` (smooth) where all of ``conditions`` hold; ``HOLE`` where nothing is defined."""

    conditions: Region
    value: Expression

    def closed(self, variable: str) -> Region:
        """The conditions with their boundary in ``variable``: what one-sided limits can reach."""
        return closed(self.conditions, variable)


def closed(region: Region, variable: str) -> Region:
    """The region with its boundary in ``variable`` included."""
    return tuple(
        Relation(CLOSED[r.sign], r.left, r.right) if r.sign in CLOSED and variable in r.names else r for r in region
    )


def put_in(given: Relation, values: Mapping[str, Expression]) -> Relation:
    """The relation with these values put in, not judged; never true if a side has none there."""
    left, right = put(given.left, values), put(given.right, values)
    return NOWHERE if has_no_value(left) or has_no_value(right) else Relation(given.sign, left, right)


def put_all(region: Region, values: Mapping[str, Expression]) -> Region:
    """``put_in`` in every relation of the region."""
    return tuple(put_in(given, values) for given in region)


def first_split(expression: Expression) -> Expression | None:
    """The outermost of ``SPLIT``: what decides it is evaluated wherever the expression is."""
    return next((node for node in everywhere(expression) if isinstance(node, tuple) and node[0] in SPLIT), None)


def in_place_of(node: Expression, value: Expression, expression: Expression) -> Expression:
    """The expression with a value wherever the node stands, in conditions too."""
    return put(_replaced(expression, node, value))


def _replaced(part: Any, node: Expression, value: Expression) -> Any:
    if part == node:
        return value
    if isinstance(part, Relation):
        return Relation(part.sign, _replaced(part.left, node, value), _replaced(part.right, node, value))
    return tuple(_replaced(each, node, value) for each in part) if isinstance(part, tuple) else part


def options(node: Expression) -> Iterator[tuple[Region, Expression]]:
    """(where, value) for every way in which a node of ``SPLIT`` may have its value; ``HOLE`` where it has none."""
    assert isinstance(node, tuple)  # noqa: S101
    head, *below = node
    if head == "abs":
        yield (Relation(">=", below[0], ZERO),), below[0]
        yield (Relation("<=", below[0], ZERO),), NORMAL.product([Fraction(-1), below[0]], [])
    elif head != "pieces":
        wins = ">=" if head == "max" else "<="
        for argument in below:
            yield tuple(Relation(wins, argument, other) for other in below if other != argument), argument
    else:
        before: list[Region] = [()]
        for value, condition in below:
            yield from (((*earlier, *here), value) for earlier, here in product(before, clauses(condition)))
            before = [(*earlier, *here) for earlier, here in product(before, clauses(condition, holds=False))]
        yield from ((hole, HOLE) for hole in before)


def clauses(condition: Condition, holds: bool = True) -> list[Region]:
    """Regions that together are where the condition holds (or, where it is defined, does not)."""
    if isinstance(condition, bool):
        return [()] if condition == holds else []
    if isinstance(condition, Relation):
        sign_there = condition.sign if holds else NEGATIONS[condition.sign]
        signs = ("<", ">") if sign_there == "!=" else (sign_there,)
        return [(Relation(each, condition.left, condition.right),) for each in signs]
    name, *below = condition
    if name == "not":
        return clauses(below[0], not holds)  # type: ignore[arg-type]
    parts = [clauses(argument, holds) for argument in below if not isinstance(argument, str)]
    if (name == "and") == holds:
        return [tuple(r for region in chosen for r in region) for chosen in product(*parts)]
    return [region for part in parts for region in part]
