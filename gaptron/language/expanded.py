"""Expressions multiplied out: sums of products, logarithms of products as sums, numbers under them by their primes.

The value is that of the expression wherever it is defined and what is ``positive`` is so; it may be defined elsewhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from gaptron.language.expressions import Expression, base_and_exponent, evaluated, factors_of, terms
from gaptron.language.normal import NORMAL, Normal

HIGHEST = 64  # power of a sum that is multiplied out
LARGEST_DIVISOR = 10_000  # that is looked for


def expanded(
    expression: Expression, positive: frozenset[str], values: Mapping[str, Expression] | None = None
) -> Expression:
    """The expression multiplied out, with all these values at once in the place of the variables."""
    table = Expanded(values or {}, positive)
    return table.operation("+", [evaluated(expression, table)])


class Expanded(Normal):
    """A table of operations whose values are expressions in this form."""

    def product(self, factors: Sequence[Expression], divisors: Sequence[Expression]) -> Expression:
        apart = [part for factor in factors for part in _monic(factor)] if len(factors) > 1 or divisors else factors
        whole = super().product(apart, divisors)
        below = [self._terms(part) for part in factors_of(whole)]
        if len(below) == 1 or all(len(each) == 1 for each in below):
            return whole
        return self._multiplied(below)

    def _multiplied(self, sums: Sequence[Sequence[Expression]]) -> Expression:
        found: Expression = Fraction(1)
        for below in sums:
            found = super().operation("+", [self.product(pair, []) for pair in product(terms(found), below)])
        return found

    def _terms(self, part: Expression) -> Sequence[Expression]:
        """Of a sum, or of a whole power of one."""
        if not isinstance(part, tuple) or part[0] != "^" or not 0 < part[2] <= HIGHEST or len(terms(part[1])) == 1:
            return terms(part)
        return terms(self._multiplied([terms(part[1])] * part[2]))

    def rational_power(self, base: Expression, exponent: Fraction) -> Expression:
        """Roots of numbers are those of primes; powers of a power are one, but for roots of even ones."""
        if isinstance(base, Fraction) and base >= 0 and exponent.denominator > 1 and (base or exponent > 0):
            return self._root(list(_primes(base)), exponent) if base else base
        if isinstance(base, tuple) and base[0] in ("^", "root"):
            inner, known = base_and_exponent(base)
            is_even = known.denominator == 1 and known.numerator % 2 == 0
            if exponent.denominator == 1 or not is_even or self._is_positive(inner):
                return self.rational_power(inner, known * exponent)
        if exponent.denominator == 1 and exponent < 0 and len(parts := _monic(base)) == 2:
            return self.product([self.rational_power(part, exponent) for part in parts], [])
        return super().rational_power(base, exponent)

    def _root(self, primes: Sequence[tuple[Fraction, int]], exponent: Fraction) -> Expression:
        if len(primes) == 1 and primes[0][1] == 1 and 0 < exponent < 1:
            return _power(primes[0][0], exponent)
        powers = [(prime, n * exponent) for prime, n in primes]
        whole = [prime ** (power.numerator // power.denominator) for prime, power in powers]
        return self.product([*whole, *(_power(prime, power % 1) for prime, power in powers if power % 1)], [])

    def operation(self, name: str, parts: Sequence[Expression]) -> Expression:
        if name == "+":
            return super().operation(name, [term for part in parts for term in self._terms(part)])
        if name != "log":
            return super().operation(name, parts)
        logs = [(exponent, super(Expanded, self).operation("log", [base])) for base, exponent in self._bases(parts[0])]
        return self.operation("+", [self.product([exponent, log], []) for exponent, log in logs])

    def _bases(self, argument: Expression) -> list[tuple[Expression, Fraction]]:
        """Positive ones, and the exponents of the powers of them whose product this positive expression is."""
        if isinstance(argument, Fraction) and argument > 0:
            return [(prime, Fraction(n)) for prime, n in _primes(argument)]
        if isinstance(argument, tuple) and argument[0] == "*":
            apart = [part for part in argument[1:] if self._is_positive(part)]
            rest = [part for part in argument[1:] if part not in apart]
            if apart:
                return [pair for part in (*apart, self.product(rest, [])) for pair in self._bases(part)]
        if isinstance(argument, tuple) and argument[0] in ("^", "root"):
            base, exponent = base_and_exponent(argument)
            if exponent.denominator > 1 or exponent.numerator % 2 or self._is_positive(base):
                return [(inner, exponent * n) for inner, n in self._bases(base)]
        return [(argument, Fraction(1))]

    def _together(self, base: Expression, exponents: list[Fraction]) -> list[Expression]:
        total = sum(exponents, Fraction(0))
        return [self.rational_power(base, total)] if total else []

    def _is_total(self, expression: Expression) -> bool:
        return True


def _monic(part: Expression) -> Sequence[Expression]:
    """A sum as a number and one whose first term that is no number has none in front: 8 d - 12 = 8 (d - 3/2)."""
    first = next((term for term in terms(part) if not isinstance(term, Fraction)), None)
    shares = [factor for factor in factors_of(first) if isinstance(factor, Fraction)] if first is not None else []
    if len(terms(part)) == 1 or not shares:
        return (part,)
    return shares[0], NORMAL.product([1 / shares[0], part], [])


def _power(prime: Fraction, exponent: Fraction) -> Expression:
    """For an exponent between 0 and 1."""
    root = ("root", prime, exponent.denominator)
    return root if exponent.numerator == 1 else ("^", root, exponent.numerator)


def _primes(number: Fraction) -> Iterator[tuple[Fraction, int]]:
    """Primes and their exponents, but for a last factor that has no small divisors."""
    for whole, sign in ((number.numerator, 1), (number.denominator, -1)):
        left, divisor = whole, 2
        while divisor <= LARGEST_DIVISOR and divisor * divisor <= left:
            count = 0
            while left % divisor == 0:
                left, count = left // divisor, count + 1
            if count:
                yield Fraction(divisor), sign * count
            divisor += 1
        if left > 1:
            yield Fraction(left), sign
