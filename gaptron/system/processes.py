"""Numbered tasks in several child processes: the end or the silence of a process costs the task that it was at."""

import select
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf

from gaptron.system import deadline
from gaptron.system.child import Child, EndedError, Message, Voice

TICK = 0.5


@dataclass(frozen=True)
class Lost:
    """A task on which there will be no answer: how its process ended, or None if it was killed for taking too long."""

    ended: str | None


def in_processes(
    work: Callable[[Voice], None], numbers: Sequence[int], processes: int, seconds: Callable[[int], float],
    stagger: float = 0.0, own_group: bool = False, more: Iterable[int] = (),
    wanted: Callable[[int], bool] = lambda _: True, patience: Callable[[int], float] = lambda _: inf,
) -> Generator[tuple[int, Message | Lost], None, None]:  # fmt: skip
    """Each number is told, as {"task": number}, to a process that runs ``work``; what it says of it, as it says it.

    Its first message comes within ``seconds(number)``, and after a message with "within" another one within that time.
    A process that is lost, or says that this was its "last" task, is replaced; ``stagger`` seconds are between starts.
    This process finds ``more`` numbers while all but one of the others work; they are given to those started later.
    One that is not ``wanted`` any more when its turn comes is left out; one that has run for longer than its
    ``patience``, which may shrink while it runs, is lost.
    """
    waiting, running = list(numbers), list[_Worker]()
    finding, growing, known = iter(more), True, len(waiting)
    next_start = time.monotonic() + stagger
    try:
        while waiting or running or growing:
            if growing and (growing := (number := next(finding, None)) is not None):
                waiting.append(number)
                known += 1
            _drop(waiting, wanted)
            is_time = time.monotonic() >= next_start or not (running or growing)
            if waiting and len(running) < processes - growing and is_time:
                running.append(_Worker(Child(work, own_group), known))
                running[-1].give(waiting[0], seconds(waiting.pop(0)))
                next_start = time.monotonic() + stagger
                continue
            earliest = min((worker.deadline for worker in running), default=0.0) - time.monotonic()
            wait = 0.0 if growing else min(TICK, max(0.0, earliest))
            select.select([worker.child.answers for worker in running], [], [], wait)
            for worker in running:
                yield from worker.take(patience)
                _drop(waiting, wanted)
                is_known = known - len(waiting) < worker.knows
                if not worker.busy and waiting and is_known and worker.child.code is None:
                    worker.give(waiting[0], seconds(waiting.pop(0)))
                elif not worker.busy:
                    worker.stop()
            running = [worker for worker in running if worker.busy]
    finally:
        for worker in running:
            worker.stop()


def _drop(waiting: list[int], wanted: Callable[[int], bool]) -> None:
    """Without those that come next and are not wanted."""
    while waiting and not wanted(waiting[0]):
        waiting.pop(0)


class _Worker:
    """A process, how many tasks were known when it started, and the task that it is at."""

    def __init__(self, child: Child, knows: int) -> None:
        self.child, self.knows, self.busy = child, knows, False

    def give(self, number: int, seconds: float) -> None:
        """The next task."""
        self.number, self.busy, self.begun = number, True, time.monotonic()
        self.deadline = time.monotonic() + seconds + deadline.GRACE
        self.child.tell({"task": number})

    def take(self, patience: Callable[[int], float]) -> Iterator[tuple[int, Message | Lost]]:
        """What it has said of its task, or what has become of it."""
        try:
            while self.busy and (message := self.child.hear(0.0)) is not None:
                self.busy = "within" in message
                self.deadline = time.monotonic() + message.get("within", 0.0) + deadline.GRACE
                if message.get("last"):
                    self.stop()
                yield self.number, message
        except EndedError as ended:
            self.stop()
            yield self.number, Lost(str(ended))
        if self.busy and time.monotonic() > min(self.deadline, self.begun + patience(self.number)):
            self.stop()
            yield self.number, Lost(None)

    def stop(self) -> None:
        """Kill it; with a group of its own, what it started too."""
        self.busy = False
        self.child.stop()
