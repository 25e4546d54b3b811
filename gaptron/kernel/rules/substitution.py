"""Another thing in the place of a variable or a term: the one value left, any value."""

from collections.abc import Callable
from fractions import Fraction

from gaptron.kernel.hypotheses import Hypotheses, Premises, bound_on
from gaptron.language.rejection import require
from gaptron.language.relations import Claim, Relation
from gaptron.language.terms import Json, Term, read_name, read_rational, read_term, replaced, substitute


def fixed(claim: Claim, variable: Json, value: Json, proof: Json) -> Premises:
    """The claim with a value in the place of a variable that hypotheses bound to it from both sides."""
    yield fixed_goal(claim, read_name(variable), read_rational(value)), proof


def fixed_goal(claim: Claim, name: str, value: Fraction) -> Claim:
    """What ``fixed`` needs."""
    bounds = {bound for r in claim.given if name in r.names and (bound := bound_on(r, name)) is not None}
    require({("up", value), ("down", value)} <= bounds, f"{name} is not bounded to {value} from both sides")
    return _substituted(claim, lambda term: substitute(term, name, value))


def generalize(claim: Claim, term: Json, new: Json, proof: Json) -> Premises:
    """The claim for every value of a term, under a new name: what holds of each holds of the term's own."""
    yield generalized(claim, read_term(term), read_name(new)), proof


def generalized(claim: Claim, term: Term, new: str) -> Claim:
    """What ``generalize`` needs; the conclusion is defined before the term is replaced."""
    require(new not in claim.names, f"{new} is not new")
    for side in (claim.then.left, claim.then.right):
        Hypotheses(claim.given).require_defined(side)
    return _substituted(claim, lambda part: replaced(part, term, new))


def _substituted(claim: Claim, put: Callable[[Term], Term]) -> Claim:
    """The claim with something in the place of a part of its terms; of the integers, those without that part."""
    given = tuple(Relation(r.sign, put(r.left), put(r.right)) for r in claim.given)
    then = Relation(claim.then.sign, put(claim.then.left), put(claim.then.right))
    return Claim(given, then, tuple(term for term in claim.integers if put(term) == term))
