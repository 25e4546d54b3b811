"""Small pieces of proofs that the searches share."""

from gaptron.kernel import Claim, Rejected, Relation, check
from gaptron.prove.hints import written
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
        for relation, lemma in reversed(self.lemmas):
            proof = {"rule": "lemma", "relation": relation.data, "proof": lemma, "then": proof}
        return proof


def enclosed(claim: Claim) -> Proof | None:
    """A proof by one enclosure, if there is one."""
    for bits in BITS:
        for form in ("direct", "mean"):
            proof: Proof = {"rule": "interval", "bits": bits, "form": form}
            try:
                check(claim, written(claim, proof))
            except Rejected:
                continue
            return proof
    return None
