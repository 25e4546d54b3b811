"""Sketches of proofs, as the search finds them, written out with all that the kernels ask for. Not trusted."""

from collections.abc import Callable

from gaptron.kernel import Claim, Relation
from gaptron.kernel.enclosures import enclose
from gaptron.language.rejection import require
from gaptron.language.terms import ZERO, Json, Term, names, read_rational, read_term, subterms
from gaptron.prove.goals import fixed_goal, generalized, is_along, move_goals, way_of
from gaptron.prove.hints.combination import GUARD_BITS, Combination
from gaptron.prove.hints.steps import Steps
from gaptron.prove.hypotheses import bound_on


def rule_of(claim: Claim, sketch: Json) -> Json:
    """The proof of a claim, its terms, relations and tables standing in it as they are."""
    require(sketch["rule"] in RULES, f"there is no rule {sketch['rule']!r}")
    return {"rule": sketch["rule"], **RULES[sketch["rule"]](claim, sketch)}


def _lemma(claim: Claim, sketch: Json) -> Json:
    found = Relation.read(sketch["relation"])
    first = rule_of(claim.instead(found), sketch["proof"])
    return {"relation": found, "proof": first, "then": rule_of(claim.also(found), sketch["then"])}


def _both(claim: Claim, sketch: Json) -> Json:
    sides = {"upper": "<=", "lower": ">="}
    return {
        side: rule_of(claim.instead(Relation(sign, claim.then.left, claim.then.right)), sketch[side])
        for side, sign in sides.items()
    }


def _apart(claim: Claim, sketch: Json) -> Json:
    side = Relation(sketch["sign"], claim.then.left, claim.then.right)
    return {"sign": sketch["sign"], "proof": rule_of(claim.instead(side), sketch["proof"])}


def _weaken(claim: Claim, sketch: Json) -> Json:
    kept = Claim(tuple(claim.given[index] for index in sketch["keep"]), claim.then, claim.integers)
    return {"keep": sketch["keep"], "proof": rule_of(kept, sketch["proof"])}


def _contradiction(claim: Claim, sketch: Json) -> Json:
    found = Combination(claim, {"bounds": [], "summands": [], "equations": []})
    found.impossible(sketch["hypothesis"])
    return found.steps.data


def _cases(claim: Claim, sketch: Json) -> Json:
    split, steps = read_term(sketch["split"]), Steps(claim.given)
    steps.guard(split)
    return {**steps.data, "split": split, **_sides(claim, split, ZERO, ZERO, sketch)}


def _integer(claim: Claim, sketch: Json) -> Json:
    whole, at = read_term(sketch["term"]), read_rational(sketch["at"])
    require(at.denominator == 1, f"{at} is not an integer")
    fields = {"which": claim.integers.index(whole), "at_most": int(at)}
    return fields | _sides(claim, whole, at, at + 1, sketch)


def _sides(claim: Claim, term: Term, at_most: Term, at_least: Term, sketch: Json) -> Json:
    below, above = Relation("<=", term, at_most), Relation(">=", term, at_least)
    return {"below": rule_of(claim.also(below), sketch["below"]), "above": rule_of(claim.also(above), sketch["above"])}


def _interval(claim: Claim, sketch: Json) -> Json:
    steps, bits, variables = Steps(claim.given), sketch["bits"], sorted(names(claim.then.upper()[0]))
    steps.guard(claim.then.left, claim.then.right)
    box = {name: ends for name in variables if any(ends := _ends(steps, name, bits))}
    mean = variables[0] if sketch["form"] == "mean" and variables else None
    return {**steps.data, "bits": bits + GUARD_BITS, "box": box, "mean": mean}


def _ends(steps: Steps, name: str, bits: int) -> list[Json]:
    """The narrowest constant bounds of a variable."""
    found: list[Json] = [None, None]
    for index, relation in enumerate(steps.evidence.given):
        bound = bound_on(relation, name)
        if bound is not None and not names(bound[1]):
            side = int(bound[0] == "up")
            end = enclose(bound[1], {}, bits)[side]
            if found[side] is None or (end < found[side][1] if side else end > found[side][1]):
                found[side] = index, end
    given = steps.evidence.given
    return [one and [*steps.bound(given[one[0]], one[0], name), str(one[1])] for one in found]


def _fixed(claim: Claim, sketch: Json) -> Json:
    name, value, steps = sketch["variable"], read_rational(sketch["value"]), Steps(claim.given)
    found = {bound: index for index, r in enumerate(claim.given) if (bound := bound_on(r, name)) is not None}
    places = [found[side, value] for side in ("down", "up")]
    bounds = [steps.bound(claim.given[place], place, name)[:2] for place in places]
    proof = rule_of(fixed_goal(claim, name, value), sketch["proof"])
    return {**steps.data, "variable": name, "value": str(value), "bounds": bounds, "proof": proof}


def _move(claim: Claim, sketch: Json) -> Json:
    name, direction = sketch["variable"], sketch["direction"]
    along, facts = Claim(way_of(claim, name), claim.then, claim.without(name).integers), []
    for relation, proof in sketch["facts"]:
        found = Relation.read(relation)
        facts.append([found, rule_of(along.instead(found), proof)])
        along = along.also(found)
    climb, arrivals = move_goals(claim, name, direction, along.given)
    steps = Steps(along.given)
    sides: dict[str, list[Json]] = {"near": [], "far": []}
    f, _ = claim.then.upper()
    inverses = [("^", part[1], -1) for part in subterms(f) if isinstance(part, tuple) and part[0] == "log"]
    steps.guard(claim.then.left, claim.then.right, climb.then.left, *inverses)
    steps.table.add(name)
    for index, relation in enumerate(claim.given):
        bound = bound_on(relation, name) if is_along(relation, name) else None
        if bound is not None:
            steps.guard(bound[1])
            sides["near" if bound[0] == direction else "far"].append(steps.bound(relation, index, name))
    slope = rule_of(climb, sketch["slope"])
    ends = [rule_of(goal, proof) for goal, proof in zip(arrivals, sketch["ends"], strict=True)]
    fields = {**steps.data, "variable": name, "direction": direction, **sides, "facts": facts}
    return {**fields, "derived": climb.then.left, "slope": slope, "ends": ends}


def _generalize(claim: Claim, sketch: Json) -> Json:
    term, new, steps = read_term(sketch["term"]), sketch["new"], Steps(claim.given)
    goal = generalized(claim, term, new)
    steps.guard(claim.then.left, claim.then.right)
    return {**steps.data, "term": term, "new": new, "proof": rule_of(goal, sketch["proof"])}


RULES: dict[str, Callable[[Claim, Json], Json]] = {
    "lemma": _lemma,
    "both": _both,
    "apart": _apart,
    "weaken": _weaken,
    "contradiction": _contradiction,
    "cases": _cases,
    "integer": _integer,
    "combination": lambda claim, sketch: Combination(claim, sketch).data(),
    "interval": _interval,
    "fixed": _fixed,
    "move": _move,
    "generalize": _generalize,
}
