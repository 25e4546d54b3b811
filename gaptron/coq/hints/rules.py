"""Proofs with hints, rule by rule, as data of the verified kernel."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from gaptron.coq.data import SIGNS, Data, Pair, Places, UnwrittenError, expression, places_of, relation_data
from gaptron.coq.hints.combination import GUARD_BITS, Combination, precision
from gaptron.coq.hints.steps import Steps
from gaptron.kernel import Claim, Rejected, Relation
from gaptron.kernel import rules as kernel_rules
from gaptron.kernel.enclosures import enclose
from gaptron.kernel.hypotheses import bound_on
from gaptron.kernel.polynomials import polynomial
from gaptron.kernel.rules.motion import move_goals, way_of
from gaptron.kernel.rules.substitution import fixed_goal, generalized
from gaptron.language.rejection import require
from gaptron.language.terms import ZERO, Json, Term, names, read_name, read_rational, read_term, substitute

MISFITS = (Rejected, LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError)


def certificate_data(claim: Claim, proof: Json) -> Data:
    """The proof of a claim, with hints.

    Raises
    ------
    UnwrittenError
        If the kernel has no words for a part of it.
    Rejected
        If the proof does not fit the claim: a hypothesis, a field or a number that is not there.
    """
    try:
        return _written(claim, proof, places_of(claim, proof))
    except MISFITS as error:
        raise Rejected(f"the proof does not fit its claim: {error!r}") from error


def _written(claim: Claim, proof: Json, places: Places) -> Data:
    rule = proof["rule"]
    if rule not in RULES:
        raise UnwrittenError(f"the rule {rule}")
    fields = kernel_rules.RULES[rule][1]
    require(set(proof) == {"rule", *fields}, f"the rule {rule} has the fields {', '.join(fields)}")
    return RULES[rule](claim, proof, places)


def _hypothesis(claim: Claim, index: Json) -> int:
    """The number of a hypothesis that is there."""
    require(type(index) is int and 0 <= index < len(claim.given), f"there is no hypothesis {index!r}")
    return int(index)


def _lemma(claim: Claim, proof: Json, places: Places) -> Data:
    found = Relation.read(proof["relation"])
    first = _written(claim.instead(found), proof["proof"], places)
    return ("CLemma", relation_data(found, places), first, _written(claim.also(found), proof["then"], places))


def _both(claim: Claim, proof: Json, places: Places) -> Data:
    sides = [Relation(sign, claim.then.left, claim.then.right) for sign in ("<=", ">=")]
    proofs = proof["upper"], proof["lower"]
    return ("CBoth", *(_written(claim.instead(r), p, places) for r, p in zip(sides, proofs, strict=True)))


def _apart(claim: Claim, proof: Json, places: Places) -> Data:
    side = Relation(proof["sign"], claim.then.left, claim.then.right)
    return ("CApart", SIGNS[proof["sign"]], _written(claim.instead(side), proof["proof"], places))


def _weaken(claim: Claim, proof: Json, places: Places) -> Data:
    require(isinstance(proof["keep"], list), "keep is a list of numbers of hypotheses")
    keep = [_hypothesis(claim, index) for index in proof["keep"]]
    kept = Claim(tuple(claim.given[index] for index in keep), claim.then, claim.integers)
    return ("CWeaken", keep, _written(kept, proof["proof"], places))


def _contradiction(claim: Claim, proof: Json, places: Places) -> Data:
    steps = Steps(claim, places)
    steps.hypothesis(_hypothesis(claim, proof["hypothesis"]))
    return ("CAbsurd", steps.data)


def _cases(claim: Claim, proof: Json, places: Places) -> Data:
    split, steps = read_term(proof["split"]), Steps(claim, places)
    polynomial(split)
    steps.guard(split)
    sides = [claim.also(Relation(sign, split, ZERO)) for sign in ("<=", ">=")]
    return ("CCases", steps.data, expression(split, places), *_sides(sides, proof, places))


def _integer(claim: Claim, proof: Json, places: Places) -> Data:
    whole, at = read_term(proof["term"]), read_rational(proof["at"])
    require(at.denominator == 1, f"{at} is not an integer")
    sides = [claim.also(Relation("<=", whole, at)), claim.also(Relation(">=", whole, at + 1))]
    return ("CInteger", claim.integers.index(whole), at.numerator, *_sides(sides, proof, places))


def _sides(sides: list[Claim], proof: Json, places: Places) -> list[Data]:
    return [_written(side, proof[name], places) for side, name in zip(sides, ("below", "above"), strict=True)]


def _combination(claim: Claim, proof: Json, places: Places) -> Data:
    return Combination(claim, proof, places).data()


def _interval(claim: Claim, proof: Json, places: Places) -> Data:
    steps, bits, form = Steps(claim, places), precision(proof["bits"]), proof["form"]
    require(form in ("direct", "mean"), f"{form!r} is not a form")
    f, _ = claim.then.upper()
    steps.guard(claim.then.left, claim.then.right)
    used = names(f)
    box = [_ends(steps, name, bits) if name in used else Pair("None", "None") for name in places]
    mean = ("Some", places[min(used)]) if form == "mean" else "None"
    return ("CInterval", steps.data, bits + GUARD_BITS, box, mean)


def _ends(steps: Steps, name: str, bits: int) -> Pair:
    """The narrowest constant bounds of a variable."""
    found: dict[str, tuple[Fraction, int]] = {}
    for index, relation in enumerate(steps.claim.given):
        bound = bound_on(relation, name)
        if bound is None or names(bound[1]):
            continue
        side, (low, high) = bound[0], enclose(bound[1], {}, bits)
        end = Fraction(high if side == "up" else low)
        if side not in found or (end < found[side][0] if side == "up" else end > found[side][0]):
            found[side] = end, index
    down, up = (
        ("Some", steps.bound(found[side][1], name, found[side][0])) if side in found else "None"
        for side in ("down", "up")
    )
    return Pair(down, up)


def _fixed(claim: Claim, proof: Json, places: Places) -> Data:
    name, value = read_name(proof["variable"]), read_rational(proof["value"])
    steps = Steps(claim, places)
    found = {bound: index for index, r in enumerate(claim.given) if (bound := bound_on(r, name)) is not None}
    ends = [steps.bound(found[side, value], name, value) for side in ("down", "up")]
    integers = tuple(substitute(term, name, value) for term in claim.integers)
    rest = _written(replace(fixed_goal(claim, name, value), integers=integers), proof["proof"], places)
    return ("CFixed", steps.data, places[name], expression(value, places), *ends, rest)


def _move(claim: Claim, proof: Json, places: Places) -> Data:
    name, is_up = read_name(proof["variable"]), proof["direction"] == "up"
    way = way_of(claim, name)
    require(isinstance(proof["facts"], list), "facts is a list of relations and proofs")
    along, facts = Claim(way, claim.then, claim.without(name).integers), []
    for relation, its_proof in proof["facts"]:
        found = Relation.read(relation)
        facts.append(Pair(relation_data(found, places), _written(along.instead(found), its_proof, places)))
        along = along.also(found)
    climb, arrivals = move_goals(claim, name, proof["direction"], along.given)
    steps = Steps(along, places)
    steps.guard(claim.then.left, claim.then.right)
    steps.table.add(claim.then.upper()[0], climb.then.left, name)
    near, far, ends = _way_ends(claim, way, name, steps, proof["direction"])
    slope = _written(climb, proof["slope"], places)
    there = [_written(claim, one, places) for claim, one in zip(arrivals, proof["ends"], strict=True)]
    ends_with_proofs = [Pair(*one) for one in zip(_once(ends["near"], places), there, strict=True)]
    derivative = expression(climb.then.left, places)
    head = ("CMove", steps.data, places[name], is_up, near, far)
    return (*head, _once(ends["far"], places), facts, derivative, slope, ends_with_proofs)


def _way_ends(
    claim: Claim, way: tuple[Relation, ...], name: str, steps: Steps, direction: str
) -> tuple[list[Data], list[Data], Mapping[str, list[Term]]]:
    """The bounds in the direction of movement, those behind, and where both are."""
    bounds: dict[str, list[Data]] = {"near": [], "far": []}
    ends: dict[str, list[Term]] = {"near": [], "far": []}
    asked = Steps(claim, steps.table.places)
    asked.table = steps.table
    for index, relation in enumerate(claim.given):
        found = bound_on(relation, name) if relation in way and name in relation.names else None
        if found is not None:
            side = "near" if found[0] == direction else "far"
            steps.guard(found[1])
            bounds[side].append(asked.bound(index, name))
            ends[side].append(found[1])
    return bounds["near"], bounds["far"], ends


def _generalize(claim: Claim, proof: Json, places: Places) -> Data:
    term, new, steps = read_term(proof["term"]), read_name(proof["new"]), Steps(claim, places)
    goal = generalized(claim, term, new)
    steps.guard(claim.then.left, claim.then.right)
    others = {name if name != new else f"{name} at {place}": place for name, place in places.items()}
    rest = _written(goal, proof["proof"], {**others, new: len(places)})
    return ("CGeneralize", steps.data, expression(term, places), rest)


def _once(terms: list[Term], places: Places) -> list[Data]:
    return [expression(term, places) for term in dict.fromkeys(terms)]


RULES: dict[str, Callable[[Claim, Json, Places], Data]] = {
    "lemma": _lemma,
    "both": _both,
    "apart": _apart,
    "weaken": _weaken,
    "contradiction": _contradiction,
    "cases": _cases,
    "integer": _integer,
    "combination": _combination,
    "interval": _interval,
    "fixed": _fixed,
    "move": _move,
    "generalize": _generalize,
}
