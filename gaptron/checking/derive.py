"""The process that derives statements from theorem files for ``replay``, and replays refutations as rounds.

The kernel never runs where a theorem file does. Asked for an obligation, it answers with the kernel's claims as JSON.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from pathlib import Path

from gaptron.checking.recall import confirmed, plan
from gaptron.prove.tasks import Task, internal_error
from gaptron.system import deadline
from gaptron.system.child import Voice
from gaptron.system.deadline import time_limit
from gaptron.system.documents import Document
from gaptron.system.posix import limit_memory
from gaptron.theory.files import Filed, FileError, Library, Statement, load, shipped_files

MEMORY = 8 << 30


def serve(files: Sequence[Path], voice: Voice) -> None:
    """Load the files, then answer questions, until there are no more."""
    limit_memory(MEMORY)
    try:
        given = [statement for file in files for statement in _loaded(file, voice)]
        tasks = Tasks(given, Library(shipped_files(), written=True))
        voice.say({"ready": True})
        while (question := voice.hear()) is not None:
            task = tasks.find(question["theorem"], question["obligation"], question["claims"])
            voice.say(_answer(task, question["refutes"]))
    except FileError as error:
        voice.say({"refused": str(error)})


def _loaded(file: Path, voice: Voice) -> Iterator[Statement]:
    voice.say({"loading": str(file)})
    yield from load(file)


class Tasks:
    """The obligations of the theorems in the files and of those shipped; derived when the theorem is asked for."""

    def __init__(self, given: Sequence[Statement], shipped: Library) -> None:
        self.given, self.shipped = given, shipped
        self.planned: dict[str, dict[str, Task]] = {}
        self.alike: dict[str, str] = {}  # of theorems that are not there: those that had the same statement before

    def find(self, theorem: str, obligation: str, claims: object) -> Task | None:
        """By their names; of a theorem that is not there the same obligation of a shipped one that states the same."""
        if theorem not in self.planned:
            entries = chain(self.given, self.shipped.entries(theorem))
            self._plan(theorem, entries)
        if self.planned[theorem]:
            return self.planned[theorem].get(obligation)
        return next((task for task in self._shipped(theorem, obligation) if _claims(task) == claims), None)

    def _plan(self, theorem: str, entries: Iterable[Statement | Filed]) -> dict[str, Task]:
        item = next((e.item for e in entries if isinstance(e, Statement) and e.item.name == theorem), None)
        self.planned[theorem] = {} if item is None else {o.id: Task(item, o) for o in plan(item)}
        return self.planned[theorem]

    def _shipped(self, theorem: str, obligation: str) -> Iterator[Task]:
        """This obligation of each shipped theorem, first of the one that stated the same before."""
        names = [e.item.name for e in self.shipped.everything() if isinstance(e, Statement)]
        for name in sorted(names, key=lambda name: name != self.alike.get(theorem)):
            planned = self.planned[name] if name in self.planned else self._plan(name, self.shipped.entries(name))
            if obligation in planned:
                self.alike[theorem] = name
                yield planned[obligation]


def _answer(task: Task | None, refutes: tuple[int, dict[str, str]] | None) -> Document:
    """The claims, or None if there is no such obligation; and why a refutation is not one of the theorem."""
    if task is None:
        return {"claims": None}
    return {
        "claims": _claims(task),
        "theorem": task.item.name,
        "objection": None if refutes is None else _objection(task, *refutes),
    }


def _claims(task: Task) -> list[object]:
    return [claim.data for claim in task.kernel_claims() or ()]


def _objection(task: Task, index: int, point: dict[str, str]) -> str | None:
    try:
        with time_limit(deadline.PLAN_SECONDS):
            witness = confirmed(task, index, {name: Fraction(value) for name, value in point.items()})
    except Exception as error:
        return f"its point cannot be replayed in the theorem: {internal_error(error)}"
    return (
        None if witness is not None else "the kernel accepts its point, but a round of the learner does not confirm it"
    )
