"""The rules ``clear``, ``powers`` and ``exponential``, which the verified kernel does not have, as lemmas of others."""

from collections.abc import Callable, Sequence

from gaptron.coq.hints.table import variable_of
from gaptron.kernel import Claim, Relation
from gaptron.kernel.hypotheses import Hypotheses, bound_on
from gaptron.kernel.rules.algebra import cleared, facts_of, powers_goals
from gaptron.kernel.rules.motion import move_goals, way_of
from gaptron.kernel.rules.substitution import exponential_goal
from gaptron.language.rejection import require
from gaptron.language.relations import requirements
from gaptron.language.terms import ZERO, Json, Term, names, read_name, read_rational, substitute, term_data


def elementary(claim: Claim, proof: Json) -> Json:
    """A proof by one of these rules as one of the same claim without that rule; both kernels accept it.

    Raises
    ------
    Rejected
        If the proof does not fit the claim.
    """
    return WITHOUT[proof["rule"]](claim, proof)


def _without_clear(claim: Claim, proof: Json) -> Json:
    """The sign of the numerator is a lemma; divided by the denominator, it contradicts the negated conclusion."""
    goal = cleared(claim).then
    more = claim.also(goal)
    return _lemmas([goal], [proof["proof"]], _sum(more, [[_fact(more, len(claim.given))]]))


def _without_powers(claim: Claim, proof: Json) -> Json:
    """Each coefficient's sign is a lemma; the sum of c_k (v - start)^k contradicts the negated conclusion."""
    name, start = read_name(proof["variable"]), read_rational(proof["start"])
    goals = [goal.then for goal in powers_goals(claim, name, start)]
    bounds = [index for index, relation in enumerate(claim.given) if _says_from(relation, name, start)]
    require(bool(bounds) and len(goals) == len(proof["parts"]), "a part for each power of a variable with that bound")
    more = claim.also(*goals)
    keep = [index for index, relation in enumerate(claim.given) if name not in relation.names]
    parts = [{"rule": "weaken", "keep": keep, "proof": part} for part in proof["parts"]]
    products = [
        [_fact(more, len(claim.given) + degree), *[_fact(more, bounds[0])] * degree] for degree in range(len(goals))
    ]
    return _lemmas(goals, parts, _sum(more, products))


def _without_exponential(claim: Claim, proof: Json) -> Json:
    """The bounds of u = exp(rate v) are lemmas, and what the proof shows of any u within them holds of it."""
    name, rate, new = read_name(proof["variable"]), read_rational(proof["rate"]), read_name(proof["new"])
    goal, whole = exponential_goal(claim, name, rate, new), ("exp", ("*", rate, name))
    said = [
        Relation(r.sign, *(substitute(side, new, whole) for side in (r.left, r.right)))
        for r in (*goal.given, goal.then)
    ]
    bounds = iter([n for n, r in enumerate(claim.given) if (b := bound_on(r, name)) is not None and not names(b[1])])
    *given, then = said
    positive, *limits = (relation for relation, of in zip(given, goal.given, strict=True) if new in of.names)
    proofs = [_last(claim.instead(positive)), *(_climb(claim, name, limit, next(bounds)) for limit in limits)]
    more = claim.also(positive, *limits)
    above = _above_zero(more, then)
    for relation in above:
        proofs.append(_last(more.instead(relation)))
        more = more.also(relation)
    inside = {"rule": "weaken", "keep": [_last_index(more, relation) for relation in given], "proof": proof["proof"]}
    inside = {"rule": "generalize", "term": term_data(whole), "new": new, "proof": inside}
    last = more.also(then)
    return _lemmas([positive, *limits, *above, then], [*proofs, inside], _sum(last, [[_fact(last, len(more.given))]]))


def _above_zero(claim: Claim, then: Relation) -> list[Relation]:
    """That parts of a conclusion are positive, which the claim's hypotheses do not say and its sides need."""
    needed = dict.fromkeys(wanted for side in (then.left, then.right) for _, wanted in requirements(side))
    known = Hypotheses(claim.given)
    return [Relation(">", part, ZERO) for part, kind in needed if names(part) and not known.meets(part, kind)]


def _climb(claim: Claim, name: str, limit: Relation, hypothesis: int) -> Json:
    """An exponential is at most, or at least, what it is at a bound of its variable: it does not fall on the way."""
    alone = Claim((claim.given[hypothesis],), limit, claim.integers)
    side = bound_on(alone.given[0], name)
    assert side is not None  # noqa: S101
    slope, (end,) = move_goals(alone, name, side[0], way_of(alone, name))
    move = {"rule": "move", "variable": name, "direction": side[0], "facts": []}
    return {
        "rule": "weaken",
        "keep": [hypothesis],
        "proof": {**move, "slope": _last(slope), "ends": [_last(end)]},
    }


def _last(claim: Claim) -> Json:
    """A conclusion that says c e^n >= 0, or > 0, for an exponential e and c >= 0: its negation is absurd."""
    facts = facts_of(claim, [])
    _, opposite = facts[-1]
    summands = [["1", [len(facts) - 1], "1"]]
    for monomial, value in opposite.items():
        ups = [index for name, degree in monomial for index in [facts.index((">", variable_of(name)))] * degree]
        summands.append([str(-value), ups, "1"])
    return {"rule": "combination", "bounds": [], "summands": summands, "equations": []}


def _last_index(claim: Claim, relation: Relation) -> int:
    """The number of a hypothesis, of equal ones the last."""
    return max(index for index, found in enumerate(claim.given) if found == relation)


def _says_from(relation: Relation, name: Term, start: Term) -> bool:
    """Whether it says that the variable is at least ``start``, or larger."""
    sides = {"<": (relation.right, relation.left), ">": (relation.left, relation.right)}
    return sides.get(relation.sign[0]) == (name, start)


def _fact(claim: Claim, index: int) -> int:
    """The number of the fact of a hypothesis: one that is only a difference has none."""
    return sum(relation.sign != "!=" for relation in claim.given[:index])


def _sum(claim: Claim, products: Sequence[Sequence[int]]) -> Json:
    """The combination: these products of facts, and the negated conclusion, which is the last fact."""
    last = len(facts_of(claim, [])) - 1
    summands = [["1", list(facts), "1"] for facts in (*products, [last])]
    return {"rule": "combination", "bounds": [], "summands": summands, "equations": []}


def _lemmas(relations: Sequence[Relation], proofs: Sequence[Json], end: Json) -> Json:
    for relation, proof in reversed(list(zip(relations, proofs, strict=True))):
        end = {"rule": "lemma", "relation": relation.data, "proof": proof, "then": end}
    return end


WITHOUT: dict[str, Callable[[Claim, Json], Json]] = {
    "clear": _without_clear,
    "powers": _without_powers,
    "exponential": _without_exponential,
}
