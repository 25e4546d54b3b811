"""Proofs for ``sharpen``: obligations decided by the engine of ``gaptron check``, kept certificates replayed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gaptron.checking.cache import Cache
from gaptron.checking.recall import recall
from gaptron.prove.tasks import Decided, Task
from gaptron.theory.verdict import Ruling, Verdict

Attempt = tuple[Task, ...]


@dataclass(frozen=True)
class Engine:
    """Decides many obligations at once; ``report()`` is called after each, ``begin(n)`` before n more.

    ``seconds`` is the limit of each claim in each engine.
    """

    seconds: float
    workers: int
    cache: Cache
    begin: Callable[[int], None] = lambda _: None
    report: Callable[[], None] = lambda: None
    cluster: str | None = None

    def decide(self, tasks: Sequence[Task]) -> list[Ruling]:
        """The outcome of every task."""
        outcomes = {n: None if found is None else found.outcome for n, found in enumerate(map(self._recalled, tasks))}
        waiting = {n: tasks[n] for n, outcome in outcomes.items() if outcome is None}
        self.begin(len(waiting))

        def arrived(number: int, decided: Decided) -> None:
            if decided.certificate is not None:
                self.cache.keep(decided.certificate)
            outcomes[number] = decided.outcome
            self.report()

        if waiting:
            from gaptron.checking.workers import decide_all

            decide_all(waiting, self.seconds, self.workers, arrived, self.cluster)
        silent = Ruling(Verdict.UNDECIDED, reason="no process answered")
        return [outcomes[n] or silent for n in range(len(tasks))]

    def _recalled(self, task: Task) -> Decided | None:
        return None if self.cache.is_empty() else recall(task, self.cache)

    def failures(self, attempts: Sequence[Attempt]) -> list[str | None]:
        """For each attempt None if all of its obligations are PROVED, else why not."""
        outcomes = iter(self.decide([task for attempt in attempts for task in attempt]))
        return [_failure([(task, next(outcomes)) for task in attempt]) for attempt in attempts]


def _failure(decided: list[tuple[Task, Ruling]]) -> str | None:
    """The first obligation that is not PROVED."""
    if not decided:
        return "there is nothing to prove"
    for task, outcome in decided:
        if outcome.verdict is not Verdict.PROVED:
            why = f": {outcome.reason}" if outcome.reason else ""
            return f"{task.obligation.id} is {outcome.verdict.value}{why}"
    return None
