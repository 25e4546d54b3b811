"""All obligations of many theorems: those with a kept certificate are replayed, the others decided."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from gaptron.deadline import time_limit
from gaptron.obligations import Obligation, obligations
from gaptron.prove.cache import Cache
from gaptron.prove.recall import Recalled, recall_all
from gaptron.prove.tasks import Decided, Task
from gaptron.theorem import Lemma, Theorem
from gaptron.verdict import Outcome, Verdict

PLAN_SECONDS = 60.0


@dataclass(frozen=True)
class Checked:
    """A theorem, its obligations, what became of them, and the certificates that the kernel replayed."""

    item: Theorem | Lemma
    obligations: tuple[Obligation, ...]
    outcomes: tuple[Outcome, ...]
    certificates: tuple[dict[str, Any] | None, ...] = ()

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
    kept = {} if cache is None else recall_all(items, plan, cache, workers)
    rows = [_rows(number, item, kept) for number, item in enumerate(items)]
    begin(sum(map(len, rows)))
    for row in chain.from_iterable(rows):
        if row.outcome is not None:
            report(row.outcome)
    places = [(i, j) for i, item_rows in enumerate(rows) for j, row in enumerate(item_rows) if row.outcome is None]
    tasks = {n: Task(items[i], rows[i][j].obligation) for n, (i, j) in enumerate(places)}

    def arrived(number: int, decided: Decided) -> None:
        if cache is not None and decided.certificate is not None:
            cache.keep(decided.certificate)
        i, j = places[number]
        data = None if decided.certificate is None else decided.certificate.data
        rows[i][j] = Recalled(rows[i][j].obligation, decided.outcome, data)
        report(decided.outcome)

    if tasks:
        from gaptron.prove.workers import decide_all  # the libraries of the search are not needed to replay

        decide_all(tasks, seconds, workers, arrived)
    return [_collected(item, item_rows) for item, item_rows in zip(items, rows, strict=True)]


def _rows(number: int, item: Theorem | Lemma, kept: dict[int, list[Recalled]]) -> list[Recalled]:
    """What is known of each obligation; derived here, with its claims, if something must be decided."""
    known = kept.get(number)
    if known is not None and all(row.outcome is not None for row in known):
        return known
    fresh = [Recalled(obligation) for obligation in plan(item)]
    if known is None or len(known) != len(fresh):
        return fresh
    return [replace(row, obligation=new.obligation) for row, new in zip(known, fresh, strict=True)]


def _collected(item: Theorem | Lemma, rows: list[Recalled]) -> Checked:
    return Checked(
        item,
        tuple(row.obligation for row in rows),
        tuple(row.outcome or Outcome(Verdict.UNDECIDED, reason="no process answered") for row in rows),
        tuple(row.certificate for row in rows),
    )


def plan(item: Theorem | Lemma) -> tuple[Obligation, ...]:
    """The obligations of an item; one that says why, if they cannot be derived."""
    try:
        with time_limit(PLAN_SECONDS):
            return obligations(item)
    except (TimeoutError, RecursionError, AttributeError, TypeError, ValueError, NotImplementedError) as error:
        reason = f"the obligations could not be derived: {' '.join(str(error).split()) or type(error).__name__}"
        return (Obligation("obligations", "what must be proved", (), reason),)
