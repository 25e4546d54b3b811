"""An expression with others in the place of its variables, and what is rational in it computed.

The value is that of the expression, and it is defined where the expression is: a division by zero stays one.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod

from gaptron.language.expressions import (
    Condition,
    Expression,
    base_and_exponent,
    evaluated,
    everywhere,
    factors_of,
    rational_power,
    terms,
)
from gaptron.language.relations import OPPOSITES, Relation
from gaptron.language.terms import LARGEST_POWER

HOLDS = {
    "<=": Fraction.__le__, "<": Fraction.__lt__, ">=": Fraction.__ge__, ">": Fraction.__gt__, "=": Fraction.__eq__,
    "!=": Fraction.__ne__,
}  # fmt: skip
NEGATIONS = {**OPPOSITES, "=": "!=", "!=": "="}
PARTIAL = ("root", "log", "power", "pieces")


def substituted(expression: Expression, values: Mapping[str, Expression] | None = None) -> Expression:
    """The expression with all these values at once in the place of the variables."""
    return evaluated(expression, Written(values or {}))


def is_total(expression: Expression) -> bool:
    """Whether it is defined everywhere, by its form."""
    heads = ((part[0], part[-1]) for part in everywhere(expression) if isinstance(part, tuple))
    return not any(head in PARTIAL or (head == "^" and last < 0) for head, last in heads)


def has_no_value(expression: Expression) -> bool:
    """Whether its form says that it is defined nowhere: a division by 0, a logarithm or a root of what is negative."""
    for part in everywhere(expression):
        match part:
            case ("log", Fraction() as number) if number <= 0:
                return True
            case ("root", Fraction() as number, _) if number < 0:
                return True
            case ("^", Fraction() as number, exponent) if number == 0 and exponent < 0:
                return True
    return False


class Written:
    """A table of operations whose values are expressions."""

    def __init__(self, values: Mapping[str, Expression]) -> None:
        self.values = values

    def number(self, value: Fraction) -> Expression:
        return value

    def variable(self, name: str) -> Expression:
        return self.values.get(name, name)

    def product(self, factors: Sequence[Expression], divisors: Sequence[Expression]) -> Expression:
        found = [part for factor in (*factors, *map(_reciprocal, divisors)) for part in factors_of(factor)]
        return self._scaled(*_apart(found))

    def _scaled(self, share: Fraction, rest: Sequence[Expression]) -> Expression:
        """The product, the rational number multiplied into a sum that is all there is besides it."""
        if not rest or (share == 0 and all(map(self._is_total, rest))):
            return share
        if len(rest) == 1 and isinstance(rest[0], tuple) and rest[0][0] == "+" and share not in (0, 1):
            return self.operation("+", [self.product([share, part], []) for part in terms(rest[0])])
        return _times(share, rest)

    def rational_power(self, base: Expression, exponent: Fraction) -> Expression:
        if exponent == 1 or (exponent == 0 and is_total(base)):
            return base if exponent else Fraction(1)
        n = exponent.numerator
        if isinstance(base, Fraction) and exponent.denominator == 1 and (base or n > 0) and abs(n) <= LARGEST_POWER:
            return base**n
        if isinstance(base, tuple) and base[0] == "exp":
            return self.operation("exp", [self.product([exponent, base[1]], [])])
        return rational_power(base, exponent)

    def operation(self, name: str, parts: Sequence[Expression]) -> Expression:
        if name == "+":
            return self._sum([part for one in parts for part in terms(one)])
        if name == "power" and isinstance(parts[1], Fraction):
            return self.rational_power(parts[0], parts[1])
        if name == "log" and isinstance(parts[0], tuple) and parts[0][0] == "exp":
            argument: Expression = parts[0][1]
            return argument
        numbers = [part for part in parts if isinstance(part, Fraction)]
        if not numbers or len(numbers) < len(parts):
            return (name, *parts)
        if name == "abs":
            return abs(numbers[0])
        if name in ("min", "max"):
            return min(numbers) if name == "min" else max(numbers)
        is_known = (name == "exp" and numbers[0] == 0) or (name == "log" and numbers[0] == 1)
        return 1 - numbers[0] if is_known else (name, *parts)

    def _sum(self, parts: Sequence[Expression]) -> Expression:
        """The number in front, and terms of the same factors together."""
        shares: dict[object, Fraction] = {}
        factors: dict[object, Sequence[Expression]] = {}
        for part in parts:
            share, rest = _apart(factors_of(part))
            key = self._key(rest)
            shares[key] = shares.get(key, Fraction(0)) + share
            factors.setdefault(key, rest)
        number = shares.pop((), Fraction(0))
        known = ((share, factors[key]) for key, share in shares.items())
        kept = [_times(share, rest) for share, rest in known if share or not all(map(self._is_total, rest))]
        found = [number, *kept] if number or not kept else kept
        return found[0] if len(found) == 1 else ("+", *found)

    def _key(self, factors: Sequence[Expression]) -> object:
        """The same for products that are the same by their form."""
        return tuple(factors)

    def _is_total(self, expression: Expression) -> bool:
        return is_total(expression)

    def pieces(self, branches: Sequence[tuple[Expression, Condition]]) -> Expression:
        """Without branches that never hold, and those after one that always does."""
        kept = [(value, when) for value, when in branches if when is not False]
        last = next((i for i, (_, when) in enumerate(kept) if when is True), len(kept))
        return kept[0][0] if kept and last == 0 else ("pieces", *kept[: last + 1])

    def truth(self, value: bool) -> Condition:
        return value

    def relation(self, sign: str, left: Expression, right: Expression) -> Condition:
        if isinstance(left, Fraction) and isinstance(right, Fraction):
            return HOLDS[sign](left, right)
        return Relation(sign, left, right)

    def connective(self, name: str, parts: Sequence[Condition]) -> Condition:
        if name == "not":
            return _opposite(parts[0])
        settled = name == "or"
        open_ = [part for part in parts if not isinstance(part, bool)]
        if any(part is settled for part in parts) or not open_:
            return settled if any(part is settled for part in parts) else not settled
        return open_[0] if len(open_) == 1 else (name, *open_)


WRITTEN = Written({})


def _opposite(condition: Condition) -> Condition:
    """A relation the other way round, where both sides are defined everywhere."""
    if isinstance(condition, Relation):
        total = is_total(condition.left) and is_total(condition.right)
        return Relation(NEGATIONS[condition.sign], condition.left, condition.right) if total else ("not", condition)
    if isinstance(condition, bool):
        return not condition
    inner = condition[1]
    return inner if condition[0] == "not" and not isinstance(inner, str) else ("not", condition)


def _apart(factors: Sequence[Expression]) -> tuple[Fraction, Sequence[Expression]]:
    """The product of the numbers, and the other factors."""
    numbers = (part for part in factors if isinstance(part, Fraction))
    return prod(numbers, start=Fraction(1)), [part for part in factors if not isinstance(part, Fraction)]


def _times(share: Fraction, rest: Sequence[Expression]) -> Expression:
    factors = rest if share == 1 else (share, *rest)
    return factors[0] if len(factors) == 1 else ("*", *factors)


def _reciprocal(part: Expression) -> Expression:
    if isinstance(part, tuple) and part[0] in ("^", "root"):
        base, exponent = base_and_exponent(part)
        return WRITTEN.rational_power(base, -exponent)
    return WRITTEN.rational_power(part, Fraction(-1))
