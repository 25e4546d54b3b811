"""What the rules ask for of a claim, and the facts that a combination adds up, in the search's normal form."""

from collections.abc import Callable
from fractions import Fraction

from gaptron.kernel import Claim, Relation
from gaptron.kernel.enclosures import EVERYTHING, PRECISIONS, Interval, enclose
from gaptron.kernel.evidence import is_so
from gaptron.kernel.rules.motion import arrivals_of
from gaptron.language.rejection import require
from gaptron.language.relations import requirements
from gaptron.language.terms import ZERO, Json, Term, derivative, is_pair, names, read_term, replaced, substitute
from gaptron.prove.hypotheses import Fact, Hypotheses, atom_facts, bound_on
from gaptron.prove.rational_functions import Polynomial, add, constant, polynomial, rational_value


def facts_of(claim: Claim, bounds: Json) -> list[Fact]:
    """The facts of a combination: of hypotheses, of atoms, of the enclosed constants, of the negated conclusion."""
    hypotheses = Hypotheses(claim.given)
    goal = claim.then.negation()
    for side in (goal.left, goal.right):
        hypotheses.require_defined(side)
    facts = [fact for relation in claim.given if (fact := hypotheses.fact(relation)) is not None]
    last = hypotheses.fact(goal)
    assert last is not None  # noqa: S101
    require(isinstance(bounds, list), "bounds is a list")
    enclosed = [fact for bound in bounds for fact in _bound(hypotheses, bound)]
    atoms = atom_facts([p for _, p in (*facts, *enclosed, last)])
    return [*facts, *atoms, *enclosed, last]


def _bound(hypotheses: Hypotheses, bound: Json) -> list[Fact]:
    require(is_pair(bound), f"{bound!r} is not a term and a precision")
    term, bits = read_term(bound[0]), bound[1]
    require(type(bits) is int and bits in PRECISIONS, f"{bits!r} is not a precision")
    require(not names(term), "a bound is on a constant")
    hypotheses.require_defined(term)
    low, high = enclose(term, {}, bits)
    value = polynomial(term)
    return [(">=", add(value, _finite(low), -1)), (">=", add(_finite(high), value, -1))]


def _finite(end: Fraction | float) -> Polynomial:
    require(isinstance(end, Fraction), "a constant has no finite enclosure")
    return constant(Fraction(end))


def is_false(relation: Relation) -> bool:
    """Whether a relation between rationals is false."""
    value = rational_value(relation.difference)
    return value is not None and not is_so(relation.sign, value, value)


def bounds_on(given: tuple[Relation, ...], name: str, bits: int) -> Interval:
    """Where the hypotheses that bound the variable by constants leave it."""
    low, high = EVERYTHING
    for relation in given:
        bound = bound_on(relation, name)
        if bound is not None and not names(bound[1]):
            ends = enclose(bound[1], {}, bits)
            low, high = (low, min(high, ends[1])) if bound[0] == "up" else (max(low, ends[0]), high)
    require(low <= high, "the box is empty: prove it from the contradiction")
    return low, high


def way_of(claim: Claim, name: str) -> tuple[Relation, ...]:
    """The hypotheses that hold all the way to the nearest bound: those without v, and its bounds."""
    return tuple(relation for relation in claim.given if name not in relation.names or is_along(relation, name))


def is_along(relation: Relation, name: str) -> bool:
    """Whether the relation is linear in the variable with a rational slope, and defined everywhere."""
    poles = (*requirements(relation.left), *requirements(relation.right))
    if name not in relation.names or any(name in names(part) for part, _ in poles):
        return False
    return bound_on(relation, name) is not None


def move_goals(claim: Claim, name: str, direction: str, way: tuple[Relation, ...]) -> tuple[Claim, list[Claim]]:
    """What ``move`` needs: the sign of the slope on the way, and f <= 0 at each bound where it is the nearest."""
    f, _ = claim.then.upper()
    Hypotheses(way).require_defined(f)
    found = [bound for relation in claim.given if is_along(relation, name) and (bound := bound_on(relation, name))]
    near, far = ([end for side, end in found if (side == direction) == is_near] for is_near in (True, False))
    require(bool(near), f"{name} has no bound on that side")
    slope = Relation(">=" if direction == "up" else "<=", derivative(f, name), ZERO)
    arrivals = arrivals_of(claim, name, direction == "up", near, far)
    return Claim(way, slope, claim.without(name).integers), arrivals


def fixed_goal(claim: Claim, name: str, value: Fraction) -> Claim:
    """What ``fixed`` needs."""
    bounds = {bound for r in claim.given if name in r.names and (bound := bound_on(r, name)) is not None}
    require({("up", value), ("down", value)} <= bounds, f"{name} is not bounded to {value} from both sides")
    goal = _substituted(claim, lambda term: substitute(term, name, value))
    return Claim(goal.given, goal.then, tuple(substitute(term, name, value) for term in claim.integers))


def generalized(claim: Claim, term: Term, new: str) -> Claim:
    """What ``generalize`` needs; the conclusion is defined before the term is replaced."""
    require(new not in claim.names, f"{new} is not new")
    for side in (claim.then.left, claim.then.right):
        Hypotheses(claim.given).require_defined(side)
    return _substituted(claim, lambda part: replaced(part, term, new))


def _substituted(claim: Claim, put: Callable[[Term], Term]) -> Claim:
    given = tuple(Relation(r.sign, put(r.left), put(r.right)) for r in claim.given)
    then = Relation(claim.then.sign, put(claim.then.left), put(claim.then.right))
    return Claim(given, then, tuple(term for term in claim.integers if put(term) == term))
