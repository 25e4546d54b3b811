"""Proofs for ``sharpen``: obligations decided by the engine of ``gaptron check``, kept certificates replayed."""

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from gaptron.checking.cache import Cache
from gaptron.checking.recall import recall
from gaptron.prove.tasks import Decided, Task
from gaptron.theory.verdict import Ruling, Verdict

Attempt = tuple[Task, ...]
OVERTAKEN = "not tried: something else of it failed, or has been proved instead"
LATE = "not tried: the time was over"
ENDING = 1.0  # seconds: what has run for longer is ended as soon as it is of no use


@dataclass(frozen=True)
class Engine:
    """Decides many obligations at once; ``report()`` is called after each, ``begin(n)`` before n more.

    ``seconds`` is the limit of each claim in each engine. After ``until``, on the clock of ``time.monotonic``, nothing
    more is begun, and what runs is ended. ``found()`` is called when there is something new to show.
    """

    seconds: float
    workers: int
    cache: Cache
    begin: Callable[[int], None] = lambda _: None
    report: Callable[[], None] = lambda: None
    cluster: str | None = None
    until: float = inf
    found: Callable[[], None] = lambda: None

    @property
    def is_late(self) -> bool:
        """Whether nothing more is to be begun."""
        return time.monotonic() > self.until

    def within(self, seconds: float) -> "Engine":
        """The engine with at most this limit of each claim."""
        return replace(self, seconds=min(self.seconds, seconds))

    def decide(
        self,
        tasks: Sequence[Task],
        wanted: Callable[[int], bool] = lambda _: True,
        learn: Callable[[int, Ruling], None] = lambda *_: None,
    ) -> list[Ruling]:
        """The outcome of every task that is ``wanted`` when its turn comes; ``learn`` hears of each as it is known."""
        outcomes = {n: None if found is None else found.outcome for n, found in enumerate(map(self._recalled, tasks))}
        for n, outcome in outcomes.items():
            if outcome is not None:
                learn(n, outcome)
        waiting = {n: tasks[n] for n, outcome in outcomes.items() if outcome is None}
        self.begin(len(waiting))

        def arrived(number: int, decided: Decided) -> None:
            if decided.certificate is not None:
                self.cache.keep(decided.certificate)
            outcomes[number] = decided.outcome
            learn(number, decided.outcome)
            self.report()

        if waiting:
            from gaptron.checking.workers import decide_all

            def is_wanted(number: int) -> bool:
                return wanted(number) and not self.is_late

            def patience(number: int) -> float:
                return inf if is_wanted(number) else ENDING

            decide_all(waiting, self.seconds, self.workers, arrived, self.cluster, (), is_wanted, patience)
        untold = Ruling(Verdict.UNDECIDED, reason=LATE if self.is_late else OVERTAKEN)
        return [outcomes[n] or untold for n in range(len(tasks))]

    def _recalled(self, task: Task) -> Decided | None:
        return None if self.cache.is_empty() else recall(task, self.cache)

    def failures(self, attempts: Sequence[Attempt], of: Sequence[Hashable] | None = None) -> list[str | None]:
        """For each attempt None if all of its obligations are PROVED, else why not.

        ``of`` names what each attempt is of: once one of them has succeeded, the others of the same are not tried.
        """
        race = _Race(attempts, range(len(attempts)) if of is None else of)
        outcomes = iter(self.decide([task for attempt in attempts for task in attempt], race.wants, race.learn))
        return [_failure([(task, next(outcomes)) for task in attempt]) for attempt in attempts]


@dataclass
class _Race:
    """Which tasks are still of use: not those of an attempt that failed, or that another one has won."""

    attempts: Sequence[Attempt]
    of: Sequence[Hashable]
    failed: set[int] = field(default_factory=set)
    won: dict[Hashable, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.owners = [number for number, attempt in enumerate(self.attempts) for _ in attempt]
        self.left = [len(attempt) for attempt in self.attempts]

    def wants(self, task: int) -> bool:
        owner = self.owners[task]
        return owner not in self.failed and self.won.get(self.of[owner], owner) == owner

    def learn(self, task: int, outcome: Ruling) -> None:
        owner = self.owners[task]
        self.left[owner] -= 1
        if outcome.verdict is not Verdict.PROVED:
            self.failed.add(owner)
        elif self.left[owner] == 0 and owner not in self.failed:
            self.won.setdefault(self.of[owner], owner)


def _failure(decided: list[tuple[Task, Ruling]]) -> str | None:
    """The first obligation that is REFUTED; if there is none the first that is not PROVED although it was tried."""
    if not decided:
        return "there is nothing to prove"
    failed = [(task, outcome) for task, outcome in decided if outcome.verdict is not Verdict.PROVED]
    telling = sorted(failed, key=lambda pair: (pair[1].verdict is not Verdict.REFUTED, pair[1].reason == OVERTAKEN))
    for task, outcome in telling:
        why = f": {outcome.reason}" if outcome.reason else ""
        return f"{task.obligation.id} is {outcome.verdict.value}{why}"
    return None
