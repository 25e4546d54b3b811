"""What kept certificates say of theorems: derived and replayed in several processes at once.

Each process derives the obligations of its share of the theorems, replays what the cache keeps of them, and leaves its
answers in a file. A process that dies costs nothing: its theorems are derived again by whoever asked.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import IO, Any

from gaptron.kernel import digest
from gaptron.obligations import Obligation
from gaptron.obligations.statement import symbol_names
from gaptron.prove.cache import Cache
from gaptron.prove.tasks import Decided, Task, method_of
from gaptron.theorem import Lemma, Theorem
from gaptron.verdict import Outcome, Verdict

Plan = Callable[[Theorem | Lemma], Sequence[Obligation]]


@dataclass(frozen=True)
class Recalled:
    """An obligation (without its claims), and its outcome and certificate if one was kept and replayed."""

    obligation: Obligation
    outcome: Outcome | None = None
    certificate: dict[str, Any] | None = None


def recall_all(items: Sequence[Theorem | Lemma], plan: Plan, cache: Cache, processes: int) -> dict[int, list[Recalled]]:
    """For each theorem, by its number, every obligation; theorems of a process that died are missing."""
    if cache.is_empty():
        return {}
    shares = [list(range(first, len(items), processes)) for first in range(min(processes, len(items)))]
    running = [_start(items, share, plan, cache) for share in shares]
    found: dict[int, list[Recalled]] = {}
    for process, answers in running:
        os.waitpid(process, 0)
        with answers:
            answers.seek(0)
            for line in answers:
                if line.endswith("\n"):
                    number, rows = json.loads(line)
                    found[number] = [_read(row) for row in rows]
    return found


def _start(items: Sequence[Theorem | Lemma], share: list[int], plan: Plan, cache: Cache) -> tuple[int, IO[str]]:
    answers = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process == 0:
        try:
            own = cache.reopened()
            for number in share:
                rows = [_row(Task(items[number], obligation), own) for obligation in plan(items[number])]
                answers.write(json.dumps([number, rows]) + "\n")
            answers.flush()
            os._exit(0)
        except BaseException as error:
            print(f"gaptron: internal error while replaying certificates: {error!r}", file=sys.stderr)
            os._exit(1)
    return process, answers


def _row(task: Task, cache: Cache) -> list[Any]:
    decided = recall(task, cache)
    head = [task.obligation.id, task.obligation.statement]
    if decided is None or decided.certificate is None:
        return [*head, None, None]
    return [*head, asdict(decided.outcome) | {"verdict": decided.outcome.verdict.value}, decided.certificate.data]


def _read(row: list[Any]) -> Recalled:
    name, statement, outcome, certificate = row
    if outcome is not None:
        outcome |= {"verdict": Verdict(outcome["verdict"]), "evidence": tuple(outcome["evidence"])}
        outcome = Outcome(**outcome)
    return Recalled(Obligation(name, statement, ()), outcome, certificate)


def recall(task: Task, cache: Cache) -> Decided | None:
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
