"""Polynomials over numbered atoms, and quotients whose denominators are products of powers of factors.

A monomial is the tuple of the exponents of atom 1, atom 2, and so on, without zeros at its end, so that the largest
monomial leads. A factor is a polynomial whose leading coefficient is 1. Nothing is cancelled: a certificate says what
to divide by.
"""

from fractions import Fraction
from functools import reduce
from operator import add as plus

from gaptron.language.rejection import require

Number = int | Fraction
Monomial = tuple[int, ...]
Polynomial = dict[Monomial, Number]
Factor = tuple[tuple[Monomial, Number], ...]  # sorted; () is the zero polynomial
Powers = dict[Factor, int]
Quotient = tuple[Polynomial, Powers]  # numerator, denominator

LARGEST = 100_000  # products of monomials: less than a second
LARGEST_BITS = 1 << 16


def constant(value: Number) -> Polynomial:
    """A rational as a polynomial."""
    return {(): value.numerator if value.denominator == 1 else value} if value else {}


ONE = constant(1)


def atom(position: int) -> Polynomial:
    """The atom of this number, from 1."""
    return {(0,) * (position - 1) + (1,): 1}


def add(left: Polynomial, right: Polynomial, scale: Number = 1) -> Polynomial:
    """left + scale * right."""
    total = dict(left)
    for monomial, coefficient in right.items():
        total[monomial] = total.get(monomial, 0) + scale * coefficient
    return {monomial: value for monomial, value in total.items() if value}


def times(left: Monomial, right: Monomial) -> Monomial:
    """The product of two monomials."""
    if len(left) > len(right):
        left, right = right, left
    return (*map(plus, left, right), *right[len(left) :])


def multiply(left: Polynomial, right: Polynomial) -> Polynomial:
    """left * right."""
    require(len(left) * len(right) <= LARGEST, "a polynomial is too large")
    if ONE in (left, right):
        return right if left == ONE else left
    product: Polynomial = {}
    for a, x in left.items():
        for b, y in right.items():
            monomial = times(a, b)
            product[monomial] = product.get(monomial, 0) + x * y
    return {monomial: value for monomial, value in product.items() if value}


def power(base: Polynomial, exponent: int) -> Polynomial:
    """base ** exponent for exponent >= 0."""
    result = ONE
    for bit in f"{exponent:b}":
        require(len(result) * _bits(result) <= LARGEST_BITS, "a power is too large")
        result = multiply(result, result)
        if int(bit):
            result = multiply(result, base)
    return result


def _bits(polynomial: Polynomial) -> int:
    """The size of the largest coefficient."""
    return max((c.numerator.bit_length() + c.denominator.bit_length() for c in polynomial.values()), default=0)


def monic(polynomial: Polynomial) -> tuple[Factor, Number]:
    """The factor of which the polynomial is a multiple, and its leading coefficient; 0 for the zero polynomial only."""
    lead = polynomial[max(polynomial)] if polynomial else 0
    return tuple(sorted((m, c if lead == 1 else Fraction(c) / lead) for m, c in polynomial.items())), lead


def expanded(powers: Powers) -> Polynomial:
    """The product of powers of factors."""
    return reduce(multiply, (power(dict(factor), exponent) for factor, exponent in powers.items()), ONE)


def odd_part(powers: Powers) -> Polynomial:
    """The product of the factors with odd exponents, which has the sign of the product of all powers."""
    return expanded({factor: 1 for factor, exponent in powers.items() if exponent % 2})


def over(quotient: Quotient, powers: Powers) -> Polynomial:
    """The numerator over a multiple of the denominator."""
    above, below = quotient
    return multiply(above, expanded({factor: n - below.get(factor, 0) for factor, n in powers.items()}))


def common(left: Powers, right: Powers) -> Powers:
    """The least common multiple."""
    return {factor: max(left.get(factor, 0), right.get(factor, 0)) for factor in (*left, *right)}


def total(left: Quotient, right: Quotient) -> Quotient:
    """The sum over the least common denominator."""
    below = common(left[1], right[1])
    return add(over(left, below), over(right, below)), below


def product(left: Quotient, right: Quotient) -> Quotient:
    """The product."""
    below = {factor: left[1].get(factor, 0) + right[1].get(factor, 0) for factor in (*left[1], *right[1])}
    return multiply(left[0], right[0]), below


def raised(quotient: Quotient, exponent: int) -> Quotient:
    """The power, for exponent >= 1."""
    return power(quotient[0], exponent), {factor: n * exponent for factor, n in quotient[1].items()}


def inverse(quotient: Quotient) -> Quotient:
    """The inverse, wherever the quotient is not zero."""
    factor, lead = monic(quotient[0])
    above = multiply(constant(1 / Fraction(lead or 1)), expanded(quotient[1]))
    return above, {} if factor == (((), 1),) else {factor: 1}


def same(left: Quotient, right: Quotient) -> bool:
    """Whether two quotients are equal, wherever no factor is zero."""
    below = common(left[1], right[1])
    return over(left, below) == over(right, below)
