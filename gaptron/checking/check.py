"""All obligations of many theorems: those with a kept certificate are replayed, the others decided."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from gaptron.checking.cache import Cache
from gaptron.checking.recall import Recalled, recall_all, underived
from gaptron.obligations import Obligation, obligations
from gaptron.prove.tasks import Decided, Task, internal_error
from gaptron.system import deadline
from gaptron.system.deadline import time_limit
from gaptron.system.documents import Document
from gaptron.theory.items import Item
from gaptron.theory.verdict import Ruling, Verdict, best_witnesses

EXPECTED = (TimeoutError, RecursionError, AttributeError, TypeError, ValueError, NotImplementedError)


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
        """The witness shown for a refuted theorem: a round that breaks the gap if there is one, best off kinks."""
        return next(iter(self.witnesses), None)

    @property
    def witnesses(self) -> list[Document]:
        """The best witness against each part of the theorem (its gap, its loss, its gap map, ...), the gap first."""
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
    items: Iterable[Item],
    seconds: float,
    workers: int,
    listener: Listener | None = None,
    cache: Cache | None = None,
    cluster: str | None = None,
) -> list[Checked]:
    """Decide every obligation of every item; the listener is told of each as it is decided.

    ``seconds`` is the limit of each claim and engine, and of the search for a witness; a process that takes longer is
    killed. The workers of a ``cluster`` are asked before the ``workers`` of this machine. Where nothing is kept, the
    obligations of the first items are decided while the next items are found.
    """
    check_ = _Check(items, listener or Listener())
    if cache is not None and not cache.is_empty():
        check_.recall(cache, workers)
    check_.decide(seconds, workers, cache, cluster)
    return [_collected(item, check_.rows[number]) for number, item in enumerate(check_.found)]


class _Check:
    """What is known of each item's obligations; nothing of an item that was not planned."""

    def __init__(self, items: Iterable[Item], listener: Listener) -> None:
        self.items, self.listener = items, listener
        self.found: list[Item] = []  # those whose obligations are known
        self.rows: dict[int, list[Recalled]] = {}
        self.places: list[tuple[int, int]] = []  # of the tasks
        self.told: set[tuple[int, int]] = set()

    def recall(self, cache: Cache, workers: int) -> None:
        """What kept certificates say."""
        self.items = list(self.items)
        for number, rows in recall_all(self.items, plan, cache, workers):
            self._know(number, rows)

    def decide(self, seconds: float, workers: int, cache: Cache | None, cluster: str | None) -> None:
        """Decide what is open."""
        tasks: dict[int, Task] = {}

        def arrived(number: int, decided: Decided) -> None:
            if cache is not None and decided.certificate is not None:
                cache.keep(decided.certificate)
            i, j = self.places[number]
            data = None if decided.certificate is None else decided.certificate.data
            self.rows[i][j] = Recalled(self.rows[i][j].obligation, decided.outcome, data)
            self.listener.decided(i, j, self.rows[i][j])

        more = self._open(tasks)
        if next(more, None) is not None:
            from gaptron.checking.workers import decide_all  # the libraries of the search are not needed to replay

            decide_all(tasks, seconds, workers, arrived, cluster, more)

    def _open(self, tasks: dict[int, Task]) -> Iterator[int]:
        """The numbers of the tasks, each as it becomes known."""
        for number, item in enumerate(self.items):
            self._plan(number, item)
            self.found.append(item)
            for place, row in enumerate(self.rows[number]):
                if row.outcome is None:
                    self.places.append((number, place))
                    tasks[len(tasks)] = Task(item, row.obligation)
                    yield len(tasks) - 1

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


def _collected(item: Item, rows: list[Recalled]) -> Checked:
    return Checked(
        item,
        tuple(row.obligation for row in rows),
        tuple(row.outcome or Ruling(Verdict.UNDECIDED, reason="no process answered") for row in rows),
        tuple(row.certificate for row in rows),
    )


def plan(item: Item) -> tuple[Obligation, ...]:
    """The obligations of an item; one that says why, if they cannot be derived."""
    try:
        with time_limit(deadline.PLAN_SECONDS):
            return obligations(item)
    except KeyboardInterrupt:
        raise
    except EXPECTED as error:
        return (underived(" ".join(str(error).split()) or type(error).__name__),)
    except BaseException as error:
        return (underived(internal_error(error)),)
