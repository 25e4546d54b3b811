"""Atoms, hints that express other exponentials, logarithms and roots by them, and terms as fractions of polynomials.

``Table.fraction`` is Coq's ``norm``, which does not cancel: multipliers must fit what Coq computes.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import lcm

from gaptron.coq.data import Data, Pair, Places, UnwrittenError, expression
from gaptron.kernel.polynomials import Monomial, Polynomial, add, constant, multiply, polynomial_term, power, quotient
from gaptron.language.terms import Term, from_text, subterms

ONE = constant(1)
Ratio = tuple[Polynomial, Polynomial]  # numerator and denominator


def variable_of(name: str) -> Polynomial:
    """An atom, by its text, as a polynomial."""
    return {((name, 1),): Fraction(1)}


class Table:
    """Atoms in order, hints that rest on the atoms and the hints before, and the fraction of each."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.atoms: list[Data] = []
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
                self.ratios[written] = (variable_of(name), ONE)
                return
            self.add(from_text(name))
        if isinstance(part, tuple):
            hint, self.ratios[written] = HINTS[part[0]](self, part)
            self.hints.append((hint[0], written[1], *hint[1:]))

    def fraction(self, written: Data) -> Ratio:
        """What Coq computes of an expression."""
        kind, *parts = written
        if kind in ("Int", "Rat"):
            return constant(Fraction(*parts)), ONE
        if kind not in ("Add", "Mul", "Pow", "Inv"):
            return self.ratios[written]
        above, below = self.fraction(parts[0])
        if kind == "Inv":
            return below, above
        if kind == "Pow":
            return power(above, parts[1]), power(below, parts[1])
        others = self.fraction(parts[1])
        if kind == "Mul":
            return multiply(above, others[0]), multiply(below, others[1])
        if below == others[1]:
            return add(above, others[0]), below
        return add(multiply(above, others[1]), multiply(others[0], below)), multiply(below, others[1])


def _exponential(table: Table, part: Term) -> tuple[Data, Ratio]:
    """exp a as a product of powers of atoms exp b."""
    numerator, denominators = quotient(part)
    powers = [*_lone(numerator), *((name, -n * e) for f, e in denominators.items() for name, n in _lone(dict(f)))]
    ratio, summands = (ONE, ONE), []
    for name, exponent in powers:
        if not name.startswith('["exp"'):
            raise UnwrittenError("an exponential of a logarithm")
        above, below = ratio
        raised = power(variable_of(name), abs(exponent))
        ratio = (multiply(raised, above), below) if exponent >= 0 else (above, multiply(raised, below))
        summands.append(Pair(table.write(from_text(name))[1], exponent, "Z"))
    return ("HExp", summands), ratio


def _lone(polynomial: Polynomial) -> Monomial:
    """The monomial that is the whole polynomial."""
    if list(polynomial.values()) != [1]:
        raise UnwrittenError("an exponential that is no product of atoms")
    return next(iter(polynomial))


def _logarithm(table: Table, part: Term) -> tuple[Data, Ratio]:
    """n log a as a sum of whole multiples of atoms log b, those of numbers with any sign."""
    numerator, denominators = quotient(part)
    if denominators:
        raise UnwrittenError("a logarithm of an exponential with a denominator")
    scale = lcm(*(value.denominator for value in numerator.values()))
    above, below = [], []
    for monomial, value in numerator.items():
        if len(monomial) != 1 or monomial[0][1] != 1 or not monomial[0][0].startswith('["log"'):
            raise UnwrittenError("a logarithm of an exponential")
        inside, count = table.write(from_text(monomial[0][0]))[1], int(abs(value) * scale)
        if value > 0:
            above.append(Pair(inside, count, "positive"))
        elif inside[0] == "Int":
            below.append(Pair(f"{inside[1]}%positive", count, "positive"))
        else:
            raise UnwrittenError("a logarithm of a quotient")
    ratio = {monomial: value * scale for monomial, value in numerator.items()}, constant(scale)
    return ("HLn", scale, above, below), ratio


def _root(table: Table, part: Term) -> tuple[Data, Ratio]:
    """sqrt a as an atom sqrt b."""
    numerator, _ = quotient(part)
    (((name, _),),) = numerator
    return ("HSqrt", table.write(from_text(name))[1]), (numerator, ONE)


HINTS = {"exp": _exponential, "log": _logarithm, "root": _root}


def atoms_of(polynomials: Iterable[Polynomial]) -> set[str]:
    """The texts of the atoms that occur."""
    return {name for polynomial in polynomials for monomial in polynomial for name, _ in monomial}
