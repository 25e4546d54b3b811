"""The obligations of theorems, and what kept certificates say of them: replayed in several processes at once.

Each process derives the obligations of one theorem after the other, and replays what the cache keeps of them. If it
dies, or takes too long, the theorem it was at is UNDECIDED if its obligations were being derived, and otherwise derived
again by whoever asked, as a kept certificate must not cost a verdict.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from gaptron.checking.cache import REPLAY_SECONDS, Cache
from gaptron.guesses import obligations_of
from gaptron.guesses.in_sympy import point_in_symbols
from gaptron.kernel import Certificate
from gaptron.obligations import Obligation
from gaptron.prove.tasks import Decided, Task, as_data, certified, internal_error, outcome_from
from gaptron.system import deadline
from gaptron.system.child import Voice
from gaptron.system.deadline import time_limit
from gaptron.system.documents import Document
from gaptron.system.processes import Lost, in_processes
from gaptron.theory.items import Item
from gaptron.theory.verdict import Ruling, Verdict

HEAD = ("id", "statement", "unsupported", "words")
EXPECTED = (TimeoutError, RecursionError, AttributeError, TypeError, ValueError, NotImplementedError)


@dataclass(frozen=True)
class Recalled:
    """An obligation (perhaps without its claims), and its outcome and certificate if one was kept and replayed."""

    obligation: Obligation
    outcome: Ruling | None = None
    certificate: Document | None = None


def plan(item: Item) -> tuple[Obligation, ...]:
    """The obligations of an item; one that says why, if they cannot be derived."""
    try:
        with time_limit(deadline.PLAN_SECONDS):
            return obligations_of(item)
    except KeyboardInterrupt:
        raise
    except EXPECTED as error:
        return (_underived(" ".join(str(error).split()) or type(error).__name__),)
    except BaseException as error:
        return (_underived(internal_error(error)),)


def _underived(reason: str) -> Obligation:
    """What stands for the obligations of a theorem of which there are none, because of ``reason``."""
    return Obligation("obligations", "what must be proved", (), f"the obligations could not be derived: {reason}")


def recall_all(items: Sequence[Item], cache: Cache, processes: int) -> Iterator[tuple[int, list[Recalled]]]:
    """Theorems, by their number, with every obligation, as they are done; some may be missing."""
    if cache.is_empty():
        return
    derived = set[int]()
    work, numbers = partial(_replay, items, cache), range(len(items))
    for number, found in in_processes(work, numbers, processes, lambda _: deadline.PLAN_SECONDS):
        if isinstance(found, Lost):
            late = f"was still running after {deadline.PLAN_SECONDS:g} s"
            reason = f"the process ended ({found.ended})" if found.ended else late
            if number not in derived:
                yield number, [_known(_underived(reason))]
        elif "rows" in found:
            yield number, [_read(row) for row in found["rows"]]
        else:
            derived.add(number)


def _replay(items: Sequence[Item], cache: Cache, voice: Voice) -> None:
    """In the child: once the obligations are derived, it says how long it may take to replay what is kept of them."""
    own = cache.reopened()
    for number in voice.tasks():
        planned = plan(items[number])
        voice.say({"within": REPLAY_SECONDS * (len(planned) + 1)})
        voice.say({"rows": [_row(Task(items[number], obligation), own) for obligation in planned]})


def recalled(item: Item, cache: Cache) -> list[Recalled]:
    """Every obligation of a theorem, derived and replayed in this process."""
    return [_read(_row(Task(item, obligation), cache)) for obligation in plan(item)]


def _row(task: Task, cache: Cache) -> list[Any]:
    head = [getattr(task.obligation, name) for name in HEAD]
    decided = _kept(task, cache)
    return [*head, None if decided is None else as_data(decided)]


def _kept(task: Task, cache: Cache) -> Decided | None:
    """What fails here is decided anew, and says there why it fails."""
    try:
        return recall(task, cache)
    except Exception:
        return None


def _read(row: list[Any]) -> Recalled:
    *head, decided = row
    obligation = Obligation(claims=(), **dict(zip(HEAD, head, strict=True)))
    if decided is None:
        return _known(obligation)
    return Recalled(obligation, outcome_from(decided["outcome"]), decided["certificate"])


def _known(obligation: Obligation) -> Recalled:
    """An obligation that the kernel cannot express is UNDECIDED without being asked."""
    reason = obligation.unsupported
    return Recalled(obligation, None if reason is None else Ruling(Verdict.UNDECIDED, reason=reason))


def recall(task: Task, cache: Cache) -> Decided | None:
    """The outcome that a kept certificate gives, replayed."""
    start = time.monotonic()
    claims = task.kernel_claims()
    certificate = cache.find(task.about, claims) if claims else None
    if certificate is None:
        return None
    proved = proved_by(certificate, start)
    if certificate.refutes is None:
        return proved
    witness = confirmed(task, *certificate.refutes)
    if witness is None:
        return None
    from gaptron.prove.refute import refuting

    found = replace(proved.outcome, verdict=Verdict.REFUTED, witness=refuting(task.item, witness))
    return Decided(found, certificate)


def proved_by(certificate: Certificate, start: float) -> Decided:
    """What a certificate that the kernel has just replayed amounts to; ``start`` is when the work on it began."""
    found = certified(Verdict.PROVED, certificate)
    return replace(found, outcome=replace(found.outcome, seconds=round(time.monotonic() - start, 4)))


def confirmed(task: Task, index: int, values: Mapping[str, Fraction]) -> Document | None:
    """The witness at the refuting point, replayed through the learner; None if it is none."""
    from gaptron.prove.refute import witnesses_at

    claim = task.obligation.claims[index]
    at_kink = None
    for witness in witnesses_at(task.item, task.obligation, claim, point_in_symbols(claim, values)):
        if "subgradient" not in witness:
            return witness
        at_kink = at_kink or witness
    return at_kink
