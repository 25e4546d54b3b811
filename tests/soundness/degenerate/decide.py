"""The package's verdict on a theorem file, in this process, by kernel certificates alone.

The file is loaded as a user's, its obligations are derived and decided by the package's own prover; only the solvers
are left out, which the evidence ``kernel`` never needs, and what was proved once is not searched again. The first
obligation that is not proved ends the theorem.

To try many files, a claim that fails at a point is taken as not proved without a search, and proofs may be left out
altogether: then a theorem none of whose claims fails at a point is OPEN.
"""

import signal
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import FrameType
from typing import Any

from degenerate.points import fails
from gaptron.checking.workers import decide
from gaptron.guesses import obligations_of
from gaptron.obligations import Obligation, Sequent
from gaptron.obligations.statement import statement
from gaptron.prove.certify import certify
from gaptron.prove.decide import FailedClaimError, Prover
from gaptron.prove.proofs import NotFoundError
from gaptron.prove.tasks import Task
from gaptron.theory.files import FileError, load
from gaptron.theory.verdict import UndecidedError, Verdict

CERTIFY = 0.3  # seconds of this process's time for each claim
REFUTE = 0.3  # seconds for a witness
WHOLE = 30.0  # seconds for a theorem
PROVED, REFUTED, UNDECIDED = "PROVED", "REFUTED", "UNDECIDED"
OPEN, REFUSED, BROKEN = "OPEN", "INPUT ERROR", "INTERNAL ERROR"
VERDICTS = (PROVED, REFUTED, UNDECIDED, OPEN, REFUSED, BROKEN)
COUNTS = [Fraction(n) for n in (2, 3, 1000)]
OTHERS = [Fraction(n) for n in ("0", "1/2", "1", "-1", "2")]


@dataclass(frozen=True)
class Found:
    """A verdict and what it rests on: an obligation, a message, a witness."""

    verdict: str
    why: str = ""


@dataclass(frozen=True)
class Effort:
    """How much is done: search proofs (for so many seconds), search a witness, look first at these points."""

    prove: float | None = None
    refute: bool = False
    counts: tuple[Fraction, ...] = ()
    points: tuple[Fraction, ...] | None = None


class KernelProver(Prover):
    """Proves by certificates that the kernel accepts, without solvers and without looking for counterexamples."""

    def __init__(self, seconds: float) -> None:
        super().__init__(None, REFUTE)  # type: ignore[arg-type]
        self.deadline = time.process_time() + seconds

    def _claim(self, item: Any, claim: Sequent) -> tuple[str | None, Any]:
        del item
        try:
            return None, _proof(statement(claim), self.deadline)
        except (NotFoundError, NotImplementedError) as failure:
            raise UndecidedError(f"{claim.then}: {failure}") from failure


_proved: dict[Any, list[tuple[frozenset, Any]]] = defaultdict(list)  # by conclusion, the hypotheses that are enough
_failed: dict[Any, str] = {}


def _proof(claim: Any, deadline: float) -> Any:
    """A proof that the kernel has accepted, of the claim or of one with fewer hypotheses."""
    given = frozenset(claim.given)
    known = _proved[claim.then, getattr(claim, "integers", ())]
    for enough, proof in known:
        if enough <= given:
            return proof
    if claim in _failed:
        raise NotFoundError(_failed[claim])
    left = deadline - time.process_time()
    if left <= 0:
        raise NotFoundError("no time is left for the theorem")
    try:
        proof = certify(claim, min(CERTIFY, left))
    except NotFoundError as failure:
        if left >= CERTIFY:
            _failed[claim] = str(failure)
        raise
    known.append((given, proof))
    return proof


class TooSlowError(Exception):
    """The theorem took too long."""


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Raises TooSlowError after so many seconds."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def verdict(file: Path, effort: Effort) -> Found:
    """The verdict on the one theorem of the file."""
    try:
        (found,) = load(file)
    except FileError as error:
        return Found(REFUSED, str(error))
    except Exception as error:
        return Found(BROKEN, f"loading: {error!r}")
    try:
        with limit(WHOLE):
            return _decided(found.item, effort)
    except TooSlowError:
        return Found(UNDECIDED, "too slow")
    except NotImplementedError as error:
        return Found(UNDECIDED, f"not derived: {error}")
    except Exception as error:
        return Found(BROKEN, repr(error))


def _decided(item: Any, effort: Effort) -> Found:
    found = obligations_of(item)
    for obligation in found:
        if obligation.unsupported is not None or not obligation.claims:
            return Found(UNDECIDED, f"{obligation.id}: {obligation.unsupported or 'no case'}")
    prover = KernelProver(effort.prove or 0)
    broken = None if effort.points is None else next((o for o in found if _fails_at_a_point(o, effort)), None)
    if broken is not None:
        return _not_proved(Task(item, broken), prover, effort, "fails at a point")
    if effort.prove is None:
        return Found(OPEN)
    for obligation in found:
        try:
            prover.prove(Task(item, obligation))
        except FailedClaimError as failed:
            return _not_proved(Task(item, obligation), prover, effort, str(failed))
    return Found(PROVED) if found else Found(UNDECIDED, "no obligations")


def _not_proved(task: Task, prover: KernelProver, effort: Effort, why: str) -> Found:
    """Refuted by the package if that is asked for and it can."""
    if effort.refute:
        outcome = decide(task, prover).outcome
        if outcome.verdict is Verdict.REFUTED:
            return Found(REFUTED, f"{task.obligation.id}: {outcome.witness}")
    return Found(UNDECIDED, f"{task.obligation.id}: {why}")


def _fails_at_a_point(obligation: Obligation, effort: Effort) -> bool:
    values = {"K": [*effort.counts, *COUNTS]}
    others = list(dict.fromkeys([*(effort.points or ()), *OTHERS]))
    for claim in obligation.claims:
        try:
            if fails(statement(claim), values, others):
                return True
        except NotImplementedError:
            continue
    return False
