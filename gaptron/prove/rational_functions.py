"""Polynomials over atoms, and terms as quotients of them.

An atom is a variable, exp(t), log(t) or a root, written as text. A polynomial maps monomials, which are sorted tuples
of (atom, exponent), to rationals that are not zero. Logarithms of positive rationals become sums of logarithms of
primes, so that log(4) - 2 log(2) is zero; exp of a sum becomes a product. Identities hold where all terms are defined.
"""

from collections import Counter
from fractions import Fraction
from functools import lru_cache

from gaptron.kernel.polynomials import LARGEST, LARGEST_BITS
from gaptron.language.rejection import Rejected, require
from gaptron.language.terms import Term, from_text, names, subterms, text

Monomial = tuple[tuple[str, int], ...]
Polynomial = dict[Monomial, Fraction]
Factor = tuple[tuple[Monomial, Fraction], ...]  # a polynomial without content, its items sorted
Quotient = tuple[Polynomial, dict[Factor, int]]  # numerator, and the powers of the denominator's factors

TRIAL_DIVISORS = 10_000


def constant(value: Fraction | int) -> Polynomial:
    """A rational as a polynomial."""
    return {(): Fraction(value)} if value else {}


def atom(term: Term) -> Polynomial:
    """A variable, exponential, logarithm or root as a polynomial."""
    return {((text(term), 1),): Fraction(1)}


def add(left: Polynomial, right: Polynomial, scale: Fraction | int = 1) -> Polynomial:
    """left + scale * right."""
    total = dict(left)
    for monomial, coefficient in right.items():
        value = total.get(monomial, Fraction(0)) + scale * coefficient
        if value:
            total[monomial] = value
        else:
            total.pop(monomial, None)
    return total


def times(left: Monomial, right: Monomial) -> Monomial:
    """The product of two monomials."""
    powers = dict(left)
    for name, exponent in right:
        powers[name] = powers.get(name, 0) + exponent
    return tuple(sorted((name, power) for name, power in powers.items() if power))


def multiply(left: Polynomial, right: Polynomial) -> Polynomial:
    """left * right."""
    require(len(left) * len(right) <= LARGEST, "a polynomial is too large")
    product: Polynomial = {}
    for a, x in left.items():
        for b, y in right.items():
            monomial = times(a, b)
            value = product.get(monomial, Fraction(0)) + x * y
            if value:
                product[monomial] = value
            else:
                product.pop(monomial, None)
    return product


def power(base: Polynomial, exponent: int) -> Polynomial:
    """base ** exponent for exponent >= 0."""
    if exponent == 1:
        return base
    result = constant(1)
    for bit in f"{exponent:b}":
        require(len(result) * _bits(result) <= LARGEST_BITS, "a power is too large")
        result = multiply(result, result)
        if int(bit):
            result = multiply(result, base)
    return result


def _bits(polynomial: Polynomial) -> int:
    """The size of the largest coefficient."""
    return max((c.numerator.bit_length() + c.denominator.bit_length() for c in polynomial.values()), default=0)


def primitive(polynomial: Polynomial) -> tuple[Factor, Fraction]:
    """The polynomial as (factor, scale): the factor's first coefficient is 1."""
    items = sorted(polynomial.items())
    scale = items[0][1]
    return tuple((monomial, coefficient / scale) for monomial, coefficient in items), scale


def polynomial_term(polynomial: Polynomial) -> Term:
    """The polynomial as a term; a lone atom or rational as itself."""
    terms = [_monomial_term(monomial, coefficient) for monomial, coefficient in sorted(polynomial.items())]
    return ("+", *terms) if len(terms) > 1 else next(iter(terms), Fraction(0))


def _monomial_term(monomial: Monomial, coefficient: Fraction) -> Term:
    powers = [from_text(name) if exponent == 1 else ("^", from_text(name), exponent) for name, exponent in monomial]
    factors = powers if coefficient == 1 and powers else [coefficient, *powers]
    return ("*", *factors) if len(factors) > 1 else factors.pop()


