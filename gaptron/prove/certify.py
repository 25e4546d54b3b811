"""A proof that the kernel has accepted; where integers are bounded, by sharper bounds or small values on their own."""

import time
from fractions import Fraction
from math import ceil, floor

from gaptron.kernel import Claim, Rejected, Relation, check
from gaptron.language.rejection import Undefined
from gaptron.prove.bounds import rational_bounds
from gaptron.prove.derived_rules import Entangled
from gaptron.prove.goals import fixed_goal
from gaptron.prove.hints import written
from gaptron.prove.positivstellensatz import QUICK, find_combination
from gaptron.prove.proofs import NotFoundError, Proof
from gaptron.prove.search import Search

APART = 3  # so many small values are proved on their own if all of them together cannot be
FIRST = 0.75  # of the time is for the attempt at all values at once
FALSE = Relation("<=", Fraction(1), Fraction(0))
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
        proof: Proof = written(claim, prove_with_integers(claim, time.process_time() + seconds, APART))
        check(claim, proof)
    except (Rejected, RecursionError, OverflowError) as error:
        raise NotFoundError(_said(error)) from error
    return proof


def _said(error: Exception) -> str:
    """In the words of whoever wrote the theorem."""
    if isinstance(error, Undefined):
        return OPEN[error.wanted]
    return "K stands in a logarithm, an exponent or a root" if isinstance(error, Entangled) else str(error)


def prove_with_integers(claim: Claim, deadline: float, apart: int) -> Proof:
    """A proof before the deadline, in this process's time. NotFoundError without one."""
    for name in _integers(claim):
        for bound, is_lower, strict in rational_bounds(claim, name):
            proof = _sharper(claim, name, bound, is_lower, strict, deadline, apart)
            if proof is not None:
                return proof
    for name in sorted(claim.names):
        low, high = _range(claim, name)
        if low is not None and low == high:
            proof = prove_with_integers(fixed_goal(claim, name, low), deadline, apart)
            return {"rule": "fixed", "variable": name, "value": str(low), "proof": proof}
    return _apart(claim, deadline, apart)


def _integers(claim: Claim) -> list[str]:
    return [term for term in claim.integers if isinstance(term, str)]


def _range(claim: Claim, name: str) -> tuple[Fraction | None, Fraction | None]:
    """The largest lower and the smallest upper bound that may be attained."""
    bounds = [(bound, is_lower) for bound, is_lower, strict in rational_bounds(claim, name) if not strict]
    lower, upper = ([bound for bound, is_lower in bounds if is_lower == side] for side in (True, False))
    return max(lower, default=None), min(upper, default=None)


def _sharper(
    claim: Claim, name: str, bound: Fraction, is_lower: bool, strict: bool, deadline: float, apart: int
) -> Proof | None:
    """The claim with an integer in the place of a strict or fractional bound; None if that says nothing new."""
    if not strict and bound.denominator == 1:
        return None
    low, high = _range(claim, name)
    at = Fraction(ceil(bound) - 1 if strict and not is_lower else floor(bound))
    if (low is not None and low > at) if is_lower else (high is not None and high <= at):
        return None
    below, above = claim.also(Relation("<=", name, at)), claim.also(Relation(">=", name, at + 1))
    nowhere, rest = (below, above) if is_lower else (above, below)
    empty = _empty(nowhere, deadline)
    if empty is None:
        return None
    proved = prove_with_integers(rest, deadline, apart)
    sides = (empty, proved) if is_lower else (proved, empty)
    return {"rule": "integer", "term": name, "at": str(at), "below": sides[0], "above": sides[1]}


def _empty(claim: Claim, deadline: float) -> Proof | None:
    """A proof of anything from hypotheses that contradict each other by their bounds."""
    proof = find_combination(claim.instead(FALSE), deadline, QUICK)
    if proof is None:
        return None
    contradiction: Proof = {"rule": "contradiction", "hypothesis": len(claim.given)}
    return {"rule": "lemma", "relation": FALSE.data, "proof": proof, "then": contradiction}


def _apart(claim: Claim, deadline: float, apart: int) -> Proof:
    """For all values at once, or else the smallest by itself and the others."""
    now = time.process_time()
    ranges = [(name, *_range(claim, name)) for name in _integers(claim)] if apart > 0 else []
    ways = [(name, low) for name, low, high in ranges if low is not None and (high is None or low < high)]
    limit = now + (deadline - now) * FIRST if ways else deadline
    try:
        return Search(limit).prove(claim)
    except (NotFoundError, Rejected):
        if not ways:
            raise
    name, low = ways[0]
    alone, others = claim.also(Relation("<=", name, low)), claim.also(Relation(">=", name, low + 1))
    return {
        "rule": "integer",
        "term": name,
        "at": str(low),
        "below": prove_with_integers(alone, deadline, apart),
        "above": prove_with_integers(others, deadline, apart - 1),
    }
