"""The process that answers, without code of others: one question after the other, as JSON on a line.

What it says before the answer is how far it is. Theorems cross as data (``theory.data``), files by their names.
"""

import os
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread

from gaptron.checking.checker import head
from gaptron.checking.course import Order
from gaptron.checking.supervise import INTERRUPTION, Supervisor
from gaptron.prove.tasks import internal_error
from gaptron.system.child import Voice
from gaptron.system.documents import Document
from gaptron.system.posix import NoForkError
from gaptron.system.progress import Progress
from gaptron.theory import files
from gaptron.theory.data import read, written
from gaptron.theory.files import NO_FILE, FileError, Statement
from gaptron.theory.refusals import TheoremError
from gaptron.theory.theorem import Lemma

TICK = 0.5
REFUSALS = (FileError, TheoremError, NoForkError)


def serve(voice: Voice) -> None:
    """Answer until there is no more question. An interrupt is for what is being answered."""
    while (question := voice.hear()) is not None:
        shown = Progress("", lambda done, total, what: voice.say({"done": done, "total": total, "what": what}))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            files.paths[:] = question.get("path", [])
            answer = VERBS[question["verb"]](question, shown)
        except REFUSALS as error:
            answer = {"refused": str(error)}
        except KeyboardInterrupt:
            answer = {"interrupted": True}
        except Exception as error:
            answer = {"refused": internal_error(error)}
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        voice.say(answer)


def _heads(question: Document, shown: Progress) -> Document:
    file = Path(question["file"])
    return {"theorems": [head(file, statement.item) for statement in files.load(file)]}


def _check(question: Document, shown: Progress) -> Document:
    """The rows of ``check --json``, the theorems themselves, and what could not be used."""
    from gaptron.checking import host, workers  # noqa: F401  once, not in every process that is forked for a question

    given: Sequence[Document] = question["data"]
    named = [*[NO_FILE] * len(given), *map(Path, question["files"])]
    order = Order(
        dict(enumerate(named)), question["only"], question["seconds"], question["workers"], _cache(question), False,
        question["coq"], given=dict(enumerate(given)), shows_data=True,
    )  # fmt: skip
    supervisor, is_interrupted = Supervisor(order), False
    try:
        supervisor.run(lambda: shown.at(*supervisor.counts, "obligations"))
    except KeyboardInterrupt:
        is_interrupted = True
        supervisor.give_up(INTERRUPTION)
    rows = [{"row": course.document(), "data": course.data} for course in supervisor.courses]
    return {"rows": rows, "errors": list(supervisor.errors.values()), "interrupted": is_interrupted}


def _sharpen(question: Document, shown: Progress) -> Document:
    """The rows of ``sharpen --json``, as they are shown, and all expressions and theorems in them as data."""
    from gaptron.answers.sharpening import engine, sharpenable, sharpened
    from gaptron.constants.report import Result, as_text, document, expressions
    from gaptron.constants.write import theorems

    statements = _given(question) + [s for f in question["files"] for s in sharpenable(Path(f), question["only"])]
    results: list[Result] = []
    shown.what = "obligations"
    with engine(question["seconds"], _cache(question), question["workers"], shown) as deciding:
        interrupt = sharpened(statements, question["classes"], deciding, results, shown)
    rows = [
        {
            "row": document(result),
            "text": as_text([result]),
            "expressions": written(expressions(result))[0],
            "theorems": written(theorems(result))[0],
            "certified": result.certified,
        }
        for result in results
    ]
    return {"rows": rows, "interrupted": interrupt is not None}


def _attack(question: Document, shown: Progress) -> Document:
    """The rows of ``attack --json`` and the lines that are shown."""
    from gaptron.adversary.attacked import data, line
    from gaptron.adversary.choice import Attackable, attackable
    from gaptron.adversary.choice import theorems as named
    from gaptron.adversary.evolution import Effort
    from gaptron.adversary.target import TargetError
    from gaptron.answers.attacking import Attacks, attacked, settings
    from gaptron.rounds.step import LearningRateError

    chosen: dict[str, Attackable] = {}
    for statement in _given(question):
        if isinstance(statement.item, Lemma):
            raise FileError(f"{statement.item.name!r} is a Lemma: it has no bound to attack")
        chosen[statement.item.name] = statement.item
    for file in question["files"]:
        chosen |= named(file, question["only"], replaying=False)
    attacks = Attacks()
    effort = Effort(question["seed"], question["generations"], question["workers"])
    try:
        wanted = list(settings(attackable(chosen), question["classes"], question["rounds"]))
        for _ in attacked(wanted, effort, shown, attacks, seconds=question["seconds"]):
            pass
    except (TargetError, LearningRateError) as error:
        raise FileError(str(error)) from error
    rows = [{"row": data(one), "text": line(one)} for one in attacks.found]
    return {"rows": rows, "open": attacks.open, "interrupted": attacks.interrupt is not None}


def _explain(question: Document, shown: Progress) -> Document:
    """The row of ``explain --json`` and its lines."""
    from gaptron.answers.explaining import explained, explained_item

    given = _given(question)
    files = [Path(file) for file in question["files"]]
    seconds = question["seconds"]
    found = explained_item(given[0], shown, seconds) if given else explained(question["name"], files, shown, seconds)
    return {"rows": [{"row": found.row, "text": "\n".join(found.lines), "data": question["data"]}]}


def _audit(question: Document, shown: Progress) -> Document:
    """The rows of ``audit --json``."""
    from gaptron.answers.auditing import audited
    from gaptron.ledger.recomputation import PartialAudit
    from gaptron.ledger.rendering import as_dict, by_document
    from gaptron.theory.shipped import is_named

    shown.what, is_interrupted = "claims", False
    try:
        rows, errors = audited(
            [Path(file) for file in question["files"]], shown, seconds=question["seconds"], cache=_cache(question),
            workers=question["workers"], coq=question["coq"], only=question["only"], document=question["document"],
        )  # fmt: skip
    except PartialAudit as partial:
        rows, errors, is_interrupted = partial.rows, [], True
    wanted = [row for row in by_document(rows) if is_named(row.claim.id, question["only"], question["document"])]
    return {"rows": [{"row": as_dict(row)} for row in wanted], "errors": errors, "interrupted": is_interrupted}


def _load(question: Document, shown: Progress) -> Document:
    """The theorems of files, as data."""
    items = [item for file in question["files"] for item in files.load_every(Path(file))]
    return {"data": written(items)[0]}


def _given(question: Document) -> list[Statement]:
    """The theorems that are handed over."""
    return [Statement(NO_FILE, item) for data in question["data"] for item in read(data, lambda place: None)]


def _cache(question: Document) -> Path | None:
    return None if question["cache"] is None else Path(question["cache"])


VERBS: dict[str, Callable[[Document, Progress], Document]] = {
    "attack": _attack,
    "audit": _audit,
    "check": _check,
    "explain": _explain,
    "heads": _heads,
    "load": _load,
    "sharpen": _sharpen,
}


def _main() -> None:
    """Questions and answers go through pipes of their own: nothing that a file prints or reads is one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    voice = Voice(os.dup(0), os.dup(1))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    serve(voice)


def _end_with(parent: int) -> None:
    """End with the process that asks, whatever is being answered."""
    while os.getppid() == parent:
        time.sleep(TICK)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    _main()
