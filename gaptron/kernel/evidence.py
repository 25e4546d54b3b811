"""Facts about polynomials that follow from hypotheses, one after the other, and what they say of terms."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from math import prod

from gaptron.kernel.enclosures import PRECISIONS, enclose
from gaptron.kernel.polynomials import (
    Factor,
    Polynomial,
    Quotient,
    add,
    atom,
    expanded,
    monic,
    multiply,
    odd_part,
    power,
    total,
)  # fmt: skip
from gaptron.kernel.sharing import Shared, at
from gaptron.kernel.tables import Need, Table, base, halves, needs_of
from gaptron.language.rejection import Rejected, Undefined, require
from gaptron.language.relations import Relation
from gaptron.language.terms import Json, Term, read_rational, subterms, text

KINDS = {"<=": ">=", "<": ">", ">=": ">=", ">": ">", "=": "=", "!=": "!="}
Fact = tuple[str, Polynomial]  # ">=", ">", "=" or "!=", and the polynomial that is so to 0


class Evidence:
    """What a rule needs before anything else: a table, hypotheses, and the facts that steps derive from them.

    A step is the number of a hypothesis, or one of ["divide", i, p, k], ["exp", n], ["root", n], ["times", i, p] and
    ["bound", t, bits, low, high]; i and k are numbers of facts, n is that of an atom, p a polynomial, t a term.
    """

    def __init__(self, given: Sequence[Relation], shared: Shared, table: Table, steps: Json = ()) -> None:
        self.given, self.shared, self.table = given, shared, table
        self.facts: list[Fact] = []
        self.signs: dict[Factor, set[tuple[str, bool]]] = {}  # of multiples of factors, by positive numbers or others
        self.take(steps)

    # -- steps

    def take(self, steps: Json) -> None:
        """One step after the other."""
        require(isinstance(steps, list | tuple), "steps is not a list")
        for step in steps:
            if type(step) is int:
                self.add(*self.said_by(at(self.given, step)))
                continue
            good = isinstance(step, list) and bool(step) and isinstance(step[0], str) and step[0] in STEPS
            require(good, "{!r} is not a step", step)
            rule, count = STEPS[step[0]]
            require(len(step) == count, "{!r} is not a step", step)
            rule(self, *step[1:])

    def add(self, *facts: Fact) -> None:
        """Facts that hold."""
        self.facts += facts
        for kind, value in facts:
            factor, lead = monic(value)
            if lead:
                self.signs.setdefault(factor, set()).add((kind, lead > 0))

    def said_by(self, relation: Relation) -> list[Fact]:
        """A relation without its denominator, and that no factor of this is zero."""
        (left, divisors), right = self.quotient(relation.left), self.quotient(relation.right)
        above, below = total(right, (negative(left), divisors))
        if relation.sign not in ("=", "!="):
            above = multiply(above, odd_part(below))
        if relation.sign in (">=", ">"):
            above = negative(above)
        return [(KINDS[relation.sign], above), *(("!=", dict(factor)) for factor in below)]

    def quotient(self, term: Term) -> Quotient:
        """A term whose atoms the table has."""
        found = self.table.quotient(term)
        if found is None:
            raise Rejected(f"{text(term)} has an atom that the table has not")
        return found

    def polynomial(self, data: Json) -> Polynomial:
        """A term without denominators."""
        above, below = self.quotient(self.shared.term(data))
        require(not below, "{!r} is not a polynomial", data)
        return above

    def divide(self, index: Json, data: Json, by: Json) -> None:
        """p from p g, or from p g^2, as g is positive or not zero."""
        (kind, value), (sign, factor), found = at(self.facts, index), at(self.facts, by), self.polynomial(data)
        require(sign in (">", "!="), "it divides by what may be zero or negative")
        if sign == "!=" and kind not in ("=", "!="):
            factor = multiply(factor, factor)
        require(multiply(found, factor) == value, "{!r} is not the quotient", data)
        self.add((kind, found))

    def exponential(self, position: Json) -> None:
        """An atom that is an exponential is positive."""
        self._atom(position, "exp")
        self.add((">", atom(position)))

    def root(self, position: Json) -> None:
        """An atom r that is a root of degree n of a/b is >= 0, and r^n b = a."""
        term = self._atom(position, "root")
        self.require_defined(term, term[1])
        (above, below), root = self.quotient(term[1]), atom(position)
        powered = multiply(power(root, term[2]), expanded(below))
        self.add((">=", root), ("=", add(powered, above, -1)))

    def _atom(self, position: Json, operation: str) -> Json:
        require(type(position) is int and 0 < position <= len(self.table.atoms), f"there is no atom {position!r}")
        term = self.table.atoms[position - 1]
        require(isinstance(term, tuple) and term[0] == operation, f"atom {position} is no {operation}")
        return term

    def times(self, index: Json, data: Json) -> None:
        """An equation times a polynomial."""
        self.add(("=", self.multiple(index, data)))

    def multiple(self, index: Json, data: Json) -> Polynomial:
        """A fact that is an equation, times a polynomial."""
        kind, value = at(self.facts, index)
        require(kind == "=", "a multiple of something that is not an equation")
        return multiply(self.polynomial(data), value)

    def bound(self, data: Json, bits: Json, *ends: Json) -> None:
        """A term lies in its enclosure, wherever its variables are."""
        term, (low, high) = self.shared.term(data), map(read_rational, ends)
        self.require_defined(term)
        within = enclose(term, {}, precision(bits))
        require(low <= within[0] and within[1] <= high, "the enclosure is not between these ends")
        self.add(self.said_by(Relation("<=", low, term))[0], self.said_by(Relation("<=", term, high))[0])

    # -- signs

    def has_sign(self, value: Polynomial, kinds: tuple[str, ...], either: bool = False) -> bool:
        """Whether a fact of one of these kinds is a positive multiple of it, or any but zero if ``either``."""
        factor, lead = monic(value)
        known = self.signs.get(factor, set()) if lead else set()
        return any((kind, up) in known for kind in kinds for up in ((True, False) if either else (lead > 0,)))

    def positive(self, value: Polynomial) -> bool:
        """Whether it certainly is."""
        return value[()] > 0 if value.keys() == {()} else self.has_sign(value, (">",))

    def not_negative(self, value: Polynomial) -> bool:
        """Whether it is zero, or known not to be negative."""
        return not value or self.has_sign(value, (">", ">="))

    def sign(self, value: Polynomial) -> int:
        """1 or -1 if it certainly has that sign, else 0."""
        return 1 if self.positive(value) else -self.positive(negative(value))

    def over_denominators(self, term: Term, test: Callable[[Polynomial], bool]) -> bool:
        """Whether a numerator, with the sign of its denominator, passes."""
        found = self.table.quotient(term)
        if found is None:
            return False
        above, below = found
        sign = prod(self.sign(dict(factor)) for factor, exponent in below.items() if exponent % 2)
        return (sign != 0 and test(above if sign > 0 else negative(above))) or test(multiply(above, odd_part(below)))

    def is_nonzero(self, term: Term) -> bool:
        """Whether a defined term certainly is."""
        if isinstance(term, tuple):
            parts = {"*": halves(term), "^": (term[1],)}.get(term[0], ())
            sure = term[0] == "exp" or (term[0] == "^" and term[2] < 0)
            if sure or (parts and all(map(self.is_nonzero, parts))):
                return True
        found = self.table.quotient(term)
        return found is not None and (found[0].keys() == {()} or self.has_sign(found[0], (">", "!="), either=True))

    def is_positive(self, term: Term) -> bool:
        """Whether a defined term certainly is."""
        return (isinstance(term, tuple) and self._is_positive(term)) or self.over_denominators(term, self.positive)

    def _is_positive(self, term: Term) -> bool:
        """By its form."""
        assert isinstance(term, tuple)  # noqa: S101
        if term[0] == "^":
            even = term[2] >= 0 and term[2] % 2 == 0
            return self.is_positive(base(term)) or (even and self.is_nonzero(term[1]))
        if term[0] in ("+", "*"):
            parts = halves(term)
            opposites = [("*", MINUS, part) for part in parts] if term[0] == "*" else []
            below = len(opposites) == 2 and all(self.over_denominators(one, self.positive) for one in opposites)
            return all(map(self.is_positive, parts)) or below
        return bool(term[0] == "exp")

    def is_nonnegative(self, term: Term) -> bool:
        """Whether a defined term certainly is."""
        return self.is_positive(term) or self._is_nonnegative(term) or self.over_denominators(term, self.not_negative)

    def _is_nonnegative(self, term: Term) -> bool:
        """By its form."""
        if not isinstance(term, tuple):
            return not isinstance(term, str) and term >= 0
        if term[0] == "^" and term[2] >= 0:
            return term[2] % 2 == 0 or self.is_nonnegative(term[1])
        return term[0] == "root" or (term[0] in ("+", "*") and all(map(self.is_nonnegative, halves(term))))

    # -- what is defined

    @cached_property
    def written(self) -> frozenset[Term]:
        """All parts of the hypotheses: where these hold, they are defined."""
        return frozenset(part for r in self.given for side in (r.left, r.right) for part in subterms(side))

    @cached_property
    def needs(self) -> list[Need]:
        """What these parts are."""
        return list(dict.fromkeys(need for r in self.given for side in (r.left, r.right) for need in needs_of(side)))

    def missing(self, term: Term) -> Need | None:
        """What a part of the term must be where it is defined, and may not be; None if it certainly is defined."""
        if not isinstance(term, tuple):
            return None
        if term[0] in ("+", "*", "exp") or (term[0] == "^" and term[2] >= 0):
            parts = (self.missing(part) for part in term[1:] if type(part) is not int)
            return next((need for need in parts if need is not None), None)
        if term in self.written:
            return None
        inside = base(term)
        wanted = WANTED[term[0]]
        return self.missing(inside) or (None if self.meets(wanted, inside) else (wanted, inside))

    def meets(self, wanted: str, term: Term) -> bool:
        """Whether a defined term certainly is nonzero, positive or nonnegative, as is wanted."""
        if wanted == "nonzero":
            return self.is_nonzero(term) or self.table.tells_nonzero(self.needs, term)
        if wanted == "positive":
            return self.is_positive(term) or self.table.tells_positive(self.needs, term)
        return self.is_nonnegative(term) or self.table.tells(self.needs, "nonnegative", term)

    def require_defined(self, *terms: Term) -> None:
        """Reject unless all are certainly defined where the hypotheses hold."""
        for term in terms:
            need = self.missing(term)
            if need is not None:
                raise Undefined(text(need[1]), need[0])


MINUS = Fraction(-1)
WANTED = {"^": "nonzero", "log": "positive", "root": "nonnegative"}
STEPS: dict[str, tuple[Callable[..., None], int]] = {
    "divide": (Evidence.divide, 4),
    "exp": (Evidence.exponential, 2),
    "root": (Evidence.root, 2),
    "times": (Evidence.times, 3),
    "bound": (Evidence.bound, 5),
}


def negative(polynomial: Polynomial) -> Polynomial:
    """The opposite."""
    return add({}, polynomial, -1)


def precision(bits: Json) -> int:
    """A number of bits that is allowed."""
    require(type(bits) is int and bits in PRECISIONS, f"{bits!r} is not a precision")
    return int(bits)


def is_so(sign: str, low: Fraction | float, high: Fraction | float) -> bool | None:
    """Whether (something in [low, high]) sign 0, if that is certain."""
    if low == high == 0:
        return sign in ("<=", ">=", "=")
    if high < 0 or low > 0:
        return sign in (("<", "<=", "!=") if high < 0 else (">", ">=", "!="))
    return True if (sign == "<=" and high <= 0) or (sign == ">=" and low >= 0) else None
