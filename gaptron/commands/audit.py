"""The verb ``audit``: every claim of the documents, recomputed."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gaptron.system.exits import USAGE, fail, refusing, warn, writing
from gaptron.system.interrupts import code_for
from gaptron.system.options import CLUSTER, FILE, JSON, NO_CACHE, PATH, TIMEOUT, WORKERS, require_cluster

if TYPE_CHECKING:
    from gaptron.ledger.recomputation import Audited

EXIT_CODES = """\b
Exit codes:
  0  every computed verdict equals the recorded one, and every second route agrees
  1  something differs
  2  usage or input error
  130, 143  interrupted: the claims that were decided until then are shown
"""

VERDICTS = ("PROVED", "REFUTED", "UNDECIDED", "NOT-CHECKABLE")
Writer = Callable[["list[Audited]"], str]


@click.command(epilog=EXIT_CODES)
@click.argument("files", nargs=-1, type=PATH)
@JSON
@click.option("--only", metavar="PATTERN", help="Show the claims whose identifier contains PATTERN (* and ? match).")
@click.option("--document", metavar="NAME",
              help="Show the claims of one document: gaptron, slides, blog, soba, notes, colt24, neurips25, "
              "new.")  # fmt: skip
@click.option("--verdict", type=click.Choice(VERDICTS), help="Show the claims with this verdict.")
@click.option("--html", type=PATH, metavar="FILE", help="Write the report as one HTML file.")
@click.option("--markdown", type=PATH, metavar="FILE", help="Write the ledger as Markdown.")
@click.option("--errata", type=PATH, metavar="FILE", help="Write the errata for authors.")
@click.option("--notes", type=PATH, metavar="FOLDER",
              help="Write a page of errata for each document and a note for each severe one.")  # fmt: skip
@click.option("--junit", type=PATH, metavar="FILE", help="Write a JUnit report.")
@TIMEOUT
@click.option("--cache", type=FILE, metavar="FILE",
              help="Where certificates are kept [default: GAPTRON_CACHE, or the user's cache folder].")  # fmt: skip
@NO_CACHE
@click.option("--coq", is_flag=True, help="Ask Coq for every theorem whose bound is claimed, and for what claims name.")
@WORKERS
@CLUSTER
def audit(
    files: tuple[Path, ...], as_json: bool, only: str | None, document: str | None, verdict: str | None,
    html: Path | None, markdown: Path | None, errata: Path | None, notes: Path | None, junit: Path | None,
    timeout: float, cache: Path | None, no_cache: bool, coq: bool, workers: int, cluster: str | None,
) -> None:  # fmt: skip
    """Recompute the verdict of every claim in FILES (or folders of them); with no file, of the seven documents, and
    of what is new here.

    A claim is PROVED, REFUTED with an exact witness, UNDECIDED or NOT-CHECKABLE with the reason. The computed verdict
    is compared with the recorded one, the correction of a false claim is proved, and a second route must agree. All
    claims of FILES are recomputed whatever is shown, as they rest on each other. Auditing a FILE runs its Python,
    in a process of its own; another one, which runs no file, decides.
    """
    from gaptron.theory.shipped import FileError, is_named, no_claim, python_files, require_named, shipped_claims

    refuse = refusing(as_json, claims=[])
    require_cluster(cluster, refuse)
    interrupt: KeyboardInterrupt | None = None
    try:
        if coq:
            from gaptron.coq.library import coqc

            coqc()
        own = python_files(files)
        if not own:
            require_named(shipped_claims(), only, document)
    except FileError as error:
        refuse(error)
    from gaptron.answers.auditing import audited  # all that decides, which a wrong name need not wait for
    from gaptron.checking.cache import default_path
    from gaptron.ledger import rendering as report
    from gaptron.ledger.errata import errata as errata_of
    from gaptron.ledger.errata import write_notes
    from gaptron.ledger.recomputation import PartialAudit
    from gaptron.system.progress import progress

    try:
        with progress("claims") as bar:
            rows, errors = audited(
                own, bar, seconds=timeout, cache=None if no_cache else cache or default_path(), coq=coq,
                workers=workers, cluster=cluster, only=only, document=document,
            )  # fmt: skip
    except FileError as error:
        refuse(error)
    except PartialAudit as partial:
        rows, errors, interrupt = partial.rows, [], partial
        warn(f"{partial}; certificates are kept" if not no_cache else partial)
    for sentence in errors:
        warn(sentence)
    named = [row for row in report.by_document(rows) if is_named(row.claim.id, only, document)]
    shown = [row for row in named if verdict in (None, row.verdict)]
    if not shown and interrupt is None:
        refuse(no_claim({"--only": only, "--document": document, "--verdict": verdict}))
    _write_all({html: _page, markdown: report.as_markdown, errata: errata_of, junit: report.as_junit}, shown)
    if notes is not None:
        with writing(notes):
            write_notes(notes, shown)
    if as_json:
        click.echo(report.as_json(shown, "; ".join(errors) or None))
    else:
        report.show(shown)
    code = USAGE if errors else 1 if any(row.problems for row in shown) else 0
    sys.exit(code if interrupt is None else code_for(interrupt))


def _page(rows: "list[Audited]") -> str:
    from gaptron.ledger.html.page import page  # which other reports need not wait for

    return page(rows)


def _write_all(reports: dict[Path | None, Writer], rows: "list[Audited]") -> None:
    """Write the reports that were asked for."""
    from gaptron.system.atomic import write_atomically
    from gaptron.theory.files import FileError

    for file, text in reports.items():
        if file is not None:
            try:
                with writing(file):
                    write_atomically(file, text(rows))
            except FileError as error:
                fail(error)
