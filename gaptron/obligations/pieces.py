"""Conditions as lists of relations, by their structure alone: no case is judged here, and none is dropped.

A condition that is undefined at a point is false there, as in the kernel; that every condition is defined is a claim
of its own (``coverage``).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

Region = tuple[Relational, ...]  # all of them hold

SPLIT = (sp.Piecewise, sp.Min, sp.Max, sp.Abs)
NEGATIONS = {sp.Le: sp.Gt, sp.Lt: sp.Ge, sp.Ge: sp.Lt, sp.Gt: sp.Le, sp.Eq: sp.Ne, sp.Ne: sp.Eq}
CLOSED = {sp.Lt: sp.Le, sp.Gt: sp.Ge}
NOWHERE = sp.Le(1, 0, evaluate=False)  # the conclusion of a claim that says its hypotheses never hold


@dataclass(frozen=True)
class Piece:
    """``value`` (smooth) where all of ``conditions`` hold; the value nan marks where nothing is defined."""

    conditions: Region
    value: sp.Expr

    @property
    def is_hole(self) -> bool:
        """Whether the expression has no value here."""
        return bool(self.value is sp.nan)

    def closed(self, variable: sp.Symbol) -> Region:
        """The conditions with their boundary in ``variable``: what one-sided limits can reach."""
        return closed(self.conditions, variable)


def closed(region: Region, variable: sp.Symbol) -> Region:
    """The region with its boundary in ``variable`` included."""
    return tuple(
        CLOSED[type(r)](*r.args, evaluate=False) if type(r) in CLOSED and variable in r.free_symbols else r
        for r in region
    )


def put(relation: Relational, values: Mapping[sp.Basic, sp.Basic]) -> Relational:
    """The relation with these values put in, not judged; never true if a side has none there."""
    sides = [side.subs(values) for side in relation.args]
    if any(side.has(sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I) for side in sides):
        return NOWHERE
    return relation.func(*sides, evaluate=False)


def put_all(region: Region, values: Mapping[sp.Basic, sp.Basic]) -> Region:
    """``put`` in every relation of the region."""
    return tuple(put(relation, values) for relation in region)


def first_split(expr: sp.Basic) -> sp.Expr | None:
    """The outermost Piecewise, Min, Max or Abs: what decides it is evaluated wherever ``expr`` is."""
    return next((node for node in sp.preorder_traversal(expr) if isinstance(node, SPLIT)), None)


def options(node: sp.Expr) -> Iterator[tuple[Region, sp.Expr]]:
    """(where, value) for every way in which a node of ``SPLIT`` may have its value; nan where it has none."""
    if isinstance(node, sp.Abs):
        (inner,) = node.args
        yield (sp.Ge(inner, 0, evaluate=False),), inner
        yield (sp.Le(inner, 0, evaluate=False),), -inner
    elif isinstance(node, (sp.Min, sp.Max)):
        wins = sp.Ge if isinstance(node, sp.Max) else sp.Le
        for argument in node.args:
            yield tuple(wins(argument, other, evaluate=False) for other in node.args if other != argument), argument
    else:
        before: list[Region] = [()]
        for value, condition in node.args:
            yield from (((*earlier, *here), value) for earlier, here in product(before, clauses(condition)))
            before = [(*earlier, *here) for earlier, here in product(before, clauses(condition, holds=False))]
        yield from ((hole, sp.nan) for hole in before)


def clauses(condition: Boolean, holds: bool = True) -> list[Region]:
    """Regions that together are where the condition holds (or, where it is defined, does not)."""
    if condition in (sp.true, sp.false):
        return [()] if bool(condition) == holds else []
    if isinstance(condition, sp.Not):
        return clauses(condition.args[0], not holds)
    if isinstance(condition, (sp.And, sp.Or)):
        parts = [clauses(argument, holds) for argument in condition.args]
        if isinstance(condition, sp.And) == holds:
            return [tuple(r for region in chosen for r in region) for chosen in product(*parts)]
        return [region for part in parts for region in part]
    kind = type(condition) if holds else NEGATIONS[type(condition)]
    kinds = (sp.Lt, sp.Gt) if kind is sp.Ne else (kind,)
    return [(kind(*condition.args, evaluate=False),) for kind in kinds]
