"""Slopes of expressions with kinks, as expressions: the derivative from the right, everywhere.

What stands on a kink belongs to the branch that holds just beside it, however the condition is written.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Any

from gaptron.language.expressions import Condition, Expression, everywhere, parts, variables
from gaptron.language.instantiation import WRITTEN, substituted
from gaptron.language.relations import Relation
from gaptron.language.terms import derivative
from gaptron.language.univariate_polynomials import coefficients, polynomial

ORDERS = 12
KINKED = ("pieces", "min", "max", "abs", "power")
ZERO, MINUS = Fraction(0), Fraction(-1)
MIRRORED = {">": "<", ">=": "<=", "=": "="}


def right_slope(expression: Expression, name: str) -> Expression:
    """The derivative from the right."""
    return _slope(expression, name, 1)


def left_slope(expression: Expression, name: str) -> Expression:
    """The derivative from the left."""
    return _slope(expression, name, -1)


@lru_cache(maxsize=1024)
def _slope(expression: Expression, name: str, side: int) -> Expression:
    if not isinstance(expression, tuple) or name not in variables(expression):
        return Fraction(int(expression == name))
    if not any(isinstance(part, tuple) and part[0] in KINKED for part in everywhere(expression)):
        return substituted(derivative(expression, name))
    head, *below = expression
    if head == "pieces":
        branches = [(_slope(value, name, side), _beside(when, name, side)) for value, when in below]
        return WRITTEN.pieces(branches)
    if head == "power":
        base, exponent = below
        return WRITTEN.product([expression, _slope(("*", exponent, ("log", base)), name, side)], [])
    if head in ("min", "max"):
        return _of_extreme(head, below, name, side)
    if head == "abs":
        return _of_extreme("max", [*below, WRITTEN.product([MINUS, *below], [])], name, side)
    return _by_the_chain_rule(expression, name, side)


def sign(expression: Expression) -> int | None:
    """1, 0 or -1 where its form says that it is that wherever it is defined; else None."""
    if isinstance(expression, Fraction):
        return (expression > 0) - (expression < 0)
    if isinstance(expression, str):
        return None
    head, *below = expression
    if head in ("exp", "pi"):
        return 1
    if head == "log":
        return sign(below[0] - 1) if isinstance(below[0], Fraction) else None
    signs = [sign(part) for part in parts(expression)]
    if None in signs or head not in ("+", "*", "^", "root"):
        return None
    known = [one for one in signs if one is not None]
    if head == "+":
        ways = {one for one in known if one}
        return None if len(ways) > 1 else next(iter(ways), 0)
    return prod(known) if head == "*" else known[0] ** (below[1] % 2 or 2) if head == "^" else known[0]


def _of_extreme(head: str, arguments: Sequence[Expression], name: str, side: int) -> Expression:
    """The slope of the argument that is the largest (least) just beside."""
    first, *rest = arguments
    way = MINUS if head == "min" else -MINUS
    ahead = [WRITTEN.product([way, _difference(first, other)], []) for other in rest]
    is_first = WRITTEN.connective("and", [_positive_beside(part, name, side) for part in ahead])
    others = _slope((head, *rest) if len(rest) > 1 else rest[0], name, side)
    return WRITTEN.pieces([(_slope(first, name, side), is_first), (others, True)])


def _by_the_chain_rule(expression: tuple[Any, ...], name: str, side: int) -> Expression:
    inner = {f"#{i}": argument for i, argument in enumerate(parts(expression))}
    outer = (expression[0], *inner, *expression[1 + len(inner) :])
    slopes = [(substituted(derivative(outer, at), inner), _slope(part, name, side)) for at, part in inner.items()]
    return WRITTEN.operation("+", [WRITTEN.product(pair, []) for pair in slopes if pair[1] != 0])


def _beside(condition: Condition, name: str, side: int) -> Condition:
    """Whether a condition holds just beside ``name``."""
    if isinstance(condition, bool):
        return condition
    if not isinstance(condition, Relation):
        head, *below = condition
        return WRITTEN.connective(str(head), [_beside(part, name, side) for part in below if not isinstance(part, str)])
    difference = _difference(condition.left, condition.right)
    positive = _positive_beside(difference, name, side)
    negative = _positive_beside(WRITTEN.product([MINUS, difference], []), name, side)
    found = {">": positive, "<": negative, "!=": WRITTEN.connective("or", [positive, negative])}
    opposite = {"<=": ">", ">=": "<", "=": "!="}.get(condition.sign)
    return found[condition.sign] if opposite is None else WRITTEN.connective("not", [found[opposite]])


def _difference(left: Expression, right: Expression) -> Expression:
    return WRITTEN.operation("+", [left, WRITTEN.product([MINUS, right], [])])


def _positive_beside(expression: Expression, name: str, side: int, orders: int = ORDERS) -> Condition:
    """expression > 0 just beside ``name``: so is the first derivative that does not vanish, seen from there."""
    known = sign(expression)
    if known is not None:
        return known > 0
    found = coefficients(expression, name)
    expanded = expression if found is None else polynomial(found, name)
    if not orders or name not in variables(expanded):
        return _against_zero(">", expanded, name)
    away = WRITTEN.product([Fraction(side), _slope(expanded, name, side)], [])
    later = _positive_beside(away, name, side, orders - 1)
    if isinstance(later, bool):
        return _against_zero(">=" if later else ">", expanded, name)
    vanishes = WRITTEN.connective("and", [_against_zero("=", expanded, name), later])
    return WRITTEN.connective("or", [_against_zero(">", expanded, name), vanishes])


def _against_zero(relation: str, expanded: Expression, name: str) -> Condition:
    """``name`` against a number where the expression is a line."""
    match coefficients(expanded, name):
        case (Fraction() as free, Fraction() as first):
            return WRITTEN.relation(relation if first > 0 else MIRRORED[relation], name, -free / first)
    return WRITTEN.relation(relation, expanded, ZERO)
