"""The derivative from the right, everywhere: an expression with kinks has one as an expression.

What stands on a kink belongs to the branch that holds just beside it, however the condition is written.
"""

from fractions import Fraction
from math import prod

from gaptron.language.expressions import Condition, Expression
from gaptron.language.relations import Relation
from gaptron.language.terms import arguments, derivative

ORDERS, ORDERS_OF_OTHERS = 12, 4  # of derivatives that may vanish on a kink: of polynomials, of anything else
KINKED = ("min", "max", "abs", "pieces")


def right_derivative(expression: Expression, name: str) -> Expression:
    """The derivative from the right in a variable."""
    if not depends(expression, name):
        return Fraction(0)
    if not isinstance(expression, tuple):
        return Fraction(1)
    head, *parts = expression
    if head == "pieces":
        return ("pieces", *((right_derivative(value, name), _beside(when, name)) for value, when in parts))
    if head == "abs":
        return right_derivative(("max", parts[0], _times(Fraction(-1), parts[0])), name)
    if head in ("min", "max"):
        return _of_extreme(head, parts, name)
    if head == "power":
        return _times(expression, right_derivative(("*", parts[1], ("log", parts[0])), name))
    if head == "+":
        return _plus(*(right_derivative(part, name) for part in parts))
    if head == "*":
        factors = range(len(parts))
        return _plus(*(_times(*parts[:i], right_derivative(parts[i], name), *parts[i + 1 :]) for i in factors))
    inner = "inner"  # the rules are those of terms: the derivative of the outer operation in what it is applied to
    outer = derivative((head, inner, *parts[1:]), inner)
    return _times(_put(outer, inner, parts[0]), right_derivative(parts[0], name))


def left_derivative(expression: Expression, name: str) -> Expression:
    """The derivative from the left."""
    mirror = _times(Fraction(-1), name)
    return _times(Fraction(-1), _put(right_derivative(_put(expression, name, mirror), name), name, mirror))


def _put(part: Expression, name: str, value: Expression) -> Expression:
    """The expression, or condition, with a value in the place of a variable."""
    if isinstance(part, str):
        return value if part == name else part
    if isinstance(part, Relation):
        return Relation(part.sign, _put(part.left, name, value), _put(part.right, name, value))  # type: ignore[return-value]
    if not isinstance(part, tuple):
        return part
    first, *rest = part
    head = first if isinstance(first, str) else _put(first, name, value)
    return (head, *(one if type(one) in (int, bool) else _put(one, name, value) for one in rest))


def depends(part: Expression, name: str) -> bool:
    """Whether a variable is in it."""
    if isinstance(part, Relation):
        return depends(part.left, name) or depends(part.right, name)
    if not isinstance(part, tuple):
        return part == name
    return any(depends(one, name) for one in (part[1:] if isinstance(part[0], str) else part))


def _of_extreme(head: str, parts: list[Expression], name: str) -> Expression:
    """The slope of the argument that is the largest (least) just beside."""
    first, *rest = parts
    sign = Fraction(1 if head == "max" else -1)
    wins = _all(*(_positive_beside(_difference(sign, first, other), name) for other in rest))
    others = rest[0] if len(rest) == 1 else (head, *rest)
    return ("pieces", (right_derivative(first, name), wins), (right_derivative(others, name), True))


def _difference(sign: Fraction, left: Expression, right: Expression) -> Expression:
    return _plus(_times(sign, left), _times(-sign, right))


def _beside(condition: Condition, name: str) -> Condition:
    """Whether a condition holds just right of a variable's value."""
    if isinstance(condition, bool):
        return condition
    if not isinstance(condition, Relation):
        head, *parts = condition
        beside = [_beside(part, name) for part in parts if not isinstance(part, str)]
        return _not(beside[0]) if head == "not" else _all(*beside) if head == "and" else _any(*beside)
    above, below = (
        _positive_beside(_difference(Fraction(sign), condition.left, condition.right), name) for sign in (1, -1)
    )
    meant = {">": above, "<": below, "!=": _any(above, below)}
    weak = {"<=": _not(above), ">=": _not(below), "=": _not(_any(above, below))}
    return (meant | weak)[condition.sign]


def _positive_beside(expression: Expression, name: str, order: int = 0) -> Condition:
    """Whether it is > 0 just right: the first derivative that does not vanish is positive."""
    zero, most = Fraction(0), ORDERS if _is_polynomial(expression) else ORDERS_OF_OTHERS
    if isinstance(expression, Fraction):
        return expression > 0
    positive = Relation(">", expression, zero)
    if order >= most or not depends(expression, name):
        return positive
    later = _positive_beside(right_derivative(expression, name), name, order + 1)
    if isinstance(later, bool):
        return Relation(">=", expression, zero) if later else positive
    return ("or", positive, ("and", Relation("=", expression, zero), later))


def _is_polynomial(expression: Expression) -> bool:
    if not isinstance(expression, tuple):
        return True
    whole = expression[0] in ("+", "*") or (expression[0] == "^" and expression[2] > 0)
    return whole and all(map(_is_polynomial, arguments(expression)))


def _all(*parts: Condition) -> Condition:
    left = [part for part in parts if part is not True]
    return False if False in left else ("and", *left) if len(left) > 1 else left[0] if left else True


def _any(*parts: Condition) -> Condition:
    left = [part for part in parts if part is not False]
    return True if True in left else ("or", *left) if len(left) > 1 else left[0] if left else False


def _not(part: Condition) -> Condition:
    return not part if isinstance(part, bool) else ("not", part)


def _plus(*parts: Expression) -> Expression:
    """The sum, its numbers added up."""
    number = sum((part for part in parts if isinstance(part, Fraction)), Fraction(0))
    left = [part for part in parts if not isinstance(part, Fraction)]
    kept = left if number == 0 and left else [number, *left]
    return ("+", *kept) if len(kept) > 1 else kept[0]


def _times(*parts: Expression) -> Expression:
    """The product, its numbers multiplied, and those of products in it."""
    flat: list[Expression] = []
    for part in parts:
        flat += part[1:] if isinstance(part, tuple) and part[0] == "*" else [part]
    number = prod((part for part in flat if isinstance(part, Fraction)), start=Fraction(1))
    left = [part for part in flat if not isinstance(part, Fraction)]
    kept = [number] if number == 0 or not left else left if number == 1 else [number, *left]
    return ("*", *kept) if len(kept) > 1 else kept[0]
