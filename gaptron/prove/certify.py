"""A proof that the kernel has accepted."""

import time

from gaptron.kernel import Claim, Rejected, check
from gaptron.prove.integers import prove_with_integers
from gaptron.prove.proofs import NotFoundError, Proof


def certify(claim: Claim, seconds: float) -> Proof:
    """A proof of the claim that the kernel has accepted.

    Raises
    ------
    NotFoundError
        If the search ends, or has taken ``seconds`` of this process's time, without one: how much else the machine
        does must not decide.
    """
    try:
        proof = prove_with_integers(claim, time.process_time() + seconds)
        check(claim, proof)
    except (Rejected, RecursionError, OverflowError) as error:
        raise NotFoundError(str(error)) from error
    return proof
