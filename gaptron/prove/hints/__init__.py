"""Proofs as the kernels read them, from the sketches that the search finds: with atoms, hints, multipliers and boxes.

Not trusted: a wrong hint is refused by both kernels.
"""

from gaptron.kernel import Claim, Rejected
from gaptron.language.terms import Json
from gaptron.prove.hints.common_subterms import Sharing
from gaptron.prove.hints.elaboration import rule_of

MISFITS = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, AssertionError)


def written(claim: Claim, sketch: Json) -> Json:
    """The proof of a claim.

    Raises
    ------
    Rejected
        If the sketch does not fit the claim: a hypothesis, a field or a number that is not there.
    """
    try:
        return Sharing(rule_of(claim, sketch)).data
    except MISFITS as error:
        raise Rejected(f"the proof does not fit its claim, or a number is too large: {error!r}") from error
