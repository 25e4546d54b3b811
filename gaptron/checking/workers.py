"""Obligations decided in killable processes with a memory limit, as many at a time as there are processors.

A worker process decides one obligation at a time and reports it as one line of JSON. If it dies, or is silent for
longer than the deadline, it is killed, the obligation it was at is UNDECIDED with that reason, and another takes over.
"""

import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial
from math import inf

from gaptron.guesses.in_sympy import point_in_kernel
from gaptron.kernel import Certificate, Rejected, replay
from gaptron.obligations import Sequent
from gaptron.prove.decide import FailedClaimError, Prover
from gaptron.prove.refute import Refutation, refute
from gaptron.prove.solvers import MissingSolverError, Solvers
from gaptron.prove.tasks import Decided, Task, as_data, certified, from_data, internal_error
from gaptron.system.child import Voice
from gaptron.system.posix import limit_memory
from gaptron.system.processes import Lost, in_processes
from gaptron.theory.verdict import Ruling, Verdict

MEMORY = 8 << 30
STACK = 20_000
STAGGER = 0.7  # a second process with its solvers pays only if there is more work than this
ENGINES = 4  # times its limit a claim may take by the clock: solvers, a search in processor seconds, a witness


Arrived = Callable[[int, Decided], None]


def decide_all(
    tasks: Mapping[int, Task], seconds: float, workers: int, arrived: Arrived, cluster: str | None = None,
    more: Iterable[int] = (), wanted: Callable[[int], bool] = lambda _: True,
    patience: Callable[[int], float] = lambda _: inf,
) -> None:  # fmt: skip
    """Decide every task; ``arrived(number, decided)`` is called as they are done.

    ``more`` finds further tasks, adds them to ``tasks`` and gives their numbers, while the first are being decided. The
    workers of a ``cluster``, the address of its scheduler, are asked first, once all tasks are known. What is not
    ``wanted`` any more when its turn comes is not decided; what runs for longer than its ``patience`` is ended.
    """

    def limit(number: int) -> float:
        return seconds * (ENGINES + len(tasks[number].obligation.claims))

    if cluster is not None:
        deque(more, maxlen=0)
    left = dict.fromkeys(tasks)
    if cluster is not None:
        from gaptron.checking.remote_proofs import decided_there  # needs dask.distributed

        for number, decided in decided_there(tasks, seconds, cluster):
            left.pop(number)
            arrived(number, decided)
    work = partial(_work, tasks, seconds)
    with closing(in_processes(work, list(left), workers, limit, STAGGER, True, more, wanted, patience)) as heard:
        for number, found in heard:
            arrived(number, _lost(found) if isinstance(found, Lost) else from_data(found))


def _lost(lost: Lost) -> Decided:
    ended = lost.ended and f"the process that was deciding it died ({lost.ended})"
    return Decided(Ruling(Verdict.UNDECIDED, reason=ended or "the deadline passed"))


def _work(tasks: Mapping[int, Task], seconds: float, voice: Voice) -> None:
    """In the child: decide what it is given. After an error nothing more, as a solver may have answers left over."""
    limit_memory(MEMORY)
    sys.setrecursionlimit(STACK)
    with Solvers() as solvers:
        for number in voice.tasks():
            failed = False
            try:
                decided = decide(tasks[number], Prover(solvers, seconds))
            except BaseException as error:
                decided, failed = Decided(Ruling(Verdict.UNDECIDED, reason=internal_error(error))), True
            voice.say(as_data(decided) | {"last": failed})


def decide(task: Task, prover: Prover) -> Decided:
    """The verdict on one obligation, with its evidence, its witness, or the reason why there is neither."""
    start = time.monotonic()
    decided = _decide(task, prover)
    return replace(decided, outcome=replace(decided.outcome, seconds=round(time.monotonic() - start, 4)))


def _decide(task: Task, prover: Prover) -> Decided:
    obligation = task.obligation
    if obligation.unsupported is not None:
        return Decided(Ruling(Verdict.UNDECIDED, reason=obligation.unsupported))
    if not obligation.claims:
        return Decided(Ruling(Verdict.UNDECIDED, reason="no case was found to check"))
    try:
        return prover.prove(task)
    except MissingSolverError as missing:
        return Decided(Ruling(Verdict.UNDECIDED, reason=str(missing)))
    except FailedClaimError as failed:
        return _refuted(task, failed, prover.seconds)


def _refuted(task: Task, failed: FailedClaimError, seconds: float) -> Decided:
    """REFUTED if a witness is found at the claim that failed, or at another one of the obligation."""
    for claim in dict.fromkeys((failed.claim, *task.obligation.claims)):
        hint = failed.failure.model if claim is failed.claim else {}
        limit = seconds if claim is failed.claim else seconds / len(task.obligation.claims)
        found = refute(task.item, task.obligation, claim, hint, time.monotonic() + limit)
        if found is not None:
            return _with_witness(task, claim, found)
    return Decided(Ruling(Verdict.UNDECIDED, reason=failed.failure.reason))


def _with_witness(task: Task, claim: Sequent, found: Refutation) -> Decided:
    certificate = _refutation(task, claim, found)
    if certificate is None:
        return Decided(Ruling(Verdict.REFUTED, method="round", witness=found.witness))
    return certified(Verdict.REFUTED, certificate, witness=found.witness)


def _refutation(task: Task, claim: Sequent, found: Refutation) -> Certificate | None:
    """The refuting point as a certificate, if the kernel accepts it."""
    claims = task.kernel_claims()
    if claims is None:
        return None
    refutes = (task.obligation.claims.index(claim), point_in_kernel(claim, found.point))
    certificate = Certificate(task.about, claims, None, refutes)
    try:
        replay(certificate)
    except Rejected:
        return None
    return certificate
