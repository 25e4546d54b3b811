"""One claim, one answer: algebraic claims go to both solvers, the others to balls."""

import time
from dataclasses import dataclass, field

from gaptron.evaluate import UncertainError
from gaptron.obligations import Claim, Obligation
from gaptron.prove.eliminate import prove_transcendental
from gaptron.prove.smt import decide_algebraic
from gaptron.prove.solvers import Solvers
from gaptron.verdict import EVIDENCE, UndecidedError


@dataclass
class Prover:
    """Decides claims with one pair of solver processes; ``seconds`` is the limit of each claim."""

    solvers: Solvers
    seconds: float
    used: list[str] = field(default_factory=list)

    def prove(self, obligation: Obligation) -> tuple[str, ...]:
        """The evidence (the weakest used) if every claim of the obligation holds.

        Raises
        ------
        FailedClaimError
            With the first claim that could not be proved.
        """
        self.used = []
        for claim in obligation.claims:
            try:
                self.decide(claim, 0)
            except UndecidedError as failure:
                raise FailedClaimError(claim, failure) from failure
        return (max(self.used, key=EVIDENCE.index),)

    def decide(self, claim: Claim, depth: int) -> None:
        """Return if the claim certainly holds; UndecidedError otherwise."""
        if claim.is_algebraic:
            self.used += decide_algebraic(claim, self.solvers, self.seconds)
            return
        try:
            prove_transcendental(claim, self.decide, time.monotonic() + self.seconds, depth)
        except (UncertainError, ValueError, ZeroDivisionError) as failure:
            raise UndecidedError(f"{claim.then}: {failure}") from failure
        self.used.append("balls")


class FailedClaimError(Exception):
    """A claim of an obligation that was not proved, and why."""

    def __init__(self, claim: Claim, failure: UndecidedError) -> None:
        super().__init__(failure.reason)
        self.claim = claim
        self.failure = failure