def polynomial(term: Term) -> Polynomial:
    """A term without denominators as a polynomial."""
    numerator, denominators = quotient(term)
    if denominators:
        raise Rejected(f"{text(term)} is not a polynomial")
    return numerator


@lru_cache(maxsize=4096)
def quotient(term: Term) -> Quotient:
    """A term as a quotient. The result is shared: do not change it."""
    if isinstance(term, Fraction):
        return constant(term), {}
    if isinstance(term, str):
        return atom(term), {}
    if term[0] == "+":
        return _sum([quotient(part) for part in term[1:]])
    if term[0] == "*":
        return _product([quotient(part) for part in term[1:]])
    if term[0] == "^":
        return _power(term[1], term[2])
    if term[0] == "exp":
        return _exponential(term[1])
    if term[0] == "log":
        return _logarithm(term[1])
    return atom(("root", canonical(term[1]), term[2])), {}


def _sum(parts: list[Quotient]) -> Quotient:
    common: dict[Factor, int] = {}
    for _, denominators in parts:
        for factor, exponent in denominators.items():
            common[factor] = max(common.get(factor, exponent), exponent)
    total: Polynomial = {}
    for numerator, denominators in parts:
        for factor, exponent in common.items():
            numerator = multiply(numerator, power(dict(factor), exponent - denominators.get(factor, 0)))
        total = add(total, numerator)
    return _reduced(total, common)


def _product(parts: list[Quotient]) -> Quotient:
    numerator, denominators = constant(1), Counter[Factor]()
    for part, below in parts:
        numerator = multiply(numerator, part)
        denominators.update(below)
    return _reduced(numerator, dict(denominators))


def _reduced(numerator: Polynomial, denominators: dict[Factor, int]) -> Quotient:
    """Atoms and whole factors that divide the numerator are cancelled."""
    left = {}
    for factor, exponent in denominators.items():
        if numerator:
            numerator, cancelled = _divided(numerator, factor, exponent)
            left[factor] = exponent - cancelled
    return numerator, {factor: exponent for factor, exponent in left.items() if numerator and exponent}


def _divided(numerator: Polynomial, factor: Factor, most: int) -> tuple[Polynomial, int]:
    """The quotient by as many powers of an atom as can be, or by a factor that is the numerator's; and how many."""
    if len(factor) > 1:
        found, scale = primitive(numerator)
        return (constant(scale), 1) if most and found == factor else (numerator, 0)
    ((((name, _),), _),) = factor
    count = min(most, *(dict(monomial).get(name, 0) for monomial in numerator))
    by: Monomial = ((name, -count),)
    return {times(monomial, by): value for monomial, value in numerator.items()} if count else numerator, count


def _power(base: Term, exponent: int) -> Quotient:
    if isinstance(base, tuple) and base[0] == "*" and exponent < 0:
        return _product([_power(part, exponent) for part in base[1:]])
    numerator, denominators = quotient(base)
    if exponent >= 0:
        return power(numerator, exponent), {f: e * exponent for f, e in denominators.items() if exponent}
    require(bool(numerator), "a division by zero")
    above = constant(1)
    for factor, degree in denominators.items():
        above = multiply(above, power(dict(factor), -exponent * degree))
    if len(numerator) == 1:
        ((monomial, value),) = numerator.items()
        below: dict[Factor, int] = {((((name, 1),), Fraction(1)),): -exponent * degree for name, degree in monomial}
        return _reduced(multiply(above, power(constant(1 / value), -exponent)), below)
    factor, scale = primitive(numerator)
    return _reduced(multiply(above, power(constant(1 / scale), -exponent)), {factor: -exponent})


def canonical(term: Term) -> Term:
    """One term for all terms with the same quotient."""
    numerator, denominators = quotient(term)
    below = (("^", polynomial_term(dict(f)), -e) for f, e in sorted(denominators.items()))
    return ("*", polynomial_term(numerator), *below) if denominators else polynomial_term(numerator)


