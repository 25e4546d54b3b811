"""The rules ``clear`` and ``powers``, which the verified kernel does not have, as lemmas and a combination."""

from collections.abc import Sequence

from gaptron.kernel import Claim, Relation
from gaptron.kernel.rules.algebra import cleared, facts_of, powers_goals
from gaptron.language.rejection import require
from gaptron.language.terms import Json, Term, read_name, read_rational


def elementary(claim: Claim, proof: Json) -> Json:
    """A proof by ``clear`` or ``powers`` as one of the same claim without that rule; both kernels accept it.

    Raises
    ------
    Rejected
        If the proof does not fit the claim.
    """
    return (_without_clear if proof["rule"] == "clear" else _without_powers)(claim, proof)


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
