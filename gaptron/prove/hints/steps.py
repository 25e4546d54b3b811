"""The evidence of one rule: a table that names the atoms of terms, and facts about polynomials one after the other.

Hints say what exponentials, logarithms and roots are that are no atoms; each fact is a step that the kernel repeats.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import gcd

from gaptron.kernel import Relation
from gaptron.kernel.evidence import Evidence
from gaptron.kernel.polynomials import Monomial
from gaptron.kernel.polynomials import Polynomial as Dense
from gaptron.kernel.sharing import Shared
from gaptron.kernel.tables import Table, is_function
from gaptron.language.rejection import Rejected, require
from gaptron.language.terms import Json, Term, arguments, from_text, names, subterms
from gaptron.prove.hypotheses import bound_on
from gaptron.prove.rational_functions import Factor, Polynomial, polynomial_term, primitive, quotient


class Unshared(Shared):
    """Terms and relations of a proof that is being written: they stand in it as they are."""

    def term(self, data: Json) -> Term:
        """The term itself."""
        term: Term = data
        return term

    def relation(self, data: Json) -> Relation:
        """The relation itself."""
        relation: Relation = data
        return relation


class TableWriter:
    """A table of the kernel's that grows, and what is written of it: terms stand in hints as they are."""

    def __init__(self) -> None:
        self.table = Table()
        self.hints: list[Json] = []
        self.places: dict[str, int] = {}  # of the atoms, by the texts that the search has for them

    def add(self, *terms: Term) -> None:
        """Make the parts of terms known that are no sums, products or powers, inner ones first."""
        for term in terms:
            for part in reversed(list(subterms(term))):
                if (isinstance(part, str) or is_function(part)) and part not in self.table.known:
                    self._add(part)

    def _add(self, part: Term) -> None:
        numerator, denominators = quotient(part)
        monomials = (monomial for p in (numerator, *map(dict, denominators)) for monomial in p)
        for name in sorted({name for monomial in monomials for name, _ in monomial}):
            if from_text(name) == part:
                self.table.add_atom(part)
                self.places[name] = len(self.places)
                return
            self.add(from_text(name))
        assert isinstance(part, tuple)  # noqa: S101
        hint = {"exp": self._exponential, "log": self._logarithm, "root": self._root}[part[0]](part)
        Unshared().hint(self.table, hint)
        self.hints.append(hint)

    def _exponential(self, part: Term) -> Json:
        """exp a as a product of powers of atoms exp b."""
        numerator, denominators = quotient(part)
        powers = [*_lone(numerator), *((name, -n * e) for f, e in denominators.items() for name, n in _lone(dict(f)))]
        if not all(name.startswith('["exp"') for name, _ in powers):
            raise Rejected("an exponential of a logarithm")
        return ["exp", _inside(part), [[_inside(from_text(name)), exponent] for name, exponent in powers]]

    def _logarithm(self, part: Term) -> Json:
        """log a as a sum of multiples of log b: a^2 is a product of powers of b, primes, squares and exponentials."""
        counts = _bases(_inside(part))
        least = gcd(2, *counts.values())
        for term in counts:
            self.add(term if _is_exponential(term) else ("log", term))
        above, below = ([[t, abs(n) // least] for t, n in counts.items() if n * sign > 0] for sign in (1, -1))
        return ["log", _inside(part), 2 // least, above, below]

    def _root(self, part: Term) -> Json:
        """A root of a as an atom, the root of b."""
        (((name, _),),) = quotient(part)[0]
        assert isinstance(part, tuple)  # noqa: S101
        return ["root", _inside(part), part[2], _inside(from_text(name))]

    def dense(self, value: Polynomial) -> Dense:
        """A polynomial of the search's as one of the kernel's, its atoms added."""
        for monomial in value:
            self.add(*(from_text(name) for name, _ in monomial if name not in self.places))
        return {self._monomial(dict(monomial)): coefficient for monomial, coefficient in value.items()}

    def _monomial(self, powers: dict[str, int]) -> Monomial:
        degrees = [0] * (1 + max((self.places[name] for name in powers), default=-1))
        for name, exponent in powers.items():
            degrees[self.places[name]] = exponent
        return tuple(degrees)

    def term(self, value: Dense) -> Term:
        """A polynomial of the kernel's as a term."""
        parts = [self._product(monomial, Fraction(coefficient)) for monomial, coefficient in sorted(value.items())]
        return ("+", *parts) if len(parts) > 1 else parts[0] if parts else Fraction(0)

    def _product(self, monomial: Monomial, coefficient: Fraction) -> Term:
        powers = [(atom, n) for atom, n in zip(self.table.atoms, monomial, strict=False) if n]
        parts: list[Term] = [atom if n == 1 else ("^", atom, n) for atom, n in powers]
        parts = parts if coefficient == 1 and parts else [coefficient, *parts]
        return ("*", *parts) if len(parts) > 1 else parts[0]


def _lone(polynomial: Polynomial) -> tuple[tuple[str, int], ...]:
    """The monomial that is the whole polynomial."""
    if list(polynomial.values()) != [1]:
        raise Rejected("an exponential that is no product of atoms")
    return next(iter(polynomial))


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


class Steps:
    """What hypotheses say, as far as it was asked for."""

    def __init__(self, given: Sequence[Relation], table: TableWriter | None = None) -> None:
        self.table = table or TableWriter()
        self.evidence = Evidence(given, Unshared(), self.table.table)
        self.steps: list[Json] = []
        self.given: dict[int, int] = {}  # the first fact of a hypothesis

    @property
    def data(self) -> dict[str, Json]:
        """The fields of a rule."""
        return {"table": self.table, "steps": self.steps}

    def push(self, step: Json) -> int:
        """One more step; the number of its first fact."""
        first = len(self.evidence.facts)
        self.evidence.take([step])
        self.steps.append(step)
        return first

    def hypothesis(self, index: int) -> int:
        """The fact of a hypothesis."""
        if index not in self.given:
            relation = self.evidence.given[index]
            self.table.add(relation.left, relation.right)
            self.given[index] = self.push(index)
        return self.given[index]

    def guard(self, *terms: Term) -> None:
        """Make the terms' parts known, and hypotheses that say where they are defined."""
        self.table.add(*terms)
        while (need := next((n for term in terms if (n := self.evidence.missing(term)) is not None), None)) is not None:
            left = [index for index, r in enumerate(self.evidence.given) if index not in self.given and _is_plain(r)]
            if not left:
                return
            alone = [index for index in left if self._meets(index, *need)]
            for index in alone[:1] or left:
                self.hypothesis(index)

    def _meets(self, index: int, wanted: str, term: Term) -> bool:
        """Whether a hypothesis is by itself enough for what a term is to be."""
        relation = self.evidence.given[index]
        if relation.names.isdisjoint(names(term)):
            return False
        alone = Steps([relation])
        alone.table.add(term)
        alone.hypothesis(0)
        return alone.evidence.meets(wanted, term)

    def bound(self, relation: Relation, index: int, name: str) -> list[Json]:
        """The bound of a variable from a hypothesis linear in it: [hypothesis, factor, term]."""
        found = bound_on(relation, name)
        require(found is not None, f"no bound of {name}")
        assert found is not None  # noqa: S101
        self.table.add(relation.left, relation.right, found[1])
        slope = quotient(relation.upper()[0])[0][((f'"{name}"', 1),)]
        return [index, str(1 / abs(slope)), found[1]]


def _is_plain(relation: Relation) -> bool:
    """Whether it has no denominators."""
    return not quotient(relation.difference)[1]
