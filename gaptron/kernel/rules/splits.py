"""The claim on both sides of a number: of zero for a term, between n and n + 1 for an integer."""

from fractions import Fraction

from gaptron.kernel.evidence import Evidence
from gaptron.kernel.sharing import Premises, Shared, at
from gaptron.language.rejection import require
from gaptron.language.relations import Claim, Relation
from gaptron.language.terms import ZERO, Json, Term, subterms


def cases(claim: Claim, shared: Shared, table: Json, steps: Json, split: Json, below: Json, above: Json) -> Premises:
    """The claim where a term is <= 0, and where it is >= 0."""
    term = shared.term(split)
    Evidence(claim.given, shared, at(shared.tables, table), steps).require_defined(term)
    yield claim.also(Relation("<=", term, ZERO)), below
    yield claim.also(Relation(">=", term, ZERO)), above


def integer(claim: Claim, shared: Shared, which: Json, at_most: Json, below: Json, above: Json) -> Premises:
    """The claim where a term that is an integer, named by its number, is <= n, and where it is >= n + 1."""
    whole = at(claim.integers, which)
    require(is_total(whole), "a part of the integer may be undefined")
    require(type(at_most) is int, f"{at_most!r} is not an integer")
    yield claim.also(Relation("<=", whole, Fraction(at_most))), below
    yield claim.also(Relation(">=", whole, Fraction(at_most + 1))), above


def is_total(term: Term) -> bool:
    """Whether no part of it can be undefined."""
    parts = (part for part in subterms(term) if isinstance(part, tuple))
    return all(part[0] in ("+", "*", "exp") or (part[0] == "^" and part[2] >= 0) for part in parts)
