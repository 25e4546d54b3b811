"""Small pieces of proofs that the searches share."""

from collections.abc import Sequence
from contextlib import suppress

from gaptron.kernel import Claim, Rejected, Relation, check
from gaptron.kernel.enclosures import enclose
from gaptron.kernel.rules.intervals import mean_value
from gaptron.language.terms import names
from gaptron.prove.goals import bounds_on
from gaptron.prove.hints import written
from gaptron.prove.hints.combination import GUARD_BITS
from gaptron.system.documents import Document

Proof = Document  # a sketch: the name of a rule and its fields, without what ``hints`` adds
BITS = (48, 128)


class NotFoundError(Exception):
    """No proof was found: the claim may be true or false. How the search ended, and what might help."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.hint = hint


class Known:
    """A claim, and lemmas that were proved on the way: each from the hypotheses and the lemmas before it."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.lemmas: list[tuple[Relation, Proof]] = []

    def add(self, relation: Relation, proof: Proof) -> None:
        """A relation with its proof from ``self.claim``'s hypotheses."""
        self.lemmas.append((relation, proof))
        self.claim = self.claim.also(relation)

    def close(self, proof: Proof) -> Proof:
        """The proof of the first claim, from one of ``self.claim``."""
        return after(self.lemmas, proof)


def after(lemmas: Sequence[tuple[Relation, Proof]], proof: Proof) -> Proof:
    """The proof of a claim from one that has these lemmas among its hypotheses."""
    for relation, lemma in reversed(lemmas):
        proof = {"rule": "lemma", "relation": relation.data, "proof": lemma, "then": proof}
    return proof


def enclosed(claim: Claim) -> Proof | None:
    """A proof by one enclosure, if there is one."""
    for bits in BITS:
        for form in ("direct", "mean"):
            proof: Proof = {"rule": "interval", "bits": bits, "form": form}
            with suppress(Rejected):
                if _is_below_zero(claim, bits + GUARD_BITS, form):
                    check(claim, written(claim, proof))
                    return proof
    return None


def _is_below_zero(claim: Claim, bits: int, form: str) -> bool:
    f, strict = claim.then.upper()
    box = {name: bounds_on(claim.given, name, bits) for name in sorted(names(f))}
    if form == "mean" and len(box) != 1:
        return False
    high = enclose(f, box, bits)[1] if form == "direct" else mean_value(f, *next(iter(box.items())), bits)
    return high < 0 or (high <= 0 and not strict)
