"""Expressions as claims write them: powers of one base together, like terms together, numbers in front.

The value is that of the expression, and it is defined where the expression is, if what is ``positive`` is.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isqrt, prod
from typing import Any

from gaptron.language.expressions import Expression, base_and_exponent, evaluated, everywhere, factors_of, variables
from gaptron.language.instantiation import Written
from gaptron.language.relations import Relation

POSITIVE = frozenset(("D", "K", "T", "X", "n", "p", "q", "sqrt_T", "u"))  # of which every claim says so
SMALL = 100  # squares of whole numbers below are drawn out of roots
ZERO, ONE, MINUS = Fraction(0), Fraction(1), Fraction(-1)


class Normal(Written):
    """A table of operations whose values are expressions in this form."""

    def __init__(self, values: Mapping[str, Expression], positive: frozenset[str] = POSITIVE) -> None:
        super().__init__(values)
        self.positive = positive

    def product(self, factors: Sequence[Expression], divisors: Sequence[Expression]) -> Expression:
        below = [self.rational_power(part, MINUS) for part in divisors]
        found = [part for factor in (*factors, *below) for part in factors_of(factor)]
        share = prod((part for part in found if isinstance(part, Fraction)), start=ONE)
        powers: dict[Expression, list[Fraction]] = {}
        arguments = []
        for part in found:
            if isinstance(part, tuple) and part[0] == "exp":
                arguments.append(part[1])
            elif not isinstance(part, Fraction):
                base, exponents = _powers(part)
                powers.setdefault(base, []).extend(exponents)
        kept = [part for base, exponents in powers.items() for part in self._together(base, exponents)]
        kept += [self.operation("exp", [self.operation("+", arguments)])] if arguments else []
        if any(isinstance(part, Fraction) or (isinstance(part, tuple) and part[0] == "*") for part in kept):
            return self.product([share, *kept], [])
        return self._scaled(share, kept)

    def _together(self, base: Expression, exponents: list[Fraction]) -> list[Expression]:
        total = sum(exponents, ZERO)
        is_same = self._is_positive(base) or _domain([total]) == _domain(exponents)
        return [self.rational_power(base, each) for each in ([total] if is_same else exponents) if each]

    def rational_power(self, base: Expression, exponent: Fraction) -> Expression:
        """Whole powers of a product, and roots of what is positive in it, are taken of its factors."""
        if isinstance(base, Fraction) and exponent.denominator == 2 and (base > 0 or (base == 0 and exponent > 0)):
            return _half_power(base, exponent.numerator)
        if isinstance(base, tuple) and base[0] == "*" and exponent not in (0, 1):
            apart = [part for part in base[1:] if exponent.denominator == 1 or self._is_positive(part)]
            rest = [part for part in base[1:] if part not in apart]
            if apart:
                powers = [self.rational_power(part, exponent) for part in apart]
                powers += [self.rational_power(self.product(rest, []), exponent)] if rest else []
                return self.product(powers, [])
        if isinstance(base, tuple) and base[0] in ("^", "root"):
            inner, known = base_and_exponent(base)
            is_same = _domain([known * exponent]) == _domain([known, min(exponent, ONE)])
            if self._is_positive(inner) or (exponent.denominator == 1 and is_same):
                return self.rational_power(inner, known * exponent)
        return super().rational_power(base, exponent)

    def operation(self, name: str, parts: Sequence[Expression]) -> Expression:
        """log f^n = n log f for odd n: one is defined where the other is."""
        if name == "log" and isinstance(parts[0], Fraction) and parts[0].numerator == 1 < parts[0].denominator:
            return ("*", MINUS, ("log", 1 / parts[0]))
        if name == "log" and isinstance(parts[0], tuple) and parts[0][0] == "^" and parts[0][2] % 2:
            base, exponent = base_and_exponent(parts[0])
            if exponent.denominator == 1:
                return self.product([exponent, self.operation("log", [base])], [])
        return super().operation(name, parts)

    def _key(self, factors: Sequence[Expression]) -> object:
        """In whatever order these are written."""
        return tuple(sorted(map(repr, factors)))

    def _is_positive(self, part: Expression) -> bool:
        """Whether its form says that it is defined and positive everywhere."""
        if not isinstance(part, tuple):
            return part in self.positive if isinstance(part, str) else part > 0
        head, *below = part
        if head == "log":
            return isinstance(below[0], Fraction) and below[0] > 1
        if head in ("^", "root"):
            return self._is_positive(below[0])
        is_known = head == "exp" and all(map(self._is_total, below))
        return is_known or (head in ("+", "*") and all(map(self._is_positive, below)))

    def _is_total(self, expression: Expression) -> bool:
        """Whether its form says that it is defined everywhere."""
        for part in everywhere(expression):
            if not isinstance(part, tuple) or part[0] not in ("^", "root", "power", "pieces", "log"):
                continue
            base, exponent = base_and_exponent(part) if part[0] in ("^", "root") else (part[1], MINUS)
            is_known = part[0] in ("^", "root", "log") and self._is_positive(base)
            if any(_domain([exponent])) and not is_known:
                return False
        return True


NORMAL = Normal({})


def put(expression: Expression, values: Mapping[str, Expression] | None = None) -> Expression:
    """The expression with all these values at once in the place of the variables."""
    return evaluated(expression, Normal(values) if values else NORMAL)


def slope(part: Expression, name: str) -> Expression:
    """The derivative of an expression without kinks; at the end of its domain from inside, if its form is defined."""
    if not isinstance(part, tuple) or name not in variables(part):
        return Fraction(int(part == name))
    head, *below = part
    if head == "+":
        return NORMAL.operation("+", [slope(each, name) for each in below])
    if head == "*":
        each = range(len(below))
        return NORMAL.operation(
            "+", [NORMAL.product([*below[:i], *below[i + 1 :], slope(below[i], name)], []) for i in each]
        )
    if head == "exp":
        return NORMAL.product([part, slope(below[0], name)], [])
    if head == "log":
        return NORMAL.product([slope(below[0], name)], below)
    if head == "power":
        base, exponent = below
        return NORMAL.product([part, slope(("*", exponent, ("log", base)), name)], [])
    if head not in ("^", "root"):
        raise ValueError(f"{head} has kinks")
    base, power = base_and_exponent(part)
    return NORMAL.product([power, NORMAL.rational_power(base, power - 1), slope(base, name)], [])


def alike(left: Expression, right: Expression) -> bool:
    """Whether they are written alike, but for the order of sums, products, minima and maxima."""
    return bool(_sorted(put(left)) == _sorted(put(right)))


def _sorted(part: Any) -> Any:
    if isinstance(part, Relation):
        return (part.sign, _sorted(part.left), _sorted(part.right))
    if not isinstance(part, tuple):
        return part
    found = tuple(map(_sorted, part))
    return (part[0], *sorted(found[1:], key=repr)) if part[0] in ("+", "*", "min", "max") else found


def _powers(part: Expression) -> tuple[Expression, list[Fraction]]:
    """A base and the exponents of powers of it whose product this is, each with the domain of the whole."""
    if not isinstance(part, tuple) or part[0] not in ("^", "root"):
        return part, [ONE]
    base, exponent = base_and_exponent(part)
    if exponent.denominator == 1 and isinstance(base, tuple) and base[0] == "root":
        inner, known = base_and_exponent(base)
        return inner, [known if exponent > 0 else -known] * abs(exponent.numerator)
    return base, [exponent]


def _half_power(base: Fraction, halves: int) -> Expression:
    """The root of a whole number without small squares, and a rational: sqrt(9/8) = 3/4 sqrt(2)."""
    outside, inside = Fraction(1, base.denominator), base.numerator * base.denominator
    for number in (isqrt(inside), *range(2, SMALL)):
        while inside > 0 and number > 1 and inside % number**2 == 0:
            outside, inside = outside * number, inside // number**2
    if inside < 2:
        return (outside * inside) ** halves
    share, root = outside**halves * Fraction(inside) ** ((halves - 1) // 2), ("root", Fraction(inside), 2)
    return root if share == 1 else ("*", share, root)


def _domain(exponents: Sequence[Fraction]) -> tuple[bool, bool]:
    """Whether the base may not be negative, and whether it may not be 0."""
    return any(e.denominator > 1 for e in exponents), any(e < 0 for e in exponents)
