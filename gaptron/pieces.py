"""A piecewise expression as the list of its smooth pieces: Piecewise, Min, Max and Abs are split into cases."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, to_dnf

from gaptron.symbols import K

Bound = tuple[sp.Symbol, sp.Expr, bool, bool]

SPLIT = (sp.Piecewise, sp.Min, sp.Max, sp.Abs)


@dataclass(frozen=True)
class Piece:
    """``value`` (smooth) where all of ``conditions`` hold; the value nan marks where nothing is defined."""

    conditions: tuple[Relational, ...]
    value: sp.Expr

    def closed(self) -> tuple[Relational, ...]:
        """The conditions with their boundary: what one-sided limits of the piece can reach."""
        return tuple(relax(c) for c in self.conditions)


def pieces(expr: sp.Expr) -> tuple[Piece, ...]:
    """Pieces that together cover every real argument; pieces certainly empty for all K >= 2 are left out."""
    return tuple(piece for piece in _split((), expr) if not is_empty(piece.conditions))


def defined_pieces(expr: sp.Expr, domain: tuple[Relational, ...] = ()) -> list[Piece]:
    """The pieces that have a value somewhere in the domain."""
    return [piece for piece in pieces(expr) if not piece.value.has(sp.nan) and not is_empty(piece.conditions + domain)]


def _split(conditions: tuple[Relational, ...], expr: sp.Expr) -> Iterator[Piece]:
    node = next((n for n in sp.postorder_traversal(expr) if isinstance(n, SPLIT)), None)
    if node is None:
        yield Piece(conditions, expr)
        return
    for condition, value in _cases(node):
        for clause in _conjunctions(condition):
            if not is_empty(conditions + clause):
                yield from _split(conditions + clause, expr.xreplace({node: value}))


def _cases(node: sp.Expr) -> Iterator[tuple[Boolean, sp.Expr]]:
    if isinstance(node, sp.Abs):
        yield node.args[0] >= 0, node.args[0]
        yield node.args[0] <= 0, -node.args[0]
    elif isinstance(node, (sp.Min, sp.Max)):
        wins = sp.Ge if isinstance(node, sp.Max) else sp.Le
        for argument in node.args:
            yield sp.And(*(wins(argument, other) for other in node.args if other != argument)), argument
    else:
        before = sp.true
        for value, condition in node.args:
            yield sp.And(before, condition), value
            before = sp.And(before, sp.Not(condition))
        if before != sp.false:
            yield before, sp.nan


def _conjunctions(condition: Boolean) -> Iterator[tuple[Relational, ...]]:
    """The clauses of the disjunctive normal form; != is split into < and >."""
    normal = to_dnf(condition)
    for clause in normal.args if isinstance(normal, sp.Or) else (normal,):
        literals = clause.args if isinstance(clause, sp.And) else (clause,)
        if sp.false in literals:
            continue
        choices = [_sides(literal) for literal in literals if literal != sp.true]
        yield from product(*choices)


def _sides(literal: Relational) -> tuple[Relational, ...]:
    if isinstance(literal, sp.Ne):
        return sp.Lt(literal.lhs, literal.rhs), sp.Gt(literal.lhs, literal.rhs)
    return (literal,)


def relax(condition: Relational) -> Relational:
    """The condition with its boundary included."""
    if isinstance(condition, sp.Lt):
        return sp.Le(condition.lhs, condition.rhs, evaluate=False)
    if isinstance(condition, sp.Gt):
        return sp.Ge(condition.lhs, condition.rhs, evaluate=False)
    return condition


def restrict(condition: Relational) -> Relational:
    """The condition without its boundary."""
    if isinstance(condition, sp.Le):
        return sp.Lt(condition.lhs, condition.rhs)
    if isinstance(condition, sp.Ge):
        return sp.Gt(condition.lhs, condition.rhs)
    return condition


def has_interior(conditions: tuple[Relational, ...]) -> bool:
    """False if the conditions certainly hold on a set without interior only."""
    return not any(isinstance(c, sp.Eq) for c in conditions) and not is_empty(tuple(map(restrict, conditions)))


def is_empty(conditions: tuple[Relational, ...]) -> bool:
    """True only if no real point with K >= 2 satisfies all conditions; decided for bounds on one variable."""
    if sp.false in conditions:
        return True
    lower: list[tuple[sp.Symbol, sp.Expr, bool]] = []
    upper: list[tuple[sp.Symbol, sp.Expr, bool]] = []
    for condition in conditions:
        for variable, bound, strict, above in _bounds(condition):
            (lower if above else upper).append((variable, bound, strict))
    return any(
        low[0] == high[0] and is_nonnegative(low[1] - high[1], strict=not (low[2] or high[2]))
        for low in lower
        for high in upper
    )


def interval(conditions: tuple[Relational, ...], variable: sp.Symbol) -> tuple[sp.Expr, sp.Expr]:
    """The ends of the interval of ``variable`` that the conditions describe.

    Raises
    ------
    NotImplementedError
        If a condition is not a bound on ``variable`` by a number.
    """
    ends: dict[bool, list[sp.Expr]] = {True: [-sp.oo], False: [sp.oo]}
    for condition in conditions:
        bounds = _bounds(condition)
        if not bounds or any(name != variable or not bound.is_number for name, bound, *_ in bounds):
            raise NotImplementedError(f"the condition {condition} is not a bound on {variable} by a number")
        for _, bound, _, above in bounds:
            ends[above].append(bound)
    return sp.Max(*ends[True]), sp.Min(*ends[False])


@lru_cache(maxsize=4096)
def _bounds(condition: Relational) -> tuple[Bound, ...]:
    """(variable, bound, strict, is a lower bound) of a condition that is linear in one variable beside K."""
    return tuple(_found_bounds(condition))


def _found_bounds(condition: Relational) -> Iterator[Bound]:
    if condition in (sp.true, sp.false):
        return
    difference = sp.expand(condition.lhs - condition.rhs)
    variables = difference.free_symbols - {K}
    if len(variables) > 1:
        return
    if not variables:
        yield from _trivial_bounds(condition, difference)
        return
    (variable,) = variables
    if not difference.is_polynomial(variable) or sp.degree(difference, variable) != 1:
        return
    slope = difference.coeff(variable, 1)
    if not slope.is_number:
        return
    bound = -difference.coeff(variable, 0) / slope
    strict = isinstance(condition, (sp.Lt, sp.Gt))
    if isinstance(condition, (sp.Eq, sp.Ge, sp.Gt, sp.Le, sp.Lt)):
        up = isinstance(condition, (sp.Ge, sp.Gt)) == bool(slope > 0)
        if isinstance(condition, sp.Eq):
            yield variable, bound, False, True
            yield variable, bound, False, False
        else:
            yield variable, bound, strict, up


def _trivial_bounds(condition: Relational, difference: sp.Expr) -> Iterator[Bound]:
    """A condition on K alone, read as a bound on a variable that is zero."""
    zero = sp.Dummy("zero")
    sign = difference if isinstance(condition, (sp.Le, sp.Lt)) else -difference
    if not isinstance(condition, sp.Eq) and is_nonnegative(sign, strict=isinstance(condition, (sp.Le, sp.Ge))):
        yield zero, sp.Integer(1), False, True
        yield zero, sp.Integer(0), False, False


@lru_cache(maxsize=4096)
def is_nonnegative(expr: sp.Expr, strict: bool = False) -> bool:
    """True only if ``expr`` >= 0 (or > 0) for every real K >= 2: no coefficient in K - 2 is negative."""
    if expr.is_number:
        return bool(expr.is_positive if strict else expr.is_nonnegative)
    numerator, denominator = map(_coefficients, sp.fraction(sp.cancel(sp.together(expr))))
    if numerator is None or denominator is None:
        return False
    for top, bottom in ((numerator, denominator), ([-c for c in numerator], [-c for c in denominator])):
        if all(c.is_nonnegative for c in top + bottom) and bottom[-1].is_positive:
            return not strict or bool(top[-1].is_positive)
    return False


def _coefficients(expr: sp.Expr) -> list[sp.Expr] | None:
    if not expr.is_polynomial(K):
        return None
    return list(sp.Poly(expr.subs(K, K + 2), K).all_coeffs())
