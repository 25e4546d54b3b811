"""Constants that the kernel's enclosures show to be above zero."""

from fractions import Fraction

from gaptron.coq.real_terms import needs
from gaptron.kernel import Claim, Rejected, Relation, check
from gaptron.kernel.enclosures import enclose
from gaptron.language.terms import Json, Term
from gaptron.prove.hints import written
from gaptron.prove.rational_functions import polynomial_term, quotient

PRECISIONS = (64, 128, 256, 512)  # bits, of enclosures
ZERO = Fraction(0)


def above_zero(term: Term) -> Claim:
    """The claim that it is."""
    return Claim((), Relation(">", term, ZERO))


def shown(term: Term) -> Json | None:
    """A proof of this claim, if there is one by enclosures."""
    for bits in PRECISIONS:
        for way in (_direct, _after_needs):
            try:
                proof = written(above_zero(term), way(term, bits))
                check(above_zero(term), proof)
            except Rejected:
                continue
            return proof
    return None


def _direct(_: Term, bits: int) -> Json:
    return {"rule": "interval", "bits": bits, "form": "direct"}


def _after_needs(term: Term, bits: int) -> Json:
    """The proof after enclosures of what makes the constant defined, innermost parts first."""
    proof = _direct(term, bits)
    for part, wanted in reversed(needs(term)):
        whole = _whole(part)
        below = wanted == "nonzero" and enclose(whole, {}, bits)[1] < 0
        relation = Relation("<" if below else ">=" if wanted == "nonnegative" else ">", whole, ZERO)
        proof = {"rule": "lemma", "relation": relation.data, "proof": _direct(whole, bits), "then": proof}
    return proof


def _whole(part: Term) -> Term:
    """Its numerator, if it is written with powers of exponentials below: the kernel knows signs of polynomials."""
    numerator, denominators = quotient(part)
    return polynomial_term(numerator) if denominators else part
