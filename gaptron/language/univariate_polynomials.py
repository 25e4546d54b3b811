"""Expressions as polynomials in one variable."""

from collections.abc import Sequence
from fractions import Fraction

from gaptron.language.expressions import Condition, Expression, evaluated
from gaptron.language.instantiation import WRITTEN, is_total

HIGHEST = 64
Coefficients = tuple[Expression, ...]


def coefficients(expression: Expression, name: str) -> Coefficients | None:
    """Those of name^0, name^1, ..., without ``name``, the last one not 0; None if it is no polynomial by its form."""
    return evaluated(expression, _Polynomials(name))


def polynomial(found: Coefficients, name: str) -> Expression:
    """The expression with these coefficients."""
    powers = (WRITTEN.rational_power(name, Fraction(n)) for n in range(len(found)))
    return WRITTEN.operation("+", [WRITTEN.product([part, x], []) for part, x in zip(found, powers, strict=True)])


class _Polynomials:
    """A table of operations on coefficients; what is not made of them is None."""

    def __init__(self, name: str) -> None:
        self.name = name

    def number(self, value: Fraction) -> Coefficients | None:
        return _trimmed([value])

    def variable(self, name: str) -> Coefficients | None:
        return (Fraction(0), Fraction(1)) if name == self.name else (name,)

    def product(
        self, factors: Sequence[Coefficients | None], divisors: Sequence[Coefficients | None]
    ) -> Coefficients | None:
        found: Coefficients | None = (Fraction(1),)
        for factor in (*factors, *(self.rational_power(part, Fraction(-1)) for part in divisors)):
            found = None if found is None or factor is None else _product(found, factor)
        return found

    def rational_power(self, base: Coefficients | None, exponent: Fraction) -> Coefficients | None:
        if base is None:
            return None
        if len(base) <= 1:
            return _trimmed([WRITTEN.rational_power(base[0] if base else Fraction(0), exponent)])
        n = exponent.numerator
        if exponent.denominator > 1 or n < 0 or n * (len(base) - 1) > HIGHEST:
            return None
        return self.product([base] * n, [])

    def operation(self, name: str, parts: Sequence[Coefficients | None]) -> Coefficients | None:
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        if name == "+":
            longest = max(map(len, known))
            return _trimmed([WRITTEN.operation("+", [p[n] for p in known if n < len(p)]) for n in range(longest)])
        if any(len(part) > 1 for part in known):
            return None
        return _trimmed([WRITTEN.operation(name, [part[0] if part else Fraction(0) for part in known])])

    def pieces(self, branches: Sequence[tuple[Coefficients | None, Condition | None]]) -> Coefficients | None:
        """Only of numbers, with conditions on numbers."""
        chosen = []
        for value, when in branches:
            if value is None or len(value) > 1 or when is None:
                return None
            chosen.append((value[0] if value else Fraction(0), when))
        return _trimmed([WRITTEN.pieces(chosen)])

    def truth(self, value: bool) -> Condition | None:
        return value

    def relation(self, sign: str, left: Coefficients | None, right: Coefficients | None) -> Condition | None:
        if left is None or right is None or len(left) > 1 or len(right) > 1:
            return None
        return WRITTEN.relation(sign, *(side[0] if side else Fraction(0) for side in (left, right)))

    def connective(self, name: str, parts: Sequence[Condition | None]) -> Condition | None:
        known = [part for part in parts if part is not None]
        return WRITTEN.connective(name, known) if len(known) == len(parts) else None


def _product(left: Coefficients, right: Coefficients) -> Coefficients | None:
    """None of 0 and what may have no value, of which nothing would be left."""
    if not (left and right) and not all(map(is_total, (*left, *right))):
        return None
    sums: list[list[Expression]] = [[] for _ in range(len(left) + len(right) - 1)]
    for i, one in enumerate(left):
        for j, other in enumerate(right):
            sums[i + j].append(WRITTEN.product([one, other], []))
    return _trimmed([WRITTEN.operation("+", found) for found in sums])


def _trimmed(found: Sequence[Expression]) -> Coefficients:
    """Without zeros at the end: none at all of 0."""
    size = max((n + 1 for n, part in enumerate(found) if part != 0), default=0)
    return tuple(found[:size])
