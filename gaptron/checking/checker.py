"""All obligations of many theorems: those with a kept certificate are replayed, the others decided."""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

from gaptron.checking.cache import Cache
from gaptron.checking.recall import EXPECTED, Recalled, plan, recall_all
from gaptron.obligations import Obligation
from gaptron.prove.tasks import Decided, Task
from gaptron.system.deadline import time_limit
from gaptron.system.documents import Document
from gaptron.theory.items import Item
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Lemma, Theorem
from gaptron.theory.verdict import Ruling, Verdict, best_witnesses, summary

BRIEF = 0.5  # seconds by the clock for what is open of a theorem that is refuted, if a check is to be brief
FIRST = 2.5  # seconds: more than nearly all that is decided takes; the rest matters only if nothing is refuted
CONVEX = ("loss/convex", "loss/nonincreasing")  # convex in W, for two classes and for more
OF_THE_LOSS = ("loss/", "learning rate/", "coverage")  # with what is defined, all that a loss has to meet by itself
LOOK_SECONDS = 2.0
NO_ANSWER = "no process answered"
NOT_TRIED = "not tried: the loss is not convex"
NOT_LONGER = "not tried for longer, as the theorem is refuted"
Place = tuple[int, int]  # of an item, and of an obligation of it


@dataclass(frozen=True)
class Checked:
    """A theorem, its obligations, what became of them, and the certificates that the kernel replayed."""

    item: Item
    obligations: tuple[Obligation, ...]
    outcomes: tuple[Ruling, ...]
    certificates: tuple[Document | None, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The verdict of all obligations together."""
        return Verdict.of([outcome.verdict for outcome in self.outcomes])

    @property
    def witness(self) -> Document | None:
        """The witness shown for a refuted theorem: against its bound if there is one, else against the gap."""
        return next(iter(self.witnesses), None)

    @property
    def refutes(self) -> str | None:
        """What is refuted: "bound", "condition" (of the proof) or "statement" (of a lemma)."""
        return None if self.witness is None else self.witness["refutes"]

    @property
    def witnesses(self) -> list[Document]:
        """The best witness against each part of the theorem (its gap, its loss, its gap map, ...)."""
        return best_witnesses([outcome.witness for outcome in self.outcomes if outcome.witness is not None])


class Listener:
    """Is told what a check does, as it does it. This one does not care."""

    def planning(self, number: int) -> None:
        """The obligations of this item are being derived, within ``deadline.PLAN_SECONDS``."""

    def planned(self, number: int, obligations: Sequence[Obligation]) -> None:
        """They are these."""

    def decided(self, number: int, place: int, row: Recalled) -> None:
        """The obligation at this place of the item has an outcome."""


def check(
    items: Iterable[Item], seconds: float, workers: int, listener: Listener | None = None, cache: Cache | None = None,
    cluster: str | None = None, *, each: bool = False, brief: bool = False,
) -> list[Checked]:  # fmt: skip
    """Decide every obligation of every item; the listener is told of each as it is decided.

    ``seconds`` is the limit of each claim and engine, and of the search for a witness; a process that takes longer is
    killed. The workers of a ``cluster`` are asked before the ``workers`` of this machine. Where nothing is kept, the
    obligations of the first items are decided while the next items are found. What is still open after ``FIRST``
    seconds is tried for longer only if nothing refutes its theorem; where a loss is not convex, the rest is not tried.
    With ``each`` they are asked for one by one, as an audit does, and all are tried. With ``brief`` what is open of
    a theorem ``BRIEF`` seconds after it was refuted stays so.
    """
    check_ = _Check(items, listener or Listener(), each, brief)
    if cache is not None and not cache.is_empty():
        check_.recall(cache, workers)
    check_.decide(seconds, workers, cache, cluster)
    return [collected(item, check_.rows[number]) for number, item in enumerate(check_.found)]


class _Check:
    """What is known of each item's obligations; nothing of an item that was not planned."""

    def __init__(self, items: Iterable[Item], listener: Listener, each: bool, brief: bool) -> None:
        self.items, self.listener, self.each, self.brief = items, listener, each, brief
        self.found: list[Item] = []  # those whose obligations are known
        self.rows: dict[int, list[Recalled]] = {}
        self.tried: dict[Place, Ruling] = {}  # those that are UNDECIDED so far, and why
        self.doubted: set[int] = set()  # items whose loss does not look convex
        self.told: set[Place] = set()
        self.refuted: dict[int, float] = {}  # items, and when it was known

    def recall(self, cache: Cache, workers: int) -> None:
        """What kept certificates say."""
        self.items = list(self.items)
        for number, rows in recall_all(self.items, cache, workers):
            self._know(number, rows if self.each else _asked_first(self.items[number], rows))

    def decide(self, seconds: float, workers: int, cache: Cache | None, cluster: str | None) -> None:
        """Decide what is open: all of it for a short time, and what may still matter for longer."""
        first = seconds if seconds < 2 * FIRST else FIRST  # nothing is tried again for hardly longer
        self._try(self._open(), first, workers, cache, cluster)
        doubted = [(n, at) for n, at in self.tried if n in self.doubted and self.rows[n][at].obligation.id in CONVEX]
        self._try(iter(doubted), seconds, workers, cache, cluster)  # before anything that need not be tried
        left = [where for where in self._left() if where not in self.tried or seconds > first]
        self._try((where for where in left if self._matters(where)), seconds, workers, cache, cluster)
        for where in self._left():
            self._learn(where, Decided(self._given_up(where)))

    def _try(
        self, places: Iterator[Place], seconds: float, workers: int, cache: Cache | None, cluster: str | None
    ) -> None:
        tasks: dict[int, Task] = {}
        known: list[Place] = []

        def arrived(number: int, decided: Decided) -> None:
            if cache is not None and decided.certificate is not None:
                cache.keep(decided.certificate)
            if decided.outcome.verdict is Verdict.UNDECIDED:
                self.tried[known[number]] = decided.outcome
            else:
                self._learn(known[number], decided)

        def numbers() -> Iterator[int]:
            for number, place in places:
                known.append((number, place))
                tasks[len(tasks)] = Task(self.found[number], self.rows[number][place].obligation)
                yield len(tasks) - 1

        def is_wanted(number: int) -> bool:
            return not self.brief or time.monotonic() < self.refuted.get(known[number][0], inf) + BRIEF

        more = numbers()
        if next(more, None) is not None:
            from gaptron.checking.workers import decide_all  # the libraries of the search are not needed to replay

            decide_all(
                tasks, seconds, workers, arrived, cluster, more, is_wanted, lambda n: inf if is_wanted(n) else 0.0
            )

    def _open(self) -> Iterator[Place]:
        """What has no outcome, as it becomes known; of a loss that does not look convex, what it is asked by itself."""
        for number, item in enumerate(self.items):
            self._plan(number, item)
            self.found.append(item)
            left = [place for place, row in enumerate(self.rows[number]) if row.outcome is None]
            if left and not self.each and not _looks_convex(item):
                self.doubted.add(number)
                ids = [row.obligation.id for row in self.rows[number]]
                left = sorted((n for n in left if _is_of_the_loss(ids[n])), key=lambda n: ids[n] not in CONVEX)
            yield from ((number, place) for place in left)

    def _left(self) -> list[Place]:
        """What has no outcome yet."""
        rows = ((number, place, row) for number in sorted(self.rows) for place, row in enumerate(self.rows[number]))
        return [(number, place) for number, place, row in rows if row.outcome is None]

    def _matters(self, where: Place) -> bool:
        """Whether an obligation is to be tried (again): not if its theorem is refuted, or its loss is not convex."""
        rows = self.rows[where[0]]
        return self.each or (not _is_bent(rows) and not (where in self.tried and _is_refuted(rows)))

    def _given_up(self, where: Place) -> Ruling:
        """Why it stays UNDECIDED."""
        found, rows = self.tried.get(where), self.rows[where[0]]
        if found is None:
            left = NOT_LONGER if _is_refuted(rows) else NO_ANSWER
            return Ruling(Verdict.UNDECIDED, reason=NOT_TRIED if _is_bent(rows) else left)
        return replace(found, reason=f"{found.reason}; {NOT_LONGER}") if _is_refuted(rows) and not self.each else found

    def _learn(self, where: Place, decided: Decided) -> None:
        number, place = where
        data = None if decided.certificate is None else decided.certificate.data
        row = self.rows[number][place] = Recalled(self.rows[number][place].obligation, decided.outcome, data)
        if decided.outcome.verdict is Verdict.REFUTED:
            self.refuted.setdefault(number, time.monotonic())
        self.listener.decided(number, place, row)

    def _plan(self, number: int, item: Item) -> None:
        """Derive, with their claims, the obligations of an item of which something must be decided."""
        known = self.rows.get(number, [])
        if not known or any(row.outcome is None for row in known):
            self.listener.planning(number)
            fresh = plan(item)
            if len(fresh) != len(known):
                known = [Recalled(obligation) for obligation in fresh]
            self._know(number, [replace(row, obligation=o) for row, o in zip(known, fresh, strict=True)])

    def _know(self, number: int, rows: list[Recalled]) -> None:
        """Tell the listener what is new."""
        if number not in self.rows or len(self.rows[number]) != len(rows):
            self.listener.planned(number, [row.obligation for row in rows])
        self.rows[number] = rows
        for place, row in enumerate(rows):
            if row.outcome is not None and (number, place) not in self.told:
                self.told.add((number, place))
                self.listener.decided(number, place, row)


def _looks_convex(item: Item) -> bool:
    """As far as doubles tell; what is no theorem about one loss has nothing to be asked first."""
    if not isinstance(item, Theorem):
        return True
    from gaptron.prove.broken_convexity import looks_convex

    with suppress(*EXPECTED, ArithmeticError, KeyError, NameError), time_limit(LOOK_SECONDS):
        return looks_convex(item)
    return True


def _is_of_the_loss(obligation: str) -> bool:
    return obligation.startswith(OF_THE_LOSS) or obligation.endswith("/defined")


def _is_refuted(rows: Sequence[Recalled]) -> bool:
    return any(row.outcome is not None and row.outcome.verdict is Verdict.REFUTED for row in rows)


def _is_bent(rows: Sequence[Recalled]) -> bool:
    """Whether it is refuted that the loss is convex in W."""
    return _is_refuted([row for row in rows if row.obligation.id in CONVEX])


def _asked_first(item: Item, rows: list[Recalled]) -> list[Recalled]:
    """What is known of a theorem; nothing but of its loss if that does not look convex, as without a cache."""
    convex = [row for row in rows if row.obligation.id in CONVEX]
    if all(row.outcome is not None and row.outcome.verdict is Verdict.PROVED for row in convex) or _looks_convex(item):
        return rows
    return [row if _is_of_the_loss(row.obligation.id) else Recalled(row.obligation) for row in rows]


def collected(item: Item, rows: Sequence[Recalled]) -> Checked:
    """What is known of an item, by its obligations."""
    return Checked(
        item,
        tuple(row.obligation for row in rows),
        tuple(row.outcome or Ruling(Verdict.UNDECIDED, reason=NO_ANSWER) for row in rows),
        tuple(row.certificate for row in rows),
    )


# --- as documents, of which every report is made ---------------------------------------------------------------------


def document(file: Path, checked: Checked) -> Document:
    """Of a theorem that was checked."""
    rows = zip(checked.obligations, checked.outcomes, strict=True)
    obligations = [obligation_document(obligation, outcome) for obligation, outcome in rows]
    return head(file, checked.item) | summary(obligations)


def head(file: Path, item: Item) -> Document:
    """What is known of a theorem before it is checked; a lemma has neither learning rate nor regret."""
    eta, regret = (item.eta(), item.regret) if not isinstance(item, Lemma) else (None, None)
    found = {
        "name": item.name,
        "file": str(file),
        "line": item.line,
        "source": item.source,
        "verdict": "UNDECIDED",
        "expected": item.expect,
        "learning_rate": None if eta is None else str(eta),
        "regret": None if regret is None else str(regret),
        "parameters": {one.name: [_bound(one.low), _bound(one.high)] for one in item.parameters},
    }
    if isinstance(item, StructuredTheorem):
        found |= {"scale": str(item.scale), "coefficient": str(item.coefficient), "update": item.update}
    readings: Sequence[tuple[str, str, str]] = getattr(item, "readings", ())
    if readings:
        found["readings"] = [
            dict(zip(("argument", "decimal", "rational"), reading, strict=True)) for reading in readings
        ]
    return found


def _bound(end: object) -> str | None:
    return None if end is None else str(end)


def obligation_document(obligation: Obligation, outcome: Ruling) -> Document:
    """Of one obligation."""
    return statement_document(obligation) | outcome.document


def statement_document(obligation: Obligation) -> Document:
    """What is to be decided."""
    return {"id": obligation.id, "statement": obligation.statement, "words": obligation.words}
