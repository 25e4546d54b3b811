"""Relations and claims, and what the hypotheses of a claim say about polynomials."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from gaptron.kernel.polynomials import Factor, Polynomial, add, atom, linear_bound, multiply, power, primitive, quotient
from gaptron.kernel.rejection import Rejected, Undefined, require
from gaptron.kernel.terms import Json, Term, from_text, names, read_term, subterms, term_data, text

OPPOSITES = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}
KINDS = {"<=": ">=", "<": ">", ">=": ">=", ">": ">", "=": "=", "!=": "!="}


@dataclass(frozen=True)
class Relation:
    """left sign right, sign one of <=, <, >=, >, =, !=."""

    sign: str
    left: Term
    right: Term

    @staticmethod
    def read(data: Json) -> "Relation":
        """From [sign, left, right]."""
        require(isinstance(data, list) and len(data) == 3, "{!r} is not a relation", data)
        require(isinstance(data[0], str) and data[0] in KINDS, f"{data[0]!r} is not a relation sign")
        return Relation(data[0], read_term(data[1]), read_term(data[2]))

    @property
    def data(self) -> list[Json]:
        """The JSON form."""
        return [self.sign, term_data(self.left), term_data(self.right)]

    @property
    def difference(self) -> Term:
        """left - right."""
        return ("+", self.left, ("*", Fraction(-1), self.right))

    @cached_property
    def names(self) -> frozenset[str]:
        """The variables of both sides."""
        return frozenset(names(self.left) | names(self.right))

    @cached_property
    def factor(self) -> tuple[Factor, Fraction] | None:
        """left - right as a primitive factor and its scale; None if it has denominators, or is zero."""
        try:
            numerator, denominators = quotient(self.difference)
        except Rejected:
            return None
        return None if denominators or not numerator else primitive(numerator)

    @cached_property
    def defined_texts(self) -> frozenset[str]:
        """The operations that may be undefined elsewhere, and are defined where the relation holds."""
        return frozenset(text(part) for side in (self.left, self.right) for part, _ in requirements(side))

    def negation(self) -> "Relation":
        """What holds where both sides are defined and the relation does not; not for = and !=."""
        require(self.sign in OPPOSITES, f"{self.sign} is proved by its own rules")
        return Relation(OPPOSITES[self.sign], self.left, self.right)

    def upper(self) -> tuple[Term, bool]:
        """(f, strict) such that an inequality says f <= 0, or f < 0 if strict."""
        require(self.sign in OPPOSITES, f"{self.sign} is not an inequality")
        if self.sign in ("<=", "<"):
            return self.difference, self.sign == "<"
        return ("+", self.right, ("*", Fraction(-1), self.left)), self.sign == ">"


@dataclass(frozen=True)
class Claim:
    """``then`` holds, and is defined, wherever all of ``given`` hold and all of ``integers`` are integers."""

    given: tuple[Relation, ...]
    then: Relation
    integers: tuple[Term, ...] = ()

    @staticmethod
    def read(data: Json) -> "Claim":
        """From {"given": [...], "then": ...}, with "integers": [...] if there are any."""
        require(isinstance(data, dict) and set(data) - {"integers"} == {"given", "then"}, "{!r} is not a claim", data)
        require(isinstance(data["given"], list), "given is not a list")
        integers = data.get("integers", [])
        require(isinstance(integers, list) and ("integers" in data) == bool(integers), "integers is no list of terms")
        given = tuple(map(Relation.read, data["given"]))
        return Claim(given, Relation.read(data["then"]), tuple(map(read_term, integers)))

    @cached_property
    def data(self) -> dict[str, Json]:
        """The JSON form. It is shared: do not change it."""
        head = {"given": [relation.data for relation in self.given], "then": self.then.data}
        return head | ({"integers": [term_data(term) for term in self.integers]} if self.integers else {})

    @property
    def names(self) -> set[str]:
        """All its variables."""
        return set().union(*(r.names for r in (*self.given, self.then)), *map(names, self.integers))

    def also(self, *more: Relation) -> "Claim":
        """With more hypotheses."""
        return Claim((*self.given, *more), self.then, self.integers)

    def instead(self, then: Relation) -> "Claim":
        """With another conclusion."""
        return Claim(self.given, then, self.integers)

    def without(self, name: str) -> "Claim":
        """With only what is given that does not mention a variable."""
        given = tuple(relation for relation in self.given if name not in relation.names)
        return Claim(given, self.then, tuple(term for term in self.integers if name not in names(term)))


Premises = Iterable[tuple[Claim, Json]]  # each with what should prove it
Fact = tuple[str, Polynomial]  # ">=", ">" or "=", and the polynomial that is so to 0


class Hypotheses:
    """What relations that hold say: facts about polynomials, signs of factors, and which terms are defined."""

    def __init__(self, relations: tuple[Relation, ...]) -> None:
        self.defined_texts = frozenset[str]().union(*(relation.defined_texts for relation in relations))
        self.signs: dict[Factor, int] = {}  # of factors that are certainly not zero; 0 if only that is known
        self.nonnegative: set[Factor] = set()
        for sign, (factor, scale) in ((r.sign, r.factor) for r in relations if r.factor is not None):
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
            sign = 1 if _is_positive_atom(name) else self.signs.get(((((name, 1),), Fraction(1)),))
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


def requirements(term: Term) -> list[tuple[Term, tuple[Term, str]]]:
    """Each operation that may be undefined, innermost first, with what its argument must be."""
    found: list[tuple[Term, tuple[Term, str]]] = []
    for part in reversed(list(subterms(term))):
        if not isinstance(part, tuple):
            continue
        operation = part[0]
        if (operation == "^" and part[2] < 0) or (operation == "log" and _is_even_power(part[1])):
            found += [(part, (factor, "nonzero")) for factor in _factors(part[1])]
        elif operation in ("log", "root"):
            found.append((part, (part[1], "positive" if operation == "log" else "nonnegative")))
    return found


def _is_even_power(term: Term) -> bool:
    return isinstance(term, tuple) and term[0] == "^" and term[2] % 2 == 0


def _factors(term: Term) -> list[Term]:
    """Terms whose product is not zero only if the term is not zero."""
    if isinstance(term, tuple) and term[0] == "*":
        return [factor for part in term[1:] for factor in _factors(part)]
    return _factors(term[1]) if isinstance(term, tuple) and term[0] == "^" and term[2] > 0 else [term]


def _is_positive_atom(name: str) -> bool:
    return name.startswith('["exp"')


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


def is_so(sign: str, low: Fraction | float, high: Fraction | float) -> bool | None:
    """Whether (something in [low, high]) sign 0, if that is certain."""
    if low == high == 0:
        return sign in ("<=", ">=", "=")
    if high < 0 or low > 0:
        return sign in (("<", "<=", "!=") if high < 0 else (">", ">=", "!="))
    return True if (sign == "<=" and high <= 0) or (sign == ">=" and low >= 0) else None
