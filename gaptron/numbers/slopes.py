"""Slopes of what a theorem file writes: from both sides, and whether it falls everywhere."""

from functools import lru_cache
from itertools import pairwise

import sympy as sp

from gaptron.door.reading import name_of, read
from gaptron.language.expressions import Expression
from gaptron.language.slopes import left_derivative, right_derivative

KINKED = (sp.Piecewise, sp.Min, sp.Max, sp.Abs)


@lru_cache(maxsize=1024)
def right_slope(expr: sp.Expr, variable: sp.Symbol) -> Expression:
    """The derivative from the right."""
    return right_derivative(read(expr), name_of(variable))


@lru_cache(maxsize=1024)
def left_slope(expr: sp.Expr, variable: sp.Symbol) -> Expression:
    """The derivative from the left."""
    return left_derivative(read(expr), name_of(variable))


@lru_cache(maxsize=256)
def falls(expr: sp.Expr, variable: sp.Symbol, domain: sp.Interval) -> bool:
    """Whether it never rises on the domain; False also where that is not seen: slopes are lines, or have a sign."""
    pieces = sp.piecewise_fold(expr.rewrite(sp.Piecewise)).as_expr_set_pairs(domain) if expr.has(*KINKED) else None
    found = sorted(pieces or [(expr, domain)], key=lambda piece: (piece[1].inf, piece[1].sup))
    if not all(_is_falling(value, variable, where) for value, where in found):
        return False
    steps = ((one.subs(variable, at.sup), next_.subs(variable, at.sup)) for (one, at), (next_, _) in pairwise(found))
    return all((before - after).is_nonnegative for before, after in steps)


def _is_falling(expr: sp.Expr, variable: sp.Symbol, where: sp.Set) -> bool:
    if not isinstance(where, sp.Interval):
        return isinstance(where, sp.FiniteSet) and len(where) == 1
    slope = sp.expand(sp.diff(expr, variable))
    if slope.is_nonpositive:
        return True
    if not slope.is_polynomial(variable) or sp.degree(slope, variable) > 1:
        return False
    return all(sp.limit(slope, variable, end).is_nonpositive for end in (where.inf, where.sup))
