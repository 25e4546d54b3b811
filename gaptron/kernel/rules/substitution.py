"""Another thing in the place of a variable or a term: an exponential, the one value left, any value."""

from collections.abc import Callable
from fractions import Fraction

from gaptron.kernel.hypotheses import Hypotheses, Premises, bound_on
from gaptron.kernel.polynomials import canonical, quotient
from gaptron.language.rejection import require
from gaptron.language.relations import Claim, Relation
from gaptron.language.terms import ZERO, Json, Term, names, read_name, read_rational, read_term, replaced, substitute


def exponential(claim: Claim, variable: Json, rate: Json, new: Json, proof: Json) -> Premises:
    """f <= 0 in terms of u = exp(rate * v): v = log(u) / rate, and bounds of v by constants become bounds of u."""
    yield exponential_goal(claim, read_name(variable), read_rational(rate), read_name(new)), proof


def exponential_goal(claim: Claim, name: str, rate: Fraction, new: str) -> Claim:
    """What ``exponential`` needs."""
    require(rate != 0 and new not in claim.names, f"{new} is not new")
    f, strict = claim.then.upper()
    Hypotheses(claim.given).require_defined(f)
    given = [Relation(">", new, ZERO)]
    for relation in claim.given:
        bound = bound_on(relation, name)
        if bound is not None and not names(bound[1]):
            sign = "<=" if (bound[0] == "up") == (rate > 0) else ">="
            given.append(Relation(sign, new, canonical(("exp", ("*", rate, bound[1])))))
        elif name not in relation.names:
            given.append(relation)
    then = Relation("<" if strict else "<=", _in_terms_of(canonical(f), name, rate, new), ZERO)
    return Claim(tuple(given), then, claim.without(name).integers)


def _in_terms_of(term: Term, name: str, rate: Fraction, new: str) -> Term:
    """exp(n * rate * v) as the n-th power of the new variable, and any other v as its logarithm over the rate."""
    if term == name:
        return ("*", 1 / rate, ("log", new))
    if not isinstance(term, tuple):
        return term
    if term[0] == "exp":
        numerator, denominators = quotient(term[1])
        power = numerator.get(((f'"{name}"', 1),), ZERO) / rate
        if len(numerator) == 1 and not denominators and power != 0 and power.denominator == 1:
            return ("^", new, power.numerator)
    return tuple(p if type(p) is int or i == 0 else _in_terms_of(p, name, rate, new) for i, p in enumerate(term))


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
