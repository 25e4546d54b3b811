"""Slopes of expressions with kinks, as expressions: the derivative from the right, everywhere.

What stands on a kink belongs to the branch that holds just beside it, however the condition is written.
"""

from functools import lru_cache
from itertools import pairwise

import sympy as sp
from sympy.logic.boolalg import Boolean

ORDERS = 12
KINKED = (sp.Piecewise, sp.Min, sp.Max, sp.Abs)


@lru_cache(maxsize=1024)
def right_slope(expr: sp.Expr, variable: sp.Symbol) -> sp.Expr:
    """The derivative from the right."""
    if not expr.has(*KINKED):
        return sp.diff(expr, variable)
    if isinstance(expr, sp.Piecewise):
        return sp.Piecewise(*((right_slope(value, variable), _beside(when, variable)) for value, when in expr.args))
    if isinstance(expr, sp.Abs):
        return right_slope(sp.Max(expr.args[0], -expr.args[0], evaluate=False), variable)
    if isinstance(expr, (sp.Min, sp.Max)):
        return _of_extreme(expr, variable)
    return _by_the_chain_rule(expr, variable)


def left_slope(expr: sp.Expr, variable: sp.Symbol) -> sp.Expr:
    """The derivative from the left."""
    mirror = {variable: -variable}
    return -right_slope(expr.xreplace(mirror), variable).xreplace(mirror)


def _of_extreme(expr: sp.Expr, variable: sp.Symbol) -> sp.Expr:
    """The slope of the argument that is the largest (least) just beside."""
    first, *rest = expr.args
    sign = 1 if isinstance(expr, sp.Max) else -1
    beaten = [(right_slope(first, variable), [_positive_beside(sign * (first - other), variable) for other in rest])]
    if len(rest) > 1:
        others = expr.func(*rest, evaluate=False)
        return sp.Piecewise((beaten[0][0], sp.And(*beaten[0][1])), (right_slope(others, variable), True))
    return sp.Piecewise((beaten[0][0], beaten[0][1][0]), (right_slope(rest[0], variable), True))


def _by_the_chain_rule(expr: sp.Expr, variable: sp.Symbol) -> sp.Expr:
    inner = {sp.Dummy(real=True): argument for argument in expr.args}
    outer = expr.func(*inner)
    return sp.Add(*(sp.diff(outer, at).xreplace(inner) * right_slope(part, variable) for at, part in inner.items()))


def _beside(condition: Boolean, variable: sp.Symbol) -> Boolean:
    """Whether ``condition`` holds just right of ``variable``."""
    if condition in (sp.true, sp.false):
        return condition
    if isinstance(condition, (sp.And, sp.Or, sp.Not, sp.ITE)):
        return condition.func(*(_beside(part, variable) for part in condition.args))
    positive, negative = (_positive_beside(side * (condition.lhs - condition.rhs), variable) for side in (1, -1))
    strict = {sp.Gt: positive, sp.Lt: negative, sp.Ne: sp.Or(positive, negative)}
    weak = {sp.Le: sp.Not(positive), sp.Ge: sp.Not(negative), sp.Eq: sp.Not(sp.Or(positive, negative))}
    return (strict | weak)[condition.func]


def _positive_beside(expr: sp.Expr, variable: sp.Symbol, orders: int = ORDERS) -> Boolean:
    """expr > 0 just right of ``variable``: the first derivative that does not vanish is positive."""
    expr = sp.expand(expr)
    if not orders or variable not in expr.free_symbols:
        return sp.Gt(expr, 0)
    later = _positive_beside(right_slope(expr, variable), variable, orders - 1)
    if later == sp.true:
        return sp.Ge(expr, 0)
    return sp.Gt(expr, 0) if later == sp.false else sp.Or(sp.Gt(expr, 0), sp.And(sp.Eq(expr, 0), later))


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
