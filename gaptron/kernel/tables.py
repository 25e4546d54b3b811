"""Terms as quotients of polynomials over atoms: variables, exponentials, logarithms and roots that a table names.

Hints say of other exponentials, logarithms and roots what they are in terms of these. Identities hold where all terms
are defined; a hint is taken only if its parts are defined wherever its own term is.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from fractions import Fraction

from gaptron.kernel.polynomials import (
    ONE,
    Powers,
    Quotient,
    atom,
    constant,
    inverse,
    monic,
    product,
    raised,
    same,
    total,
)  # fmt: skip
from gaptron.language.rejection import Rejected, require
from gaptron.language.terms import Json, Term

UNIT: Quotient = (ONE, {})
ENOUGH = {
    "nonzero": ("nonzero", "positive"),
    "positive": ("positive",),
    "nonnegative": ("nonnegative", "positive"),
}
Need = tuple[str, Term]  # "nonzero", "positive" or "nonnegative", and what is so
Parts = list[tuple[Term, int]]  # the factors of a product of powers, or the summands of a sum of multiples


class Table:
    """Atoms, what hints say of other terms, and the quotients that were asked for."""

    def __init__(self, atoms: Iterable[Term] = ()) -> None:
        self.atoms: list[Term] = []
        self.known: dict[Term, Quotient] = {}
        self.found: dict[tuple[Term, bool], Quotient | None] = {}
        for term in atoms:
            self.add_atom(term)

    def add_atom(self, term: Term) -> None:
        """One more atom, the next in number."""
        self.atoms.append(term)
        self._learn(term, self.known.get(term, (atom(len(self.atoms)), {})))

    def _learn(self, term: Term, quotient: Quotient) -> None:
        self.known[term] = quotient
        self.found.clear()

    def quotient(self, term: Term, inverted: bool = False) -> Quotient | None:
        """The term, or its inverse, if all its atoms are known."""
        with suppress(KeyError):
            return self.found[term, inverted]
        found = self.found[term, inverted] = self._quotient(term, inverted)
        return found

    def _quotient(self, term: Term, inverted: bool) -> Quotient | None:
        if isinstance(term, tuple) and term[0] == "^":
            inside = self.quotient(term[1], inverted != (term[2] < 0)) if term[2] else UNIT
            return None if inside is None else raised(inside, abs(term[2]) or 1)
        if isinstance(term, tuple) and term[0] == "*":
            return _joined(product, [self.quotient(part, inverted) for part in term[1:]])
        found = self.known.get(term)
        if isinstance(term, Fraction):
            found = constant(term), {}
        elif isinstance(term, tuple) and term[0] == "+":
            found = _joined(total, [self.quotient(part) for part in term[1:]])
        return inverse(found) if found is not None and inverted else found

    def equal(self, left: Term, right: Term) -> bool:
        """Whether two terms have the same value where both are defined."""
        one, other = self.quotient(left), self.quotient(right)
        return one is not None and other is not None and same(one, other)

    # -- what needs that are met say of other terms: of those that are written, or are by algebra, the same

    def tells(self, needs: list[Need], wanted: str, term: Term) -> bool:
        """Whether one of them says that a defined term is as wanted."""
        enough = [other for need, other in needs if need in ENOUGH[wanted]]
        return term in enough or any(self.equal(term, other) for other in enough)

    def tells_nonzero(self, needs: list[Need], term: Term) -> bool:
        """Whether they say so of it, or of its factors."""
        if self.tells(needs, "nonzero", term) or not isinstance(term, tuple):
            return self.tells(needs, "nonzero", term)
        if term[0] == "*":
            return all(self.tells_nonzero(needs, part) for part in halves(term))
        return term[0] == "exp" or (term[0] == "^" and (term[2] < 0 or self.tells_nonzero(needs, term[1])))

    def tells_positive(self, needs: list[Need], term: Term) -> bool:
        """Whether they say so of it, or it is an exponential, or an even power of what is not zero."""
        if self.tells(needs, "positive", term) or not isinstance(term, tuple):
            return self.tells(needs, "positive", term)
        even = term[0] == "^" and term[2] >= 0 and term[2] % 2 == 0
        return term[0] == "exp" or (even and self.tells_nonzero(needs, term[1]))

    def tells_defined(self, needs: list[Need], term: Term) -> bool:
        """Whether they say so of everything in it."""
        if not isinstance(term, tuple):
            return True
        if term[0] in ("+", "*", "exp") or (term[0] == "^" and term[2] >= 0):
            return all(self.tells_defined(needs, part) for part in term[1:] if type(part) is not int)
        inside = base(term)
        if not self.tells_defined(needs, inside):
            return False
        if term[0] == "^":
            return self.tells_nonzero(needs, inside)
        return self.tells_positive(needs, inside) if term[0] == "log" else self.tells(needs, "nonnegative", inside)

    # -- hints

    def exponential(self, argument: Term, parts: Parts) -> None:
        """exp a is the product of (exp b)^n: a is the sum of n b."""
        found, needs = UNIT, needs_of(argument)
        for part, count in parts:
            one = self.known.get(("exp", part))
            if one is None or count == 0 or not self.tells_defined(needs, part):
                raise Rejected(f"exp {part!r} is not known, or may be undefined")
            found = product(raised(one if count > 0 else inverse(one), abs(count)), found)
        whole = ("+", *(("*", Fraction(count), part) for part, count in parts), Fraction(0))
        require(self.equal(argument, whole), "an exponential is not the product of its parts")
        self._learn(("exp", argument), found)

    def logarithm(self, argument: Term, count: int, above: Parts, below: Parts) -> None:
        """n log a is the sum of k log b, b above, less that of those below: a^n times those below is those above."""
        whole = self.quotient(argument)
        if whole is None or count <= 0:
            raise Rejected("the argument of a logarithm is not known")
        needs = needs_of(argument)
        upper, lower = self._logarithms(needs, above), self._logarithms(needs, below)
        left = ("*", ("^", argument, count), *(("^", *part) for part in below))
        require(self.equal(left, ("*", *(("^", *part) for part in above), Fraction(1))), "not the logarithm's parts")
        require(all(self._is_nonzero(whole[1], part) for part, _ in below), "a part of a logarithm may be zero")
        difference = total(upper, product((constant(-1), {}), lower))
        self._learn(("log", argument), product((constant(Fraction(1, count)), {}), difference))

    def _logarithms(self, needs: list[Need], parts: Parts) -> Quotient:
        found: Quotient = {}, {}
        for part, count in parts:
            one = self.known.get(("log", part))
            if isinstance(part, tuple) and part[0] == "exp":
                one = self.quotient(part[1])
            if one is None or count <= 0 or not (_is_never_negative(part) and self.tells_defined(needs, part)):
                raise Rejected(f"log {part!r} is not known, or may be undefined")
            found = total(product((constant(count), {}), one), found)
        return found

    def _is_nonzero(self, denominators: Powers, part: Term) -> bool:
        """Because it is a number, an exponential, or a power of what is a denominator."""
        if isinstance(part, tuple) and part[0] == "exp":
            return True
        found = self.quotient(part[1] if isinstance(part, tuple) and part[0] == "^" and part[2] >= 0 else part)
        factor, lead = monic(found[0]) if found is not None else ((), 0)
        return lead != 0 and (factor == (((), 1),) or factor in denominators)

    def root(self, argument: Term, degree: int, other: Term) -> None:
        """A root of a is that of b, where a = b."""
        found = self.known.get(("root", other, degree))
        if found is None or not (self.tells_defined(needs_of(argument), other) and self.equal(argument, other)):
            raise Rejected(f"{argument!r} is not certainly {other!r}, whose root is known")
        self._learn(("root", argument, degree), found)


def _joined(join: Callable[[Quotient, Quotient], Quotient], parts: list[Quotient | None]) -> Quotient | None:
    found = UNIT if join is product else ({}, {})
    for part in parts:
        if part is None:
            return None
        found = join(found, part)
    return found


def is_function(term: Term) -> bool:
    """Whether it is an exponential, a logarithm or a root."""
    return isinstance(term, tuple) and term[0] in ("exp", "log", "root")


def base(term: Json) -> Term:
    """What stands in a function, or what is inverted by a negative power."""
    inside: Term = term[1]
    return ("^", inside, -term[2]) if term[0] == "^" and term[2] < -1 else inside


def halves(term: Json) -> tuple[Term, ...]:
    """A sum or a product as one of two."""
    parts: tuple[Term, ...] = term[1:] if len(term) < 4 else (term[:-1], term[-1])
    return parts


def needs_of(term: Term) -> list[Need]:
    """What the parts of a term are where it is defined."""
    if not isinstance(term, tuple):
        return []
    inner = [need for part in term[1:] if type(part) is not int for need in needs_of(part)]
    if term[0] == "root":
        return [("nonnegative", term[1]), *inner]
    if term[0] == "log":
        return [("positive", term[1]), *_factors(term[1]), *inner]
    return [*_factors(base(term)), *inner] if term[0] == "^" and term[2] < 0 else inner


def _factors(term: Term) -> list[Need]:
    """The factors of what is not zero."""
    found: list[Need] = [("nonzero", term)]
    if isinstance(term, tuple) and term[0] == "*":
        return [*found, *(need for part in halves(term) for need in _factors(part))]
    return [*found, *_factors(base(term))] if isinstance(term, tuple) and term[0] == "^" and term[2] else found


def _is_never_negative(term: Term) -> bool:
    if isinstance(term, Fraction):
        return term >= 0 and term.denominator == 1
    return isinstance(term, tuple) and (term[0] == "exp" or (term[0] == "^" and term[2] >= 0 and term[2] % 2 == 0))
