"""What ``gaptron check`` shows while theorems are checked, and what it leaves behind when it ends, or is ended."""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import click
from rich.console import Console

from gaptron.checking.course import Course
from gaptron.checking.supervise import INTERRUPTION, Supervisor
from gaptron.ledger.certificate_files import write_certificates
from gaptron.reports import check_report, hosts
from gaptron.reports.expected import exit_code
from gaptron.system.atomic import write_atomically
from gaptron.system.documents import Document
from gaptron.system.exits import USAGE, warn, writing
from gaptron.system.interrupts import code_for, hear_none
from gaptron.system.progress import Progress, progress

HOSTS = {"github": hosts.as_github, "sarif": hosts.as_sarif}


@dataclass(frozen=True)
class Wanted:
    """What is to be shown and written."""

    format: str  # text, json, or what a code host reads
    verbose: bool
    junit: Path | None
    sarif: Path | None
    summary: Path | None
    certificates: Path | None


def run(supervisor: Supervisor, wanted: Wanted) -> NoReturn:
    """Check, show each verdict as it arrives, write what was asked for, and exit with the code that says it all."""
    console, partial = check_report.PlainConsole(highlight=False), False
    with progress("obligations") as bar:
        showing = Showing(console, wanted, bar)
        try:
            supervisor.run(lambda: showing.update(supervisor))
            code = None
        except KeyboardInterrupt as interrupt:
            hear_none()
            partial, code = True, code_for(interrupt)
            supervisor.give_up(INTERRUPTION)
    _finish(supervisor, showing, wanted, partial)
    if code is None:
        code = USAGE if supervisor.errors else exit_code([course.document() for course in supervisor.courses])
    sys.exit(code)


class Showing:
    """What has been shown: refusals at once, verdicts in the order of the files as soon as all before are known."""

    def __init__(self, console: Console, wanted: Wanted, bar: Progress) -> None:
        self.console, self.wanted, self.bar = console, wanted, bar
        self.warned: set[int] = set()
        self.shown: set[int] = set()

    def update(self, supervisor: Supervisor) -> None:
        """Show what is new."""
        for number in supervisor.errors.keys() - self.warned:
            self.warned.add(number)
            warn(supervisor.errors[number])
        self.bar.at(*supervisor.counts)
        self.show(supervisor.settled)

    def show(self, courses: Iterable[Course]) -> None:
        """Those of these theorems that are not shown yet, unless they were interrupted; a terminal gets a table."""
        if self.wanted.format != "text" or self.console.is_terminal:
            return
        for course in courses:
            if id(course) not in self.shown and course.given_up != INTERRUPTION:
                self.shown.add(id(course))
                check_report.show(self.console, course.document(), self.wanted.verbose)
                self.console.file.flush()


def _finish(supervisor: Supervisor, showing: Showing, wanted: Wanted, partial: bool) -> None:
    """The reports at the end; of an interrupted check they hold what was decided, and name what was not."""
    courses = list(supervisor.courses)
    left_open = sum(course.given_up == INTERRUPTION for course in courses)
    showing.update(supervisor)
    showing.show(courses)
    theorems = [course.document() for course in courses]
    errors = {str(supervisor.order.files.get(number, "")): error for number, error in supervisor.errors.items()}
    _write(wanted.junit, lambda file: write_atomically(file, check_report.as_junit(theorems, errors, partial)))
    lines = {str(supervisor.order.files[number]): line for number, line in supervisor.lines.items()}
    _write(wanted.sarif, lambda file: write_atomically(file, hosts.as_sarif(theorems, errors, lines)))
    _write(wanted.summary, lambda file: write_atomically(file, hosts.as_summary(theorems, errors)))
    _write(wanted.certificates, lambda folder: write_certificates(folder, _certificates(supervisor)))
    if wanted.format == "json":
        click.echo(check_report.as_json(theorems, "; ".join(errors.values()) or None, partial))
    elif wanted.format != "text":
        said = HOSTS[wanted.format](theorems, errors | ({"": "interrupted"} if partial else {}), lines)
        click.echo(said, nl=bool(said))
    else:
        _show_rest(showing.console, [c.document() for c in courses if c.given_up != INTERRUPTION], wanted.verbose)
    if partial:
        warn(f"interrupted: {left_open} theorem{'' if left_open == 1 else 's'} left open" if courses else "interrupted")


def _show_rest(console: Console, theorems: list[Document], verbose: bool) -> None:
    """On a terminal the table and what explains it; everywhere the counts."""
    if not theorems:
        return
    if console.is_terminal:
        console.print(check_report.table(theorems))
        for theorem in theorems:
            check_report.show_details(console, theorem, verbose)
    check_report.say(console, check_report.summary(theorems))


def _certificates(supervisor: Supervisor) -> Iterator[tuple[str, str, Document]]:
    for course in supervisor.courses:
        for place, certificate in sorted(course.certificates.items()):
            yield course.head["name"], course.found[place]["id"], certificate


def _write(path: Path | None, write: Callable[[Path], None]) -> None:
    """Write a report that was asked for, or say why it cannot be."""
    if path is not None:
        with writing(path):
            write(path)
