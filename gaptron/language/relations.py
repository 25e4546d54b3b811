"""Relations between terms, claims, and where a term is defined.

A relation that contains an undefined term (a division by zero, a logarithm of a number <= 0, a root of a negative
number) is false.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from gaptron.language.rejection import require
from gaptron.language.terms import Json, Term, names, read_term, subterms, term_data, text

OPPOSITES = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}
SIGNS = ("<=", "<", ">=", ">", "=", "!=")


@dataclass(frozen=True)
class Relation:
    """left sign right, sign one of <=, <, >=, >, =, !=."""

    sign: str
    left: Term
    right: Term

    @staticmethod
    def read(data: Json, shared: Sequence[Term] = ()) -> "Relation":
        """From [sign, left, right]; an integer in the place of a term is the number of a shared one."""
        require(isinstance(data, list) and len(data) == 3, "{!r} is not a relation", data)
        require(isinstance(data[0], str) and data[0] in SIGNS, f"{data[0]!r} is not a relation sign")
        return Relation(data[0], read_term(data[1], shared), read_term(data[2], shared))

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
        given = tuple(Relation.read(part) for part in data["given"])
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
