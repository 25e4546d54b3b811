"""One obligation, one answer: both solvers are asked, and a certificate is searched that the kernel replays."""

import time
from dataclasses import dataclass
from itertools import islice

from gaptron.kernel import Certificate
from gaptron.obligations import Sequent
from gaptron.obligations.statement import statement
from gaptron.prove.certify import certify
from gaptron.prove.counterexample import counterexamples
from gaptron.prove.proofs import NotFoundError, Proof
from gaptron.prove.reasons import reason
from gaptron.prove.smt import decide_algebraic
from gaptron.prove.solvers import Solvers
from gaptron.prove.tasks import Decided, Task, certified
from gaptron.symbols import is_integer
from gaptron.theory.items import Item
from gaptron.theory.theorem import Theorem
from gaptron.theory.verdict import EVIDENCE, Ruling, UndecidedError, Verdict

FIRST = 2.0  # seconds for the solvers before a certificate is searched, which may make them superfluous
GLANCE = 1.0  # seconds for a look at simple points before a proof without solvers is searched


class FailedClaimError(Exception):
    """A claim of an obligation that was not proved, and why."""

    def __init__(self, claim: Sequent, failure: UndecidedError) -> None:
        super().__init__(failure.reason)
        self.claim = claim
        self.failure = failure


@dataclass
class Prover:
    """Proves obligations with one pair of solver processes; ``seconds`` is the limit of each claim and engine."""

    solvers: Solvers
    seconds: float

    def prove(self, task: Task) -> Decided:
        """PROVED, with the evidence, strongest first, and the certificate if there is one.

        Raises
        ------
        FailedClaimError
            With the first claim that could not be proved.
        """
        levels: set[str] = set()
        proofs: list[Proof | None] = []
        for claim in task.obligation.claims:
            try:
                level, proof = self._claim(task.item, claim)
            except UndecidedError as failure:
                why = reason(claim, failure, task.obligation.id)
                said = UndecidedError(why, failure.model, failure.may_still_hold)
                raise FailedClaimError(claim, said) from failure
            levels.add(level or "")
            proofs.append(proof)
        solved = () if "" in levels else (max(levels, key=EVIDENCE.index),)
        claims = task.kernel_claims()
        if None in proofs or claims is None:
            return Decided(Ruling(Verdict.PROVED, evidence=solved, method="z3, cvc5"))
        return certified(Verdict.PROVED, Certificate(task.about, claims, tuple(proofs), None), solved)

    def _claim(self, item: Item, claim: Sequent) -> tuple[str | None, Proof | None]:
        """The solvers' level and the kernel's proof; one of them may be missing."""
        level = self._solved(claim, min(self.seconds, FIRST)) if claim.is_algebraic else None
        if level is None:
            self._glance(item, claim)
        try:
            return level, certify(statement(claim), self.seconds)
        except (NotFoundError, NotImplementedError) as failure:
            if level is None and claim.is_algebraic:
                level = self._solved(claim, self.seconds)
            if level is None:
                hint = failure.hint if isinstance(failure, NotFoundError) else ""
                raise UndecidedError(str(failure), hint=hint) from failure
            return level, None

    def _solved(self, claim: Sequent, seconds: float) -> str | None:
        """The solvers' level; None if they are silent. UndecidedError if one finds a counterexample.

        A counterexample over the reals says nothing where a variable that is an integer is none there.
        """
        try:
            return decide_algebraic(claim, self.solvers, seconds)
        except UndecidedError as failure:
            if failure.may_still_hold or any(is_integer(v) and x.denominator != 1 for v, x in failure.model.items()):
                return None
            raise

    def _glance(self, item: Item, claim: Sequent) -> None:
        """Simple points at which the claim fails, before a proof is searched."""
        theorem = item if isinstance(item, Theorem) else None
        for point in islice(counterexamples(claim, theorem, {}, time.monotonic() + GLANCE), 1):
            raise UndecidedError("it fails at a simple point", point)
