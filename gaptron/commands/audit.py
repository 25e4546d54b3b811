"""The verb ``audit``: every claim of the documents, recomputed."""

import fnmatch
import json
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gaptron.system.deadline import CLAIM_SECONDS
from gaptron.system.exits import fail, warn
from gaptron.system.options import CLUSTER, POSITIVE, WORKERS, require_cluster

if TYPE_CHECKING:
    from gaptron.ledger.audit import Audited
    from gaptron.theory.files import Filed

EXIT_CODES = """\b
Exit codes:
  0  every computed verdict equals the recorded one, and every second route agrees
  1  something differs
  2  usage or input error
"""

VERDICTS = ("PROVED", "REFUTED", "UNDECIDED", "NOT-CHECKABLE")
Writer = Callable[["list[Audited]"], str]


@click.command(epilog=EXIT_CODES)
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout and nothing else.")
@click.option("--only", metavar="PATTERN", help="Show the claims whose identifier contains PATTERN (* and ? match).")
@click.option(
    "--document",
    metavar="NAME",
    help="Show the claims of one document: gaptron, slides, blog, soba, notes, colt24, neurips25.",
)
@click.option("--verdict", type=click.Choice(VERDICTS), help="Show the claims with this verdict.")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write the report as one HTML file.")
@click.option("--markdown", type=click.Path(path_type=Path), metavar="FILE", help="Write the ledger as Markdown.")
@click.option("--errata", type=click.Path(path_type=Path), metavar="FILE", help="Write the errata for authors.")
@click.option("--notes", type=click.Path(path_type=Path), metavar="FOLDER",
              help="Write a page of errata for each document and a note for each severe one.")  # fmt: skip
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write a JUnit report.")
@click.option("--timeout", type=POSITIVE, default=CLAIM_SECONDS, show_default=True,
              metavar="SECONDS", help="Limit for each claim of an obligation.")  # fmt: skip
@click.option("--cache", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Where certificates are kept [default: GAPTRON_CACHE, or the user's cache folder].")  # fmt: skip
@click.option("--no-cache", is_flag=True, help="Search every proof again, and keep none.")
@click.option("--coq", is_flag=True, help="Ask Coq for every theorem whose bound is claimed, and for what claims name.")
@WORKERS
@CLUSTER
def audit(
    files: tuple[Path, ...],
    as_json: bool,
    only: str | None,
    document: str | None,
    verdict: str | None,
    html: Path | None,
    markdown: Path | None,
    errata: Path | None,
    notes: Path | None,
    junit: Path | None,
    timeout: float,
    cache: Path | None,
    no_cache: bool,
    coq: bool,
    workers: int,
    cluster: str | None,
) -> None:
    """Recompute the verdict of every claim in FILES (or folders of them); with no file, of the seven documents.

    A claim is PROVED, REFUTED with an exact witness, UNDECIDED or NOT-CHECKABLE with the reason. The computed verdict
    is compared with the recorded one, the correction of a false claim is proved, and a second route must agree. All
    claims of FILES are recomputed whatever is shown, as they rest on each other. Auditing a FILE runs its Python.
    """
    from gaptron.theory.shipped import FileError, python_files, shipped_claims

    require_cluster(cluster, error_as_json if as_json else None)
    if coq:
        from gaptron.commands.developments import require_coq

        require_coq()
    try:
        own = python_files(files)
        if not own:
            _require_shown(shipped_claims(), only, document)
        filed = _claims(own)
        _require_shown([claim.claim.id for claim in filed], only, document)
        from gaptron.checking.cache import default_path
        from gaptron.ledger import claims as report

        rows = _audited(filed, timeout, None if no_cache else cache or default_path(), coq, workers, cluster)
    except FileError as error:
        fail(error, document=error_as_json(str(error)) if as_json else None)
    shown = [row for row in report.by_document(rows) if _is_shown(row, only, document, verdict)]
    if not shown:
        message = _no_claim({"--only": only, "--document": document, "--verdict": verdict})
        fail(message, document=error_as_json(message) if as_json else None)
    _write_all(
        {html: report.as_html, markdown: report.as_markdown, errata: report.as_errata, junit: report.as_junit}, shown
    )
    if notes is not None:
        _write_notes(notes, shown)
    if as_json:
        click.echo(report.as_json(shown))
    else:
        report.show(shown)
    sys.exit(1 if any(row.problems for row in shown) else 0)


def error_as_json(message: str) -> str:
    """The document of ``audit --json`` for an input that could not be used."""
    return json.dumps({"schema": 1, "claims": [], "error": message}, indent=1)


def _claims(own: list[Path]) -> "list[Filed]":
    """The claims of the files, or of all that are shipped; runs them."""
    from gaptron.theory.files import FileError, load_whole, shipped_files

    filed = [claim for file in own or shipped_files() for claim in load_whole(file)[1]]
    if not filed:
        raise FileError("no claim: assign a gaptron.Claim to a name at top level")
    return filed


def _require_shown(names: list[str], only: str | None, document: str | None) -> None:
    """FileError, before anything is recomputed, if no claim can be shown."""
    from gaptron.theory.shipped import FileError

    if not any(_is_named(name, only, document) for name in names):
        raise FileError(_no_claim({"--only": only, "--document": document}))


def _no_claim(options: dict[str, str | None]) -> str:
    return "no claim with " + " ".join(f"{name} {value}" for name, value in options.items() if value is not None)


def _is_named(name: str, only: str | None, document: str | None) -> bool:
    matches = only is None or fnmatch.fnmatch(name.lower(), f"*{only.lower()}*")
    return matches and document in (None, name.partition("/")[0])


def _is_shown(row: "Audited", only: str | None, document: str | None, verdict: str | None) -> bool:
    return _is_named(row.claim.id, only, document) and verdict in (None, row.verdict)


def _write_all(reports: dict[Path | None, Writer], rows: "list[Audited]") -> None:
    """Write the reports that were asked for."""
    from gaptron.system.atomic import write_atomically
    from gaptron.theory.files import FileError

    for file, text in reports.items():
        if file is not None:
            try:
                write_atomically(file, text(rows))
            except FileError as error:
                fail(error)
            except OSError as error:
                fail(f"{file}: cannot be written: {error.strerror}")


def _write_notes(folder: Path, rows: "list[Audited]") -> None:
    from gaptron.ledger.notes import write_notes

    try:
        write_notes(folder, rows)
    except OSError as error:
        fail(f"{folder}: cannot be written: {error.strerror}")


def _audited(
    filed: "list[Filed]", timeout: float, cache: Path | None, coq: bool, workers: int, cluster: str | None
) -> "list[Audited]":
    """Audit with a progress bar on stderr if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from gaptron.checking.cache import Cache
    from gaptron.checking.formal import formal
    from gaptron.ledger.audit import audit as audit_claims
    from gaptron.ledger.stated import NamedStatements

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal, auto_refresh=False)
    with bar, closing(Cache(cache, warn)) as kept:
        task = bar.add_task("claims")
        return audit_claims(
            filed,
            timeout,
            kept,
            workers,
            begin=lambda total: bar.update(task, total=total, refresh=True),
            arrived=lambda: bar.update(task, advance=1, refresh=True),
            formal=(lambda checked: formal(checked, kept)) if coq else None,
            cluster=cluster,
            stated=NamedStatements(kept) if coq else None,
        )
