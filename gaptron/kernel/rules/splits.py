"""The claim on both sides of a number: of zero for a polynomial, between n and n + 1 for an integer."""

from gaptron.kernel.hypotheses import Hypotheses, Premises
from gaptron.kernel.polynomials import polynomial
from gaptron.language.rejection import require
from gaptron.language.relations import Claim, Relation
from gaptron.language.terms import ZERO, Json, read_rational, read_term


def cases(claim: Claim, split: Json, below: Json, above: Json) -> Premises:
    """The claim where a polynomial is <= 0, and where it is >= 0."""
    term = read_term(split)
    polynomial(term)
    Hypotheses(claim.given).require_defined(term)
    yield claim.also(Relation("<=", term, ZERO)), below
    yield claim.also(Relation(">=", term, ZERO)), above


def integer(claim: Claim, term: Json, at: Json, below: Json, above: Json) -> Premises:
    """The claim where a term that is an integer is <= n, and where it is >= n + 1."""
    whole, number = read_term(term), read_rational(at)
    require(whole in claim.integers, "the term is not given as an integer")
    require(number.denominator == 1, f"{number} is not an integer")
    yield claim.also(Relation("<=", whole, number)), below
    yield claim.also(Relation(">=", whole, number + 1)), above