def rational_value(term: Term) -> Fraction | None:
    """The value of a term that is a rational, else None."""
    numerator, denominators = quotient(term)
    if denominators or any(monomial for monomial in numerator):
        return None
    return numerator.get((), Fraction(0))


def _exponential(argument: Term) -> Quotient:
    """exp(sum of c_i m_i) as a product of powers of exp(m_i / denominator of c_i)."""
    numerator, denominators = quotient(argument)
    if denominators:
        return atom(("exp", canonical(argument))), {}
    parts = [({monomial: Fraction(1, c.denominator)}, c.numerator) for monomial, c in sorted(numerator.items())]
    return _product([_power_of(("exp", polynomial_term(part)), exponent) for part, exponent in parts])


def _power_of(term: Term, exponent: int) -> Quotient:
    """A power of one atom."""
    name = text(term)
    if exponent > 0:
        return {((name, exponent),): Fraction(1)}, {}
    return constant(1), {((((name, 1),), Fraction(1)),): -exponent}


def _logarithm(argument: Term) -> Quotient:
    """Split into the logarithms of factors p, each as log(p^2)/2 because the sign of p is not known."""
    value = rational_value(argument)
    if value is not None:
        require(value > 0, "the logarithm of a number that is not positive")
        return _logarithm_of_rational(value, 1), {}
    scale = 1
    while isinstance(argument, tuple) and argument[0] == "^":
        _, argument, exponent = argument
        scale *= int(exponent)
    numerator, denominators = quotient(argument)
    factor, content = primitive(numerator)
    parts = [(_logarithm_of_rational(abs(content), scale), {}), *_logarithms_of_factor(factor, scale)]
    for below, exponent in denominators.items():
        parts += _logarithms_of_factor(below, -exponent * scale)
    return _sum(parts)


def _logarithms_of_factor(factor: Factor, scale: int) -> list[Quotient]:
    if len(factor) > 1:
        return [_logarithm_of_atom(polynomial_term(dict(factor)), scale)]
    ((monomial, _),) = factor
    return [_logarithm_of_atom(from_text(name), scale * exponent) for name, exponent in monomial]


def _logarithm_of_atom(term: Term, scale: int) -> Quotient:
    if isinstance(term, tuple) and term[0] == "exp":
        return _product([quotient(term[1]), (constant(scale), {})])
    return {((text(("log", ("^", term, 2))), 1),): Fraction(scale, 2)}, {}


def _logarithm_of_rational(value: Fraction, scale: int) -> Polynomial:
    total: Polynomial = {}
    for number, sign in ((value.numerator, scale), (value.denominator, -scale)):
        for prime, exponent in _factors(number).items():
            total = add(total, atom(("log", Fraction(prime))), sign * exponent)
    return total


def _factors(value: int) -> Counter[int]:
    """Prime factors below a limit, and what is left as if it were one: enough for log(a b) = log(a) + log(b)."""
    found: Counter[int] = Counter()
    divisor = 2
    while divisor * divisor <= value and divisor < TRIAL_DIVISORS:
        while value % divisor == 0:
            found[divisor] += 1
            value //= divisor
        divisor += 1
    if value > 1:
        found[value] += 1
    return found


def functions_in(term: Term) -> list[tuple[str, Term]]:
    """The exponentials and logarithms of variables that are written in it."""
    return [part for part in subterms(term) if isinstance(part, tuple) and part[0] in ("exp", "log") and names(part)]


def linear_bound(term: Term, name: str) -> tuple[str, Term] | None:
    """("up", b) if term <= 0 says name <= b, ("down", b) if name >= b, the term being linear in the name."""
    numerator, denominators = quotient(term)
    variable = ((text(name), 1),)
    rest = {monomial: coefficient for monomial, coefficient in numerator.items() if monomial != variable}
    if denominators or rest == numerator or any(name in names(from_text(a)) for monomial in rest for a, _ in monomial):
        return None
    slope = numerator[variable]
    return ("up" if slope > 0 else "down"), polynomial_term({m: -c / slope for m, c in rest.items()})
