"""A conclusion that does not fall as a variable moves to its nearest bound."""

from gaptron.kernel.hypotheses import Hypotheses, Premises, bound_on
from gaptron.language.rejection import require
from gaptron.language.relations import Claim, Relation, requirements
from gaptron.language.terms import ZERO, Json, Term, derivative, is_pair, names, read_name, substitute


def move(claim: Claim, variable: Json, direction: Json, facts: Json, slope: Json, ends: Json) -> Premises:
    """f <= 0 because f does not fall as v moves to its nearest bound (up or down), where f <= 0.

    ``facts`` are [relation, proof], each proved from what holds all the way and the facts before it.
    """
    name = read_name(variable)
    require(direction in ("up", "down"), "the direction is up or down")
    require(isinstance(facts, list) and all(map(is_pair, facts)), "facts is a list of relations and proofs")
    way = Claim(way_of(claim, name), claim.then, claim.without(name).integers)
    for relation, proof in facts:
        found = Relation.read(relation)
        yield way.instead(found), proof
        way = way.also(found)
    climb, arrivals = move_goals(claim, name, str(direction), way.given)
    require(isinstance(ends, list) and len(ends) == len(arrivals), "one end for every bound on that side")
    yield climb, slope
    yield from zip(arrivals, ends, strict=True)


def way_of(claim: Claim, name: str) -> tuple[Relation, ...]:
    """The hypotheses that hold all the way to the nearest bound: those without v, and its bounds."""
    return tuple(relation for relation in claim.given if _is_along(relation, name))


def move_goals(claim: Claim, name: str, direction: str, way: tuple[Relation, ...]) -> tuple[Claim, list[Claim]]:
    """What ``move`` needs: the sign of the slope on the way, and f <= 0 at each bound where it is the nearest.

    f is defined on the way. The bounds are hypotheses linear in v.
    """
    f, strict = claim.then.upper()
    Hypotheses(way).require_defined(f)
    near, far = _ends(way_of(claim, name), name, direction)
    require(bool(near), f"{name} has no bound on that side")
    ahead, closer = (">=", "<=") if direction == "up" else ("<=", ">=")
    rest = claim.without(name)
    arrivals = []
    for end in near:
        nearest = [Relation(closer, end, other) for other in near if other != end]
        inside = [Relation(closer, other, end) for other in far]
        there = Relation("<" if strict else "<=", substitute(f, name, end), ZERO)
        arrivals.append(rest.also(*nearest, *inside).instead(there))
    return Claim(way, Relation(ahead, derivative(f, name), ZERO), rest.integers), arrivals


def _is_along(relation: Relation, name: str) -> bool:
    """Whether the relation is without the variable, or linear in it with a rational slope and defined everywhere."""
    if name not in relation.names:
        return True
    poles = (*requirements(relation.left), *requirements(relation.right))
    return all(name not in names(part) for part, _ in poles) and bound_on(relation, name) is not None


def _ends(way: tuple[Relation, ...], name: str, direction: str) -> tuple[list[Term], list[Term]]:
    """The bounds in the direction of movement, and those behind, each once."""
    found = [bound for relation in way if name in relation.names and (bound := bound_on(relation, name))]
    near = dict.fromkeys(end for side, end in found if side == direction)
    far = dict.fromkeys(end for side, end in found if side != direction)
    return list(near), list(far)
