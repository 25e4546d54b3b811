"""What kept certificates say of theorems: derived and replayed in several processes at once.

Each process derives the obligations of its share of the theorems and replays what the cache keeps of them. If it dies,
or takes too long, its share is given to another one; the theorem it was at is UNDECIDED if its obligations were being
derived, and otherwise derived again by whoever asked, as a kept certificate must not cost a verdict.
"""

import select
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from gaptron.checking.cache import REPLAY_SECONDS, Cache
from gaptron.kernel import digest
from gaptron.obligations import Obligation
from gaptron.obligations.statement import symbol_names
from gaptron.prove.tasks import Decided, Task, as_data, method_of, outcome_from
from gaptron.system import deadline
from gaptron.system.child import Child, EndedError, Voice
from gaptron.theory.items import Item
from gaptron.theory.verdict import Outcome, Verdict

Plan = Callable[[Item], Sequence[Obligation]]
TICK = 0.5


@dataclass(frozen=True)
class Recalled:
    """An obligation (without its claims), and its outcome and certificate if one was kept and replayed."""

    obligation: Obligation
    outcome: Outcome | None = None
    certificate: dict[str, Any] | None = None


def underived(reason: str) -> Obligation:
    """What stands for the obligations of a theorem of which there are none, because of ``reason``."""
    return Obligation("obligations", "what must be proved", (), f"the obligations could not be derived: {reason}")


def recall_all(items: Sequence[Item], plan: Plan, cache: Cache, processes: int) -> Iterator[tuple[int, list[Recalled]]]:
    """Theorems, by their number, with every obligation, as they are done; some may be missing."""
    if cache.is_empty():
        return
    shares = [list(range(first, len(items), processes)) for first in range(min(processes, len(items)))]
    work = partial(_replay, items, plan, cache)
    running = [_Replayer(work, share) for share in shares]
    try:
        while running:
            select.select([replayer.child.answers for replayer in running], [], [], TICK)
            for replayer in running:
                yield from replayer.take()
            running = [replayer for replayer in running if replayer.share]
    finally:
        for replayer in running:
            replayer.child.stop()


class _Replayer:
    """A process with a share of the theorems, and what it is doing with the first of them."""

    def __init__(self, work: Callable[[list[int], Voice], None], share: list[int]) -> None:
        self.work, self.share = work, share
        self._start()

    def _start(self) -> None:
        self.step, self.deadline = "planning", time.monotonic() + deadline.PLAN_SECONDS + deadline.GRACE
        self.child = Child(partial(self.work, list(self.share)))

    def take(self) -> Iterator[tuple[int, list[Recalled]]]:
        """The theorems that it is done with, or that are lost with it."""
        try:
            while self.share and (message := self.child.hear(0.0)) is not None:
                self.step, self.deadline = message["step"], time.monotonic() + message["seconds"] + deadline.GRACE
                if self.step == "done":
                    yield self.share.pop(0), [_read(row) for row in message["rows"]]
        except EndedError as ended:
            yield from self._lost(f"the process ended ({ended})")
        if self.share and time.monotonic() > self.deadline:
            self.child.stop()
            yield from self._lost(f"was still running after {deadline.PLAN_SECONDS:g} s")
        if not self.share:
            self.child.stop()

    def _lost(self, reason: str) -> Iterator[tuple[int, list[Recalled]]]:
        number = self.share.pop(0)
        if self.step == "planning":
            yield number, [_known(underived(reason))]
        if self.share:
            self._start()


def _replay(items: Sequence[Item], plan: Plan, cache: Cache, share: Sequence[int], voice: Voice) -> None:
    """In the child: each step is announced, with the time that it may take."""
    own = cache.reopened()
    for number in share:
        voice.say({"step": "planning", "seconds": deadline.PLAN_SECONDS})
        planned = plan(items[number])
        voice.say({"step": "recalling", "seconds": REPLAY_SECONDS * (len(planned) + 1)})
        rows = [_row(Task(items[number], obligation), own) for obligation in planned]
        voice.say({"step": "done", "seconds": deadline.PLAN_SECONDS, "rows": rows})


def _row(task: Task, cache: Cache) -> list[Any]:
    """What fails here is decided anew, and says there why it fails."""
    head = [task.obligation.id, task.obligation.statement, task.obligation.unsupported]
    try:
        decided = recall(task, cache)
    except Exception:
        decided = None
    return [*head, None if decided is None else as_data(decided)]


def _read(row: list[Any]) -> Recalled:
    name, statement, unsupported, decided = row
    obligation = Obligation(name, statement, (), unsupported)
    if decided is None:
        return _known(obligation)
    return Recalled(obligation, outcome_from(decided["outcome"]), decided["certificate"])


def _known(obligation: Obligation) -> Recalled:
    """An obligation that the kernel cannot express is UNDECIDED without being asked."""
    reason = obligation.unsupported
    return Recalled(obligation, None if reason is None else Outcome(Verdict.UNDECIDED, reason=reason))


def recall(task: Task, cache: Cache) -> Decided | None:
    """The outcome that a kept certificate gives, replayed."""
    start = time.monotonic()
    claims = task.kernel_claims()
    certificate = cache.find(task.about, claims) if claims else None
    if certificate is None:
        return None
    verdict, witness = Verdict.PROVED, None
    if certificate.refutes is not None:
        verdict, witness = Verdict.REFUTED, confirmed(task, *certificate.refutes)
        if witness is None:
            return None
    outcome = Outcome(
        verdict,
        evidence=("kernel",),
        seconds=round(time.monotonic() - start, 4),
        method=method_of(certificate),
        certificate=digest(certificate.data),
        witness=witness,
    )
    return Decided(outcome, certificate)


def confirmed(task: Task, index: int, values: Mapping[str, Fraction]) -> dict[str, Any] | None:
    """The witness at the refuting point, replayed through the learner; None if it is none."""
    from gaptron.prove.refute import witnesses_at

    claim = task.obligation.claims[index]
    symbols = set().union(*(relation.free_symbols for relation in (*claim.given, claim.then)))
    point = {symbol: values[name] for symbol, name in symbol_names(symbols).items()}
    found = list(witnesses_at(task.item, task.obligation, claim, point))
    return min(found, key=lambda witness: "subgradient" in witness, default=None)
