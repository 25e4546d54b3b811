"""Small pieces of proofs that the searches share."""

from collections.abc import Callable, Sequence

from gaptron.kernel import Claim, Rejected, Relation, check
from gaptron.kernel.rules import Proof

BITS = (48, 128)


class NotFoundError(Exception):
    """No proof was found: the claim may be true or false."""


def with_lemmas(lemmas: Sequence[tuple[Relation, Proof]], claim: Claim, prove: Callable[[Claim], Proof]) -> Proof:
    """The proof of a claim with the help of lemmas, each proved from the hypotheses and the lemmas before it."""
    for relation, _ in lemmas:
        claim = claim.also(relation)
    proof = prove(claim)
    for relation, lemma in reversed(lemmas):
        proof = {"rule": "lemma", "relation": relation.data, "proof": lemma, "then": proof}
    return proof


def enclosed(claim: Claim) -> Proof | None:
    """A proof by one enclosure, if there is one."""
    for bits in BITS:
        for form in ("direct", "mean"):
            proof: Proof = {"rule": "interval", "bits": bits, "form": form}
            try:
                check(claim, proof)
            except Rejected:
                continue
            return proof
    return None
