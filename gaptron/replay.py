"""``gaptron replay``: certificates checked again by the kernel, their statements derived again from the theorems."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gaptron.exits import fail
from gaptron.kernel import Certificate, Rejected, digest, read_certificate
from gaptron.kernel import replay as replay_certificate
from gaptron.printable import printable

if TYPE_CHECKING:
    from gaptron.prove.tasks import Task

Find = Callable[[str, str], "Task | None"]
EXIT_CODES = """\b
Exit codes:
  0  every certificate proves its obligation
  1  a certificate refutes its obligation, and none is rejected
  2  usage or input error, or a certificate is rejected
  3  a certificate is accepted, but the theorem it belongs to was not found
"""
CODES = {"REJECTED": 2, "REFUTED": 1, "UNDECIDED": 3, "PROVED": 0}  # the first that occurs decides
LARGEST = 64 << 20


@dataclass(frozen=True)
class Replayed:
    """What a certificate file turned out to be: a verdict, or REJECTED, with the reason."""

    file: Path
    verdict: str
    reason: str | None = None
    about: dict[str, Any] | None = None
    certificate: str | None = None


@click.command(epilog=EXIT_CODES)
@click.argument("certificates", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--against",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A theorem file that the certificates may belong to, besides the theorems that are shipped. Runs its Python.",
)
@click.option("--kernel-only", is_flag=True, help="Check the proofs; do not compare the statements with any theorem.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout and nothing else.")
def replay(certificates: tuple[Path, ...], against: tuple[Path, ...], kernel_only: bool, as_json: bool) -> None:
    """Re-check CERTIFICATES with the kernel alone, and that their statements are those of the theorems.

    A certificate is written by gaptron check --certificates DIR. Its statement is derived again from the theorem of
    that name, shipped or in a FILE given by --against: a proof of another statement is rejected.
    """
    from gaptron.files import FileError

    try:
        find = None if kernel_only else _tasks(against)
        results = [_replayed(file, find) for file in certificates]
    except FileError as error:
        empty = {"schema": 1, "certificates": [], "error": str(error)}
        fail(error, document=json.dumps(empty, indent=1) if as_json else None)
    if as_json:
        click.echo(json.dumps({"schema": 1, "certificates": [_data(result) for result in results]}, indent=1))
    else:
        for result in results:
            click.echo(_line(result))
    sys.exit(next(code for verdict, code in CODES.items() if any(r.verdict == verdict for r in results)))


def _tasks(against: tuple[Path, ...]) -> "Find":
    """The obligation of a theorem, in the files or shipped, by their names; derived when the theorem is asked for."""
    from gaptron.files import Statement, load, shipped_files
    from gaptron.library import Library
    from gaptron.prove.check import plan
    from gaptron.prove.tasks import Task

    given = [statement for file in against for statement in load(file)]
    shipped = Library(shipped_files())

    @cache
    def planned(theorem: str) -> "dict[str, Task]":
        entries = chain(given, shipped.entries(theorem))
        item = next((e.item for e in entries if isinstance(e, Statement) and e.item.name == theorem), None)
        return {o.id: Task(item, o) for o in plan(item)} if item is not None else {}

    return lambda theorem, obligation: planned(theorem).get(obligation)


def _replayed(file: Path, find: "Find | None") -> Replayed:
    try:
        certificate = read_certificate(_text(file))
        replay_certificate(certificate)
        verdict = "PROVED" if certificate.refutes is None else "REFUTED"
        about, shown = certificate.about, digest(certificate.data)
        if find is None:
            return Replayed(file, verdict, "not compared with any theorem", about, shown)
        task = find(str(about.get("theorem")), str(about.get("obligation")))
        if task is None:
            reason = "accepted, but there is no theorem of that name to compare it with: name its file by --against"
            return Replayed(file, "UNDECIDED", reason, about, shown)
        _require_same_statement(certificate, task)
    except Rejected as rejected:
        return Replayed(file, "REJECTED", str(rejected))
    return Replayed(file, verdict, None, about, shown)


def _text(file: Path) -> str:
    try:
        if file.stat().st_size > LARGEST:
            raise Rejected(f"larger than {LARGEST} bytes")
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise Rejected(f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Rejected("not text in UTF-8") from error


def _require_same_statement(certificate: Certificate, task: "Task") -> None:
    if certificate.claims != task.kernel_claims():
        raise Rejected(
            f"its statement is not that of the obligation {task.obligation.id!r} of the theorem {task.item.name!r}"
        )


def _line(result: Replayed) -> str:
    about = result.about or {}
    where = ": ".join(printable(about[key]) for key in ("theorem", "obligation") if key in about)
    parts = (f"{result.verdict:9} {printable(result.file)}", where, printable(result.reason or ""))
    return ": ".join(part for part in parts if part)


def _data(result: Replayed) -> dict[str, Any]:
    return {
        "file": str(result.file),
        "verdict": result.verdict,
        "reason": result.reason,
        "about": result.about,
        "certificate": result.certificate,
    }
