"""What ``gaptron check`` shows while theorems are checked, and what it leaves behind when it ends, or is ended."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from gaptron.checking.supervise import Supervisor
from gaptron.ledger import hosts, report
from gaptron.ledger.certificates import write_certificates
from gaptron.system.atomic import write_atomically
from gaptron.system.documents import Document
from gaptron.system.exits import INTERRUPTED, USAGE, fail, warn

INTERRUPTION = "the check was interrupted before it was decided"
HOSTS = {"github": hosts.as_github, "sarif": hosts.as_sarif}
CODES = {"REFUTED": 1, "UNDECIDED": 3, "PROVED": 0}  # the first that occurs decides


class Interrupted(KeyboardInterrupt):
    """The signal that asks to end."""

    def __init__(self, number: int) -> None:
        self.number = number


@dataclass(frozen=True)
class Wanted:
    """What is to be shown and written."""

    format: str  # text, json, or what a code host reads
    verbose: bool
    junit: Path | None
    certificates: Path | None


def run(supervisor: Supervisor, wanted: Wanted) -> NoReturn:
    """Check, show each verdict as it arrives, write what was asked for, and exit with the code that says it all."""
    console, partial = report.PlainConsole(highlight=False), False
    with _bar() as bar:
        showing = Showing(console, wanted, bar)
        signal.signal(signal.SIGTERM, _interrupt)
        try:
            supervisor.run(lambda: showing.update(supervisor))
            code = None
        except KeyboardInterrupt as interrupt:
            partial, code = True, 128 + getattr(interrupt, "number", INTERRUPTED - 128)
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_IGN)
            supervisor.give_up(INTERRUPTION)
    _finish(supervisor, showing, wanted, partial)
    sys.exit(_code(supervisor) if code is None else code)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise Interrupted(number)


def _code(supervisor: Supervisor) -> int:
    documents = [course.document() for course in supervisor.courses]
    verdicts = {document["verdict"] for document in documents}
    if any(document.get("coq", {}).get("accepted") is False for document in documents):
        verdicts.add("UNDECIDED")  # PROVED by the kernel, but not by Coq, which was asked for
    return USAGE if supervisor.errors else next(code for verdict, code in CODES.items() if verdict in verdicts)


@contextmanager
def _bar() -> "Iterator[Progress]":
    """A progress bar on stderr if that is a terminal; without a refresh thread, as the work is done by forks."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal, auto_refresh=False
    ) as bar:
        bar.add_task("obligations", total=None)
        yield bar


class Showing:
    """What has been shown: refusals at once, verdicts in the order of the files as soon as all before are known."""

    def __init__(self, console: Console, wanted: Wanted, bar: Progress) -> None:
        self.console, self.wanted, self.bar = console, wanted, bar
        self.warned: set[int] = set()
        self.shown = 0

    def update(self, supervisor: Supervisor) -> None:
        """Show what is new."""
        for number in supervisor.errors.keys() - self.warned:
            self.warned.add(number)
            warn(supervisor.errors[number])
        courses = list(supervisor.courses)
        if not self.bar.disable:
            planned = sum(len(course.planned or ()) for course in courses)
            found = sum(len(course.found) for course in courses)
            self.bar.update(self.bar.task_ids[0], total=planned or None, completed=found, refresh=True)
        if self.wanted.format == "text" and not self.console.is_terminal:
            while self.shown < len(courses) and courses[self.shown].is_settled:
                if courses[self.shown].given_up != INTERRUPTION:
                    report.show(self.console, courses[self.shown].document(), self.wanted.verbose)
                    self.console.file.flush()
                self.shown += 1


def _finish(supervisor: Supervisor, showing: Showing, wanted: Wanted, partial: bool) -> None:
    """The reports at the end; of an interrupted check they hold what was decided, and name what was not."""
    courses = list(supervisor.courses)
    if not courses and not supervisor.errors and not partial:
        supervisor.errors[-1] = _why_nothing(supervisor)
    left_open = sum(course.given_up == INTERRUPTION for course in courses)
    showing.update(supervisor)
    theorems = [course.document() for course in courses]
    errors = {str(supervisor.order.files.get(number, "")): error for number, error in supervisor.errors.items()}
    _write(wanted.junit, lambda file: write_atomically(file, report.as_junit(theorems, errors, partial)))
    _write(wanted.certificates, lambda folder: write_certificates(folder, _certificates(supervisor)))
    if wanted.format == "json":
        click.echo(report.as_json(theorems, "; ".join(errors.values()) or None, partial))
    elif wanted.format != "text":
        said = HOSTS[wanted.format](theorems, errors | ({"": "interrupted"} if partial else {}))
        click.echo(said, nl=bool(said))
    else:
        _show_rest(showing.console, [c.document() for c in courses if c.given_up != INTERRUPTION], wanted.verbose)
    if partial:
        warn(f"interrupted: {left_open} theorem{'' if left_open == 1 else 's'} left open" if courses else "interrupted")


def _why_nothing(supervisor: Supervisor) -> str:
    """Why no theorem was checked, although no file was refused."""
    if supervisor.order.only is not None:
        return f"--only {supervisor.order.only}: no theorem has such a name"
    files = ", ".join(map(str, supervisor.order.files.values()))
    return f"{files}: claims of a document and no theorem: gaptron audit decides claims"


def _show_rest(console: Console, theorems: list[Document], verbose: bool) -> None:
    """On a terminal the table and what explains it; everywhere the counts."""
    if not theorems:
        return
    if console.is_terminal:
        console.print(report.table(theorems))
        for theorem in theorems:
            report.show_details(console, theorem, verbose)
    console.print(report.summary(theorems), soft_wrap=True)


def _certificates(supervisor: Supervisor) -> Iterator[tuple[str, str, Document]]:
    for course in supervisor.courses:
        for place, certificate in sorted(course.certificates.items()):
            yield course.head["name"], course.found[place]["id"], certificate


def _write(path: Path | None, write: Callable[[Path], None]) -> None:
    """Write a report that was asked for, or say why it cannot be."""
    try:
        if path is not None:
            write(path)
    except OSError as error:
        fail(f"{path}: cannot be written: {error.strerror}")
