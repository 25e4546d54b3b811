"""A proof that the kernel has accepted."""

import time

from gaptron.kernel import Claim, Rejected, check
from gaptron.language.rejection import Undefined
from gaptron.prove.derived_rules import Entangled
from gaptron.prove.hints import written
from gaptron.prove.integers import prove_with_integers
from gaptron.prove.proofs import NotFoundError, Proof

OPEN = {
    "nonzero": "a denominator could not be shown not to vanish",
    "positive": "the argument of a logarithm could not be shown to be positive",
    "nonnegative": "the argument of a root could not be shown not to be negative",
}


def certify(claim: Claim, seconds: float) -> Proof:
    """A proof of the claim that the kernel has accepted.

    Raises
    ------
    NotFoundError
        If the search ends, or has taken ``seconds`` of this process's time, without one: how much else the machine
        does must not decide.
    """
    try:
        proof: Proof = written(claim, prove_with_integers(claim, time.process_time() + seconds))
        check(claim, proof)
    except (Rejected, RecursionError, OverflowError) as error:
        raise NotFoundError(_said(error)) from error
    return proof


def _said(error: Exception) -> str:
    """In the words of whoever wrote the theorem."""
    if isinstance(error, Undefined):
        return OPEN[error.wanted]
    return "K stands in a logarithm, an exponent or a root" if isinstance(error, Entangled) else str(error)
