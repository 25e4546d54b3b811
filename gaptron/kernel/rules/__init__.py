"""The rules by family: each takes a claim and the fields of a proof, and asks for what the claim follows from.

A rule rejects a field that it does not know, so that nothing in a certificate is without meaning.
"""

from collections.abc import Callable
from inspect import signature

from gaptron.kernel.rules import algebra, intervals, logic, motion, splits, substitution
from gaptron.kernel.sharing import Premises, Shared
from gaptron.language.rejection import Rejected, require
from gaptron.language.relations import Claim
from gaptron.language.terms import Json


def check(claim: Claim, proof: Json) -> None:
    """Return if the proof, {"terms": [...], "tables": [...], "proof": ...}, establishes the claim.

    Raises
    ------
    Rejected
        With the reason.
    """
    good = isinstance(proof, dict) and set(proof) == {"terms", "tables", "proof"}
    require(good, "a proof has the fields terms, tables, proof")
    try:
        _check(claim, Shared(proof["terms"], proof["tables"]), proof["proof"])
    except (ValueError, OverflowError) as error:
        raise Rejected(f"a number is too large: {error}") from error


def _check(claim: Claim, shared: Shared, proof: Json) -> None:
    require(isinstance(proof, dict) and isinstance(proof.get("rule"), str), "a proof names its rule")
    require(proof["rule"] in RULES, f"there is no rule {proof['rule']!r}")
    rule, fields = RULES[proof["rule"]]
    require(set(proof) == {"rule", *fields}, f"the rule {proof['rule']} has the fields {', '.join(fields)}")
    for premise, its_proof in rule(claim, shared, *(proof[name] for name in fields)):
        _check(premise, shared, its_proof)


RULES: dict[str, tuple[Callable[..., Premises], tuple[str, ...]]] = {
    rule.__name__: (rule, tuple(signature(rule).parameters)[2:])  # its fields are what it takes beside claim and shared
    for rule in (
        *(logic.lemma, logic.both, logic.apart, logic.weaken, logic.contradiction, splits.cases, splits.integer),
        *(algebra.combination, motion.move, intervals.interval, substitution.fixed, substitution.generalize),
    )
}
