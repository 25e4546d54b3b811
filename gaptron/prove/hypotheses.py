"""What the hypotheses of a claim say about polynomials."""

from fractions import Fraction
from functools import lru_cache

from gaptron.language.rejection import Rejected, Undefined
from gaptron.language.relations import Relation, requirements
from gaptron.language.terms import Term, from_text, text
from gaptron.prove.rational_functions import (
    Factor,
    Polynomial,
    add,
    atom,
    linear_bound,
    multiply,
    power,
    primitive,
    quotient,
)

KINDS = {"<=": ">=", "<": ">", ">=": ">=", ">": ">", "=": "=", "!=": "!="}

Fact = tuple[str, Polynomial]  # ">=", ">" or "=", and the polynomial that is so to 0


class Hypotheses:
    """What relations that hold say: facts about polynomials, signs of factors, and which terms are defined."""

    def __init__(self, relations: tuple[Relation, ...]) -> None:
        self.defined_texts = frozenset[str]().union(*(relation.defined_texts for relation in relations))
        self.signs: dict[Factor, int] = {}  # of factors that are certainly not zero; 0 if only that is known
        self.nonnegative: set[Factor] = set()
        for relation in relations:
            found = _factor_of(relation)
            if found is None:
                continue
            sign, (factor, scale) = relation.sign, found
            side = {"<": -1, ">": 1, "<=": -1, ">=": 1}.get(sign, 0) * (1 if scale > 0 else -1)
            if sign in ("<", ">", "!="):
                self.signs[factor] = side or self.signs.get(factor, 0)
            if side > 0:
                self.nonnegative.add(factor)

    def sign(self, factor: Factor) -> int | None:
        """1 or -1 if the factor certainly has that sign, 0 if it is certainly not zero, None if nothing is known."""
        if len(factor) > 1:
            return self.signs.get(factor)
        total = 1
        ((monomial, _),) = factor
        for name, exponent in monomial:
            sign = 1 if name.startswith('["exp"') else self.signs.get(((((name, 1),), Fraction(1)),))
            if sign is None:
                return self.signs.get(factor)
            total *= sign**exponent
        return total

    def fact(self, relation: Relation) -> Fact | None:
        """The relation without denominators, as "polynomial >= 0" (or > 0, or = 0); None for !=."""
        if relation.sign == "!=":
            return None
        numerator, denominators = quotient(relation.difference)
        for factor, exponent in denominators.items():
            sign = self.sign(factor)
            if exponent % 2 and sign in (None, 0):
                numerator = multiply(numerator, dict(factor))
            elif exponent % 2 and sign == -1:
                numerator = {m: -c for m, c in numerator.items()}
        if relation.sign in ("<=", "<"):
            numerator = {m: -c for m, c in numerator.items()}
        return KINDS[relation.sign], numerator

    def require_defined(self, term: Term) -> None:
        """Reject unless every part of the term is certainly defined where the hypotheses hold."""
        for part, wanted in requirements(term):
            if text(part) not in self.defined_texts and not self.meets(*wanted):
                raise Undefined(text(wanted[0]), wanted[1])

    def meets(self, term: Term, wanted: str) -> bool:
        """Whether a defined term is certainly nonzero, positive or nonnegative, as its factors tell."""
        numerator, denominators = quotient(term)
        if not numerator:
            return wanted == "nonnegative"
        sign = self._sign_of(numerator)
        if wanted == "nonzero":
            return sign is not None
        below = [(self.sign(factor), exponent) for factor, exponent in denominators.items()]
        if not all(s == 1 or (s is not None and exponent % 2 == 0) for s, exponent in below):
            return False
        factor, scale = primitive(numerator)
        return sign == 1 or (wanted == "nonnegative" and scale > 0 and factor in self.nonnegative)

    def _sign_of(self, numerator: Polynomial) -> int | None:
        factor, scale = primitive(numerator)
        sign = self.sign(factor)
        return sign if sign is None or scale > 0 else -sign


def atom_facts(polynomials: list[Polynomial]) -> list[Fact]:
    """What holds of the atoms that occur: exp > 0; a root r of degree n of a/b is >= 0 and r^n b = a."""
    atoms = {name for p in polynomials for monomial in p for name, _ in monomial}
    facts: list[Fact] = []
    for name in sorted(atoms):
        if name.startswith('["exp"'):
            facts.append((">", atom(from_text(name))))
        elif name.startswith('["root"'):
            facts += _root_facts(from_text(name))
    return facts


def _root_facts(term: Term) -> list[Fact]:
    assert isinstance(term, tuple)  # noqa: S101
    numerator, denominators = quotient(term[1])
    left = power(atom(term), term[2])
    for factor, exponent in denominators.items():
        left = multiply(left, power(dict(factor), exponent))
    return [(">=", atom(term)), ("=", add(left, numerator, -1))]


def bound_on(relation: Relation, name: str) -> tuple[str, Term] | None:
    """("up", b) if the relation says name <= b, ("down", b) if name >= b; b may be attained or not."""
    return None if relation.sign in ("=", "!=") else linear_bound(relation.upper()[0], name)


def starts_at(relation: Relation, name: str) -> Fraction | None:
    """c if the relation says name >= c."""
    left, right, signs = relation.left, relation.right, (">=", ">")
    if right == name:
        left, right, signs = right, left, ("<=", "<")
    return right if left == name and relation.sign in signs and isinstance(right, Fraction) else None


@lru_cache(maxsize=4096)
def _factor_of(relation: Relation) -> tuple[Factor, Fraction] | None:
    """left - right as a primitive factor and its scale; None if it has denominators, or is zero."""
    try:
        numerator, denominators = quotient(relation.difference)
    except Rejected:
        return None
    return None if denominators or not numerator else primitive(numerator)
