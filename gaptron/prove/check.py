"""All obligations of many theorems, decided in killable processes: one theorem a process, its obligations in turn.

A process reports each outcome as one line of JSON. If it dies, or is silent for longer than the deadline, it is
killed, the obligation it was at is UNDECIDED with that reason, and a new process goes on with the next one.
"""

import json
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field

from gaptron.deadline import time_limit
from gaptron.obligations import Obligation, obligations
from gaptron.prove.decide import FailedClaimError, Prover
from gaptron.prove.refute import refute
from gaptron.prove.solvers import MissingSolverError, Solvers
from gaptron.theorem import Lemma, Theorem
from gaptron.verdict import Outcome, Verdict

MEMORY = 8 << 30
STACK = 20_000
GRACE = 5.0

PLAN_SECONDS = 60.0

Report = Callable[[int, int, Outcome], None]


@dataclass(frozen=True)
class Checked:
    """A theorem, its obligations and what became of them."""

    item: Theorem | Lemma
    obligations: tuple[Obligation, ...]
    outcomes: tuple[Outcome, ...]

    @property
    def verdict(self) -> Verdict:
        """The verdict of all obligations together."""
        return Verdict.of([outcome.verdict for outcome in self.outcomes])

    @property
    def witness(self) -> dict[str, object] | None:
        """The witness shown for a refuted theorem: a round that breaks the gap if there is one, best off kinks."""
        witnesses = [outcome.witness for outcome in self.outcomes if outcome.witness is not None]
        return min(witnesses, key=lambda w: ("gap" not in w, "subgradient" in w), default=None)


def decide(item: Theorem | Lemma, obligation: Obligation, prover: Prover) -> Outcome:
    """The verdict on one obligation, with its evidence, its witness, or the reason why there is neither."""
    start = time.monotonic()

    def outcome(verdict: Verdict, **details: object) -> Outcome:
        return Outcome(verdict, seconds=round(time.monotonic() - start, 4), **details)  # type: ignore[arg-type]

    if obligation.unsupported is not None:
        return outcome(Verdict.UNDECIDED, reason=obligation.unsupported)
    if not obligation.claims:
        return outcome(Verdict.UNDECIDED, reason="no case was found to check")
    try:
        return outcome(Verdict.PROVED, evidence=prover.prove(obligation))
    except MissingSolverError as missing:
        return outcome(Verdict.UNDECIDED, reason=str(missing))
    except FailedClaimError as failed:
        witness = refute(item, obligation, failed.claim, failed.failure.model, time.monotonic() + prover.seconds)
        if witness is not None:
            return outcome(Verdict.REFUTED, witness=witness)
        return outcome(Verdict.UNDECIDED, reason=failed.failure.reason)


def check(
    items: Sequence[Theorem | Lemma],
    seconds: float,
    workers: int,
    report: Report = lambda *_: None,
    begin: Callable[[int], None] = lambda _: None,
) -> list[Checked]:
    """Decide every obligation of every item; ``report(item, obligation, outcome)`` is called as outcomes arrive.

    ``begin`` is told the number of obligations before the first.

    ``seconds`` is the limit of each claim, and of the search for a witness; a process that takes longer is killed.
    """
    jobs = [_Job(index, item, plan(item)) for index, item in enumerate(items)]
    begin(sum(len(job.obligations) for job in jobs))
    waiting, running = list(jobs), list[_Job]()
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                running.append(waiting.pop(0))
                running[-1].start(seconds)
            for job in _ready(running):
                for obligation, outcome in job.advance(seconds):
                    report(job.index, obligation, outcome)
            for job in running:
                if job.done:
                    job.stop()
            running = [job for job in running if not job.done]
    finally:
        for job in running:
            job.stop()
    return [Checked(job.item, job.obligations, tuple(job.outcomes)) for job in jobs]


def plan(item: Theorem | Lemma) -> tuple[Obligation, ...]:
    """The obligations of an item; one that says why, if they cannot be derived."""
    try:
        with time_limit(PLAN_SECONDS):
            return obligations(item)
    except (TimeoutError, RecursionError, AttributeError, TypeError, ValueError, NotImplementedError) as error:
        reason = f"the obligations could not be derived: {' '.join(str(error).split()) or type(error).__name__}"
        return (Obligation("obligations", "what must be proved", (), reason),)


def _ready(running: list["_Job"]) -> list["_Job"]:
    """The jobs with something to read, or past their deadline."""
    pipes = {job.pipe: job for job in running}
    wait = max(0.0, min(job.deadline for job in running) - time.monotonic())
    readable, _, _ = select.select(list(pipes), [], [], wait)
    return [job for job in running if job.pipe in readable or time.monotonic() > job.deadline]


@dataclass
class _Job:
    """One theorem, the process that works on it and the outcomes so far."""

    index: int
    item: Theorem | Lemma
    obligations: tuple[Obligation, ...]
    outcomes: list[Outcome] = field(default_factory=list)
    process: int = 0
    pipe: int = -1
    pending: bytes = b""
    deadline: float = 0.0

    @property
    def done(self) -> bool:
        return len(self.outcomes) == len(self.obligations)

    def start(self, seconds: float) -> None:
        """Fork a process that decides the obligations from the first open one on."""
        reader, writer = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.process = os.fork()
        if self.process == 0:
            os.close(reader)
            _work(self.item, self.obligations[len(self.outcomes) :], seconds, writer)
        os.close(writer)
        self.pipe, self.pending = reader, b""
        self._extend(seconds)

    def _extend(self, seconds: float) -> None:
        claims = self.obligations[len(self.outcomes)].claims if not self.done else ()
        self.deadline = time.monotonic() + seconds * (len(claims) + 2) + GRACE

    def advance(self, seconds: float) -> Iterator[tuple[int, Outcome]]:
        """The outcomes that have arrived; a process that died or is late costs the obligation it was at."""
        late = time.monotonic() > self.deadline
        chunk = b"" if late else os.read(self.pipe, 1 << 16)
        *lines, self.pending = (self.pending + chunk).split(b"\n")
        for line in lines:
            found = json.loads(line)
            yield self._settle(
                Outcome(**(found | {"verdict": Verdict(found["verdict"]), "evidence": tuple(found["evidence"])}))
            )
            self._extend(seconds)
        if not chunk:
            self.stop()
            if not self.done:
                reason = "the deadline passed" if late else "the process that was deciding it died"
                yield self._settle(Outcome(Verdict.UNDECIDED, reason=reason))
            if not self.done:
                self.start(seconds)

    def _settle(self, outcome: Outcome) -> tuple[int, Outcome]:
        self.outcomes.append(outcome)
        return len(self.outcomes) - 1, outcome

    def stop(self) -> None:
        """Kill the process, and with its group the solvers it started."""
        if self.process:
            try:
                os.killpg(self.process, signal.SIGKILL)
            except ProcessLookupError:
                os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
            os.close(self.pipe)
            self.process = 0


def _work(item: Theorem | Lemma, todo: Sequence[Obligation], seconds: float, writer: int) -> None:
    """In the child: decide, write a line for each outcome, and leave without running the parent's exit handlers."""
    os.setpgid(0, 0)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.setrecursionlimit(STACK)
    try:
        with Solvers() as solvers:
            for obligation in todo:
                found = asdict(decide(item, obligation, Prover(solvers, seconds)))
                line = json.dumps(found | {"verdict": found["verdict"].value})
                os.write(writer, line.encode() + b"\n")
        os.close(writer)
        os._exit(0)
    except BaseException as error:
        print(f"gaptron: internal error while deciding {item.name!r}: {error!r}", file=sys.stderr)
        os._exit(1)
