"""The package's verdict on a theorem file, in this process, by kernel certificates alone.

The file is loaded as a user's, its obligations are derived and decided by the package's own prover; only the solvers
are left out, which are never needed for the evidence ``kernel``, and what was proved once is not searched again. The
first obligation that is not proved ends the theorem; it is refuted only if that is asked for.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from gaptron.files import FileError, load
from gaptron.obligations import Claim, obligations
from gaptron.obligations.statement import statement
from gaptron.prove.certify import certify
from gaptron.prove.decide import FailedClaimError, Prover
from gaptron.prove.proofs import NotFoundError
from gaptron.prove.tasks import Task
from gaptron.prove.workers import decide
from gaptron.verdict import UndecidedError, Verdict

CERTIFY = 0.3  # seconds for each claim
REFUTE = 0.3  # seconds for a witness
WHOLE = 20.0  # seconds for a theorem
REFUSED, BROKEN = "INPUT ERROR", "INTERNAL ERROR"


@dataclass(frozen=True)
class Found:
    """A verdict (or REFUSED, or BROKEN) and what it rests on: an obligation, a message, a witness."""

    verdict: str
    why: str = ""


class KernelProver(Prover):
    """Proves by certificates that the kernel accepts, without solvers and without looking for counterexamples."""

    def _claim(self, item: Any, claim: Claim) -> tuple[str | None, Any]:
        del item
        try:
            proof = _proof(statement(claim))
        except NotImplementedError as error:
            raise UndecidedError(str(error)) from error
        if isinstance(proof, str):
            raise UndecidedError(proof)
        return None, proof


@cache
def _proof(claim: Any) -> Any:
    """A proof of a kernel claim that the kernel has accepted; if none is found, why."""
    try:
        return certify(claim, CERTIFY)
    except (NotFoundError, NotImplementedError) as failure:
        return str(failure)


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


def verdict(file: Path, refute: bool) -> Found:
    """The verdict on the one theorem of the file."""
    try:
        ((item,)) = [statement.item for statement in load(file)]
    except FileError as error:
        return Found(REFUSED, str(error))
    except Exception as error:
        return Found(BROKEN, f"loading: {error!r}")
    try:
        with limit(WHOLE):
            return _decided(item, refute)
    except TooSlowError:
        return Found("UNDECIDED", "too slow")
    except Exception as error:
        return Found(BROKEN, repr(error))


def _decided(item: Any, refute: bool) -> Found:
    prover = KernelProver(None, REFUTE)  # type: ignore[arg-type]
    found = obligations(item)
    for obligation in found:
        if obligation.unsupported is not None or not obligation.claims:
            return Found("UNDECIDED", f"{obligation.id}: {obligation.unsupported or 'no case'}")
        task = Task(item, obligation)
        try:
            prover.prove(task)
        except FailedClaimError as failed:
            if not refute:
                return Found("UNDECIDED", f"{obligation.id}: {failed}")
            outcome = decide(task, prover).outcome
            if outcome.verdict is Verdict.REFUTED:
                return Found("REFUTED", f"{obligation.id}: {outcome.witness}")
            return Found("UNDECIDED", f"{obligation.id}: {outcome.reason}")
    return Found("PROVED") if found else Found("UNDECIDED", "no obligations")
