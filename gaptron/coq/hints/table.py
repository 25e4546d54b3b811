"""Atoms, hints that express other exponentials, logarithms and roots by them, and terms as fractions of polynomials.

``Table.ratio`` is Coq's ``normal``, which does not cancel: multipliers must fit what Coq computes.
"""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from math import gcd

from gaptron.coq.data import Data, Pair, Places, UnwrittenError, expression
from gaptron.kernel.polynomials import (
    Factor,
    Monomial,
    Polynomial,
    add,
    constant,
    multiply,
    polynomial_term,
    power,
    primitive,
    quotient,
)
from gaptron.language.rejection import Rejected
from gaptron.language.terms import Term, arguments, from_text, subterms

ONE = constant(1)
ONE_FACTOR: Factor = (((), Fraction(1)),)
Powers = dict[Factor, int]  # of factors whose leading coefficients are 1
Ratio = tuple[Polynomial, Powers]  # numerator, and denominator


def variable_of(name: str) -> Polynomial:
    """An atom, by its text, as a polynomial."""
    return {((name, 1),): Fraction(1)}


class Table:
    """Atoms in order, hints that rest on the atoms and the hints before, and the fraction of each."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.atoms: list[Data] = []
        self.names: list[str] = []  # of the atoms, as the Python kernel writes them
        self.hints: list[Data] = []
        self.ratios: dict[Data, Ratio] = {}

    @property
    def data(self) -> Data:
        """The atoms and the hints."""
        return Pair(self.atoms, self.hints)

    def write(self, term: Term) -> Data:
        """The term, all its parts known."""
        self.add(term)
        return expression(term, self.places)

    def write_polynomial(self, polynomial: Polynomial) -> Data:
        """The polynomial as a term."""
        return self.write(polynomial_term(polynomial))

    def add(self, *terms: Term) -> None:
        """Make the parts of terms known that are no sums, products or powers, inner ones first."""
        for term in terms:
            for part in reversed(list(subterms(term))):
                if isinstance(part, str) or (isinstance(part, tuple) and part[0] in HINTS):
                    self._add(part)

    def position(self, name: str) -> int:
        """The number of an atom, from 1."""
        return self.atoms.index(self.write(from_text(name))) + 1

    def _add(self, part: Term) -> None:
        written = expression(part, self.places)
        if written in self.ratios:
            return
        numerator, denominators = quotient(part)
        names = {name for p in (numerator, *map(dict, denominators)) for monomial in p for name, _ in monomial}
        for name in sorted(names):
            if expression(from_text(name), self.places) == written:
                self.atoms.append(written)
                self.names.append(name)
                self.ratios[written] = (variable_of(name), {})
                return
            self.add(from_text(name))
        if isinstance(part, tuple):
            hint, self.ratios[written] = HINTS[part[0]](self, part)
            self.hints.append((hint[0], written[1], *hint[1:]))

    def ratio(self, written: Data, inverse: bool = False) -> Ratio:
        """What Coq computes of an expression, or of its inverse."""
        kind, *parts = written
        if kind == "Inv":
            return self.ratio(parts[0], not inverse)
        if kind == "Mul":
            return times(self.ratio(parts[0], inverse), self.ratio(parts[1], inverse))
        if kind == "Pow":
            return raised(self.ratio(parts[0], inverse), parts[1])
        if kind == "Add":
            found = plus(self.ratio(parts[0]), self.ratio(parts[1]))
        else:
            found = rational(Fraction(*parts)) if kind in ("Int", "Rat") else self.ratios[written]
        return self.inverse(found) if inverse else found

    def inverse(self, ratio: Ratio) -> Ratio:
        """The inverse; Coq divides the new denominator by its leading coefficient, in the order of the atoms."""
        above, below = ratio
        if not above:
            raise Rejected("a division by zero")
        scale = above[max(above, key=lambda monomial: degrees(monomial, self.names))]
        factor = tuple(sorted((monomial, value / scale) for monomial, value in above.items()))
        return multiply(constant(1 / scale), expanded(below)), {} if factor == ONE_FACTOR else {factor: 1}


def rational(value: Fraction) -> Ratio:
    """A number as a ratio."""
    return constant(value), {}


def expanded(powers: Powers) -> Polynomial:
    """The product of the powers."""
    return reduce(multiply, (power(dict(factor), exponent) for factor, exponent in powers.items()), ONE)


def plus(left: Ratio, right: Ratio) -> Ratio:
    """The sum over the least common denominator."""
    common = {f: max(left[1].get(f, 0), right[1].get(f, 0)) for f in (*left[1], *right[1])}
    one, other = (multiply(a, expanded({f: n - d.get(f, 0) for f, n in common.items()})) for a, d in (left, right))
    return add(one, other), common


def times(left: Ratio, right: Ratio) -> Ratio:
    """The product, nothing cancelled."""
    return multiply(left[0], right[0]), {f: left[1].get(f, 0) + right[1].get(f, 0) for f in (*left[1], *right[1])}


def raised(ratio: Ratio, exponent: int) -> Ratio:
    """The power."""
    return power(ratio[0], exponent), {factor: n * exponent for factor, n in ratio[1].items() if exponent}


def degrees(monomial: Monomial, names: list[str]) -> list[int]:
    """The exponents of these atoms."""
    powers = dict(monomial)
    return [powers.get(name, 0) for name in names]


def _exponential(table: Table, part: Term) -> tuple[Data, Ratio]:
    """exp a as a product of powers of atoms exp b."""
    numerator, denominators = quotient(part)
    powers = [*_lone(numerator), *((name, -n * e) for f, e in denominators.items() for name, n in _lone(dict(f)))]
    ratio, summands = rational(Fraction(1)), []
    for name, exponent in reversed(powers):
        if not name.startswith('["exp"'):
            raise UnwrittenError("an exponential of a logarithm")
        one: Ratio = (variable_of(name), {})
        ratio = times(raised(one if exponent >= 0 else table.inverse(one), abs(exponent)), ratio)
        summands.append(Pair(table.write(from_text(name))[1], exponent, "Z"))
    return ("HExp", summands[::-1]), ratio


def _lone(polynomial: Polynomial) -> Monomial:
    """The monomial that is the whole polynomial."""
    if list(polynomial.values()) != [1]:
        raise UnwrittenError("an exponential that is no product of atoms")
    return next(iter(polynomial))


def _logarithm(table: Table, part: Term) -> tuple[Data, Ratio]:
    """log a as a sum of multiples of log b, since a^2 is a product of powers of b: primes, squares and exponentials."""
    counts = _bases(_inside(part))
    least = gcd(2, *counts.values())
    ratio, above, below = rational(Fraction(0)), list[Data](), list[Data]()
    for term, count in counts.items():
        written = table.write(("log", term))[1] if not _is_exponential(term) else table.write(term)
        inside = table.ratio(written[1]) if written[0] == "Exp" else table.ratio(("Ln", written))
        ratio = plus(times(rational(Fraction(count, 2)), inside), ratio)
        (above if count > 0 else below).append(Pair(written, abs(count) // least, "positive"))
    return ("HLn", 2 // least, above, below), ratio


def _bases(argument: Term) -> dict[Term, int]:
    """The exponents of the primes, squares and exponentials whose product is the square of the argument."""
    counts, scale = Counter[Term](), 1
    while isinstance(argument, tuple) and argument[0] == "^":
        _, argument, exponent = argument
        scale *= exponent
    numerator, denominators = quotient(argument)
    factor, content = primitive(numerator)
    for ((name, _),), value in quotient(("log", abs(content)))[0].items():
        counts[_inside(from_text(name))] += 2 * scale * int(value)
    for one, exponent in ((factor, 1), *((f, -e) for f, e in denominators.items())):
        for term, count in _factors_of(one):
            base, times_of_it = (term, 2) if _is_exponential(term) else (("^", term, 2), 1)
            counts[base] += times_of_it * scale * exponent * count
    return {base: count for base, count in counts.items() if count}


def _inside(term: Term) -> Term:
    """The argument of a function."""
    (argument,) = arguments(term)
    return argument


def _is_exponential(term: Term) -> bool:
    return isinstance(term, tuple) and term[0] == "exp"


def _factors_of(factor: Factor) -> list[tuple[Term, int]]:
    """The atoms of a monomial, with their exponents; any other polynomial by itself."""
    if len(factor) > 1:
        return [(polynomial_term(dict(factor)), 1)]
    return [(from_text(name), exponent) for name, exponent in factor[0][0]]


def _root(table: Table, part: Term) -> tuple[Data, Ratio]:
    """A root of a as an atom, the root of b."""
    numerator, _ = quotient(part)
    (((name, _),),) = numerator
    kind, *inside = table.write(from_text(name))
    return (f"H{kind}", *inside), (numerator, {})


HINTS = {"exp": _exponential, "log": _logarithm, "root": _root}


def atoms_of(polynomials: Iterable[Polynomial]) -> set[str]:
    """The texts of the atoms that occur."""
    return {name for polynomial in polynomials for monomial in polynomial for name, _ in monomial}
