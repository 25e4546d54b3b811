"""The value of an expression at a point, and its derivative along the piece that holds on one side.

Numbers are fractions as long as they can be, and balls of 256 bits after a root, an exponential or a logarithm that is
not rational. A question that a ball leaves open raises ``Unsure``, and the point is not used.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import isqrt

import flint

from degenerate.describe import Node, node

Number = Fraction | flint.arb
Point = Mapping[str, Number]
NEAR = Fraction(1, 10**200)  # nearer than any two places where pieces can meet
BITS = 256


class UndefinedError(Exception):
    """The expression has no value, or a condition no truth value."""


class UnsureError(Exception):
    """A ball is too wide to tell."""


def ball(number: Number) -> flint.arb:
    """The number as a ball."""
    if isinstance(number, Fraction):
        return flint.arb(flint.fmpq(number.numerator, number.denominator))
    return number


def below(left: Number, right: Number) -> bool:
    """left < right, certainly or certainly not."""
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left < right
    left, right = ball(left), ball(right)
    if left < right:
        return True
    if left >= right:
        return False
    raise UnsureError


def equal(left: Number, right: Number) -> bool:
    """left = right, certainly or certainly not."""
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left == right
    if ball(left) != ball(right):
        return False
    raise UnsureError


def plus(left: Number, right: Number) -> Number:
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left + right
    return ball(left) + ball(right)


def minus(left: Number, right: Number) -> Number:
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left - right
    return ball(left) - ball(right)


def times(left: Number, right: Number) -> Number:
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left * right
    return ball(left) * ball(right)


def over(left: Number, right: Number) -> Number:
    if equal(right, Fraction(0)):
        raise UndefinedError("division by zero")
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return left / right
    return ball(left) / ball(right)


def power(base: Number, exponent: Number) -> Number:
    if not isinstance(exponent, Fraction) or exponent.denominator != 1 or abs(exponent) > 10**4:
        raise UnsureError
    if exponent < 0:
        return over(Fraction(1), power(base, -exponent))
    return base ** int(exponent)


def root(number: Number) -> Number:
    if below(number, Fraction(0)):
        raise UndefinedError("root of a negative number")
    if isinstance(number, Fraction):
        top, bottom = isqrt(number.numerator), isqrt(number.denominator)
        if top * top == number.numerator and bottom * bottom == number.denominator:
            return Fraction(top, bottom)
    return ball(number).sqrt()


def exponential(number: Number) -> Number:
    return Fraction(1) if number == Fraction(0) else ball(number).exp()


def logarithm(number: Number) -> Number:
    if not below(Fraction(0), number):
        raise UndefinedError("logarithm of a number that is not positive")
    return Fraction(0) if number == Fraction(1) else ball(number).log()


ARITHMETIC = {"+": plus, "-": minus, "*": times, "/": over, "**": power}
FUNCTIONS = {"sqrt": root, "exp": exponential, "log": logarithm}
RELATIONS = {
    "<=": lambda left, right: not below(right, left),
    "<": below,
    ">=": lambda left, right: not below(left, right),
    ">": lambda left, right: below(right, left),
    "Eq": equal,
    "Ne": lambda left, right: not equal(left, right),
}


@lru_cache(maxsize=20000)
def compiled(tree: Node) -> Callable[[Point], Number]:
    """The expression (or condition) as a function of a point."""
    head, parts = tree.head, tree.parts
    if head == "number":
        return lambda point: parts[1]
    if head == "name":
        return lambda point: point[parts[0]]
    if head == "True":
        return lambda point: True
    if head == "Piecewise":
        return _read_in_order([(compiled(value), compiled(condition)) for value, condition in parts])
    below_ = [compiled(part) for part in parts]
    if head in ARITHMETIC or head in RELATIONS:
        combine, (left, right) = (ARITHMETIC | RELATIONS)[head], below_
        return lambda point: combine(left(point), right(point))
    if head in FUNCTIONS:
        apply, (inner,) = FUNCTIONS[head], below_
        return lambda point: apply(inner(point))
    if head in ("And", "Or"):  # every part is read: an undefined one leaves the whole undefined
        gather = all if head == "And" else any
        return lambda point: gather([part(point) for part in below_])
    if head == "Abs":
        return lambda point: abs(below_[0](point))
    assert head in ("Min", "Max"), head
    return lambda point: below_[_extreme(head, [part(point) for part in below_])](point)


def _read_in_order(pairs: list[tuple[Callable, Callable]]) -> Callable[[Point], Number]:
    def value(point: Point) -> Number:
        for found, condition in pairs:
            if condition(point):
                return found(point)
        raise UndefinedError("no piece holds")

    return value


def _extreme(head: str, values: list[Number]) -> int:
    """The place of the first smallest or largest value."""
    best = 0
    for place, found in enumerate(values):
        if place and (below(found, values[best]) if head == "Min" else below(values[best], found)):
            best = place
    return best


def value(tree: Node, point: Point) -> Number:
    """The value at the point. UndefinedError if there is none."""
    return compiled(tree)(point)


def branch(tree: Node, point: Point) -> Node:
    """The expression without pieces: the one that holds at the point."""
    head, parts = tree.head, tree.parts
    if head in ("number", "name"):
        return tree
    if head == "Piecewise":
        for found, condition in parts:
            if value(condition, point):
                return branch(found, point)
        raise UndefinedError("no piece holds")
    if head == "Abs":
        inner = branch(parts[0], point)
        return -inner if below(value(inner, point), Fraction(0)) else inner
    if head in ("Min", "Max"):
        return branch(parts[_extreme(head, [value(part, point) for part in parts])], point)
    return Node(head, tuple(branch(part, point) for part in parts))


def slope(tree: Node, point: Point, variable: str) -> tuple[Number, Number]:
    """The value and the derivative of an expression without pieces."""
    head, parts = tree.head, tree.parts
    if head == "number":
        return parts[1], Fraction(0)
    if head == "name":
        return point[parts[0]], Fraction(int(parts[0] == variable))
    u, du = slope(parts[0], point, variable)
    if head == "sqrt":
        found = root(u)
        return found, over(du, times(Fraction(2), found)) if du != 0 else du
    if head == "exp":
        return exponential(u), times(exponential(u), du)
    if head == "log":
        return logarithm(u), over(du, u)
    v, dv = slope(parts[1], point, variable)
    if head in ("+", "-"):
        return ARITHMETIC[head](u, v), ARITHMETIC[head](du, dv)
    if head == "*":
        return times(u, v), plus(times(du, v), times(u, dv))
    if head == "/":
        return over(u, v), over(minus(times(du, v), times(u, dv)), times(v, v))
    assert head == "**", head
    if dv != 0 or v == 0:
        raise UnsureError
    return power(u, v), times(times(v, power(u, minus(v, Fraction(1)))), du)


def one_sided(tree: Node, point: Point, variable: str, side: int) -> tuple[Number, Number]:
    """The limits of value and derivative from the right (side 1) or from the left (-1).

    UndefinedError if there is no value beside the point, UnsureError if the piece there ends before the limit.
    """
    aside = {**point, variable: point[variable] + side * NEAR}
    value(tree, aside)
    try:
        return slope(branch(tree, aside), point, variable)
    except UndefinedError as error:
        raise UnsureError from error


def mirrored(tree: Node, variable: str) -> Node:
    """The expression at minus the variable."""
    if tree.head == "name":
        return -tree if tree.parts[0] == variable else tree
    if tree.head in ("number", "True"):
        return tree
    if tree.head == "Piecewise":
        return Node(tree.head, tuple(tuple(mirrored(part, variable) for part in pair) for pair in tree.parts))
    return Node(tree.head, tuple(mirrored(node(part), variable) for part in tree.parts))
