"""All obligations of many theorems: those with a kept certificate are replayed, the others decided in processes.

A worker process decides one obligation at a time and reports it as one line of JSON. If it dies, or is silent for
longer than the deadline, it is killed, the obligation it was at is UNDECIDED with that reason, and another takes over.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gaptron.deadline import time_limit
from gaptron.kernel import Certificate, digest
from gaptron.obligations import Obligation, obligations
from gaptron.obligations.statement import symbol_names
from gaptron.prove.cache import Cache
from gaptron.prove.tasks import Decided, Task, method_of
from gaptron.theorem import Lemma, Theorem
from gaptron.verdict import Outcome, Verdict

PLAN_SECONDS = 60.0


@dataclass(frozen=True)
class Checked:
    """A theorem, its obligations, what became of them, and the certificates that the kernel replayed."""

    item: Theorem | Lemma
    obligations: tuple[Obligation, ...]
    outcomes: tuple[Outcome, ...]
    certificates: tuple[Certificate | None, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The verdict of all obligations together."""
        return Verdict.of([outcome.verdict for outcome in self.outcomes])

    @property
    def witness(self) -> dict[str, Any] | None:
        """The witness shown for a refuted theorem: a round that breaks the gap if there is one, best off kinks."""
        return next(iter(self.witnesses), None)

    @property
    def witnesses(self) -> list[dict[str, Any]]:
        """The best witness against each part of the theorem (its gap, its loss, its gap map, ...), the gap first."""
        found = [outcome.witness for outcome in self.outcomes if outcome.witness is not None]
        found.sort(key=lambda witness: ("gap" not in witness, "subgradient" in witness))
        return list({w["obligation"].split("/")[0]: w for w in reversed(found)}.values())[::-1]


def check(
    items: Sequence[Theorem | Lemma],
    seconds: float,
    workers: int,
    report: Callable[[Outcome], None] = lambda _: None,
    begin: Callable[[int], None] = lambda _: None,
    cache: Cache | None = None,
) -> list[Checked]:
    """Decide every obligation of every item; ``report(outcome)`` is called as outcomes arrive.

    ``begin`` is told the number of obligations before the first. ``seconds`` is the limit of each claim and engine,
    and of the search for a witness; a process that takes longer is killed.
    """
    tasks = [Task(item, obligation) for item in items for obligation in plan(item)]
    begin(len(tasks))
    found: dict[int, Decided] = {}

    def settle(number: int, decided: Decided) -> None:
        found[number] = decided
        report(decided.outcome)

    for number, task in enumerate(tasks):
        kept = None if cache is None else _recalled(task, cache)
        if kept is not None:
            settle(number, kept)
    open_tasks = {number: task for number, task in enumerate(tasks) if number not in found}

    def arrived(number: int, decided: Decided) -> None:
        if cache is not None and decided.certificate is not None:
            cache.keep(decided.certificate)
        settle(number, decided)

    if open_tasks:
        from gaptron.prove.workers import decide_all  # the libraries of the search are not needed to replay

        decide_all(open_tasks, seconds, workers, arrived)
    return [_collected(item, tasks, found) for item in items]


def _collected(item: Theorem | Lemma, tasks: list[Task], found: dict[int, Decided]) -> Checked:
    mine = [(task.obligation, found[number]) for number, task in enumerate(tasks) if task.item is item]
    return Checked(
        item,
        tuple(obligation for obligation, _ in mine),
        tuple(decided.outcome for _, decided in mine),
        tuple(decided.certificate for _, decided in mine),
    )


def plan(item: Theorem | Lemma) -> tuple[Obligation, ...]:
    """The obligations of an item; one that says why, if they cannot be derived."""
    try:
        with time_limit(PLAN_SECONDS):
            return obligations(item)
    except (TimeoutError, RecursionError, AttributeError, TypeError, ValueError, NotImplementedError) as error:
        reason = f"the obligations could not be derived: {' '.join(str(error).split()) or type(error).__name__}"
        return (Obligation("obligations", "what must be proved", (), reason),)


def _recalled(task: Task, cache: Cache) -> Decided | None:
    """The outcome that a kept certificate gives, replayed."""
    start = time.monotonic()
    claims = task.kernel_claims()
    certificate = cache.find(task.about, claims) if claims else None
    if certificate is None:
        return None
    verdict, witness = Verdict.PROVED, None
    if certificate.refutes is not None:
        verdict, witness = Verdict.REFUTED, _witness(task, *certificate.refutes)
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


def _witness(task: Task, index: int, values: Mapping[str, Fraction]) -> dict[str, Any] | None:
    """The witness at the refuting point, replayed through the learner."""
    from gaptron.prove.refute import witnesses_at

    claim = task.obligation.claims[index]
    symbols = set().union(*(relation.free_symbols for relation in (*claim.given, claim.then)))
    point = {symbol: values[name] for symbol, name in symbol_names(symbols).items()}
    found = list(witnesses_at(task.item, task.obligation, claim, point))
    return min(found, key=lambda witness: "subgradient" in witness, default=None)
