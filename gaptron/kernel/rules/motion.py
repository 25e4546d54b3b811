"""A conclusion that does not fall as a variable moves to its nearest bound."""

from fractions import Fraction

from gaptron.kernel.evidence import Evidence
from gaptron.kernel.rules.intervals import require_linked
from gaptron.kernel.sharing import Premises, Shared, at
from gaptron.language.rejection import require
from gaptron.language.relations import Claim, Relation, requirements
from gaptron.language.terms import (
    ZERO,
    Json,
    Term,
    derivative,
    is_pair,
    names,
    read_name,
    read_rational,
    substitute,
    subterms,
)

Bound = tuple[int, Fraction, Term]  # from which hypothesis, by which factor, and where it is


def move(
    claim: Claim,
    shared: Shared,
    table: Json,
    steps: Json,
    variable: Json,
    direction: Json,
    near: Json,
    far: Json,
    facts: Json,
    derived: Json,
    slope: Json,
    ends: Json,
) -> Premises:
    """f <= 0 because f does not fall as v moves to its nearest bound (up or down), where f <= 0.

    ``near`` and ``far`` are the bounds in that direction and behind, each [hypothesis, factor, term]; ``facts`` are
    [relation, proof], each proved from what holds all the way and the facts before it; ``derived`` is the derivative.
    There is one end for each term of ``near``: the claim there, if it is the nearest.
    """
    name = read_name(variable)
    require(direction in ("up", "down"), "the direction is up or down")
    is_up, evidence = direction == "up", Evidence((), shared, at(shared.tables, table))
    bounds = [[_bound(claim, shared, data) for data in side] if isinstance(side, list) else [] for side in (near, far)]
    require(bool(bounds[0]) and isinstance(far, list), f"{name} has no bound on that side")
    for side, is_lower in zip(bounds, (not is_up, is_up), strict=True):
        for bound in side:
            _require_along(evidence, claim.given[bound[0]], name, bound, is_lower)
    rest, along = claim.without(name), {bound[0] for side in bounds for bound in side}
    kept = (r for index, r in enumerate(claim.given) if index in along or name not in r.names)
    way = Claim(tuple(kept), claim.then, rest.integers)
    require(isinstance(facts, list) and all(map(is_pair, facts)), "facts is a list of relations and proofs")
    for relation, proof in facts:
        found = shared.relation(relation)
        yield way.instead(found), proof
        way = way.also(found)
    evidence = Evidence(way.given, shared, at(shared.tables, table), steps)
    f, found_slope = claim.then.upper()[0], shared.term(derived)
    evidence.require_defined(*(term for side in bounds for _, _, term in side), claim.then.left, claim.then.right)
    _require_smooth(evidence, f, name)
    evidence.require_defined(derivative(f, name))
    require(evidence.table.equal(found_slope, derivative(f, name)), "it is not the derivative")
    yield way.instead(Relation(">=" if is_up else "<=", found_slope, ZERO)), slope
    arrivals = arrivals_of(claim, name, is_up, *([term for _, _, term in side] for side in bounds))
    require(isinstance(ends, list) and len(ends) == len(arrivals), "one end for every bound on that side")
    yield from zip(arrivals, ends, strict=True)


def _bound(claim: Claim, shared: Shared, data: Json) -> Bound:
    require(isinstance(data, list) and len(data) == 3, "{!r} is no bound", data)
    at(claim.given, data[0])
    return data[0], read_rational(data[1]), shared.term(data[2])


def _require_along(evidence: Evidence, relation: Relation, name: str, bound: Bound, is_lower: bool) -> None:
    """Reject unless it is a bound all the way: what may be undefined in the hypothesis does not have the variable."""
    poles = (*requirements(relation.left), *requirements(relation.right))
    free = name not in names(bound[2]) and all(name not in names(part) for part, _ in poles)
    require(free, f"{name} is in its bound, or in what may be undefined")
    require_linked(evidence, name, relation.upper()[0], *bound[1:], is_lower)


def _require_smooth(evidence: Evidence, f: Term, name: str) -> None:
    """Reject unless arguments of logarithms are not zero, and those of roots that have the variable are positive."""
    for part in subterms(f):
        if isinstance(part, tuple) and part[0] == "log":
            evidence.require_defined(("^", part[1], -1))
        if isinstance(part, tuple) and part[0] == "root" and name in names(part):
            require(evidence.is_positive(part[1]), "the argument of a root may be zero")


def arrivals_of(claim: Claim, name: str, is_up: bool, near: list[Term], far: list[Term]) -> list[Claim]:
    """f <= 0 at each bound, where it is the nearest, from the hypotheses without the variable."""
    f, strict = claim.then.upper()
    rest, closer, arrivals = claim.without(name), "<=" if is_up else ">=", []
    for end in dict.fromkeys(near):
        nearest = [Relation(closer, end, other) for other in dict.fromkeys(near) if other != end]
        inside = [Relation(closer, other, end) for other in dict.fromkeys(far)]
        there = Relation("<" if strict else "<=", substitute(f, name, end), ZERO)
        arrivals.append(rest.also(*nearest, *inside).instead(there))
    return arrivals
