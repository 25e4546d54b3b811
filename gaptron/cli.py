"""The command line."""

import errno
import fnmatch
import os
import sys
from collections.abc import Callable
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from gaptron.exits import INTERRUPTED, fail, warn

if TYPE_CHECKING:
    from gaptron.prove.check import Checked
    from gaptron.theorem import Lemma, Theorem

EXIT_CODES = """\b
Exit codes:
  0  everything asked for is PROVED
  1  something is REFUTED
  2  usage or input error
  3  something is UNDECIDED and nothing REFUTED
"""

SECONDS = 20.0
LATER = {
    "attack": "gaptron.attack.command",
    "audit": "gaptron.audit",
    "compare": "gaptron.compare",
    "explain": "gaptron.explain",
    "export": "gaptron.export",
    "replay": "gaptron.replay",
    "run": "gaptron.run",
    "sharpen": "gaptron.sharpen.command",
}
BROKEN_PIPE = 141
UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EIO)


class Verbs(click.Group):
    """Verbs whose modules are imported when they are first asked for, and output that may fail."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb; a reader that went away ends it in silence, an interrupt or a full disk with one sentence.

        BLAS gets one thread unless the environment says otherwise: the products here are small, and NumPy's and
        SciPy's threads would wait for each other.
        """
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except KeyboardInterrupt:
            fail("interrupted", INTERRUPTED)
        except BrokenPipeError:
            _leave(BROKEN_PIPE)
        except OSError as error:
            if error.errno not in UNWRITABLE:
                raise
            warn(f"the output cannot be written: {error.strerror}")
            _leave(2)
        return result

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all verbs."""
        return sorted([*super().list_commands(ctx), *LATER])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb of that name."""
        if cmd_name in LATER:
            verb: click.Command = getattr(import_module(LATER[cmd_name]), cmd_name)
            return verb
        return super().get_command(ctx, cmd_name)


@click.group(cls=Verbs)
@click.version_option(package_name="gaptron")
def main() -> None:
    """Surrogate-gap theorems of online multiclass classification: prove them, refute them, learn with them."""


@main.command(epilog=EXIT_CODES)
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout and nothing else.")
@click.option(
    "--only", metavar="PATTERN", help="Check the theorems whose name contains PATTERN; * and ? match anything."
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Limit for each claim; a timeout is UNDECIDED, never a verdict.",
)
@click.option("-v", "--verbose", is_flag=True, help="List every obligation with its evidence, method and time.")
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write a JUnit report to FILE.")
@click.option(
    "--certificates",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write a certificate of every obligation decided by the kernel to DIR, for gaptron replay.",
)
@click.option(
    "--cache",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where certificates are kept between runs [default: GAPTRON_CACHE, or the user's cache folder].",
)
@click.option("--no-cache", is_flag=True, help="Search every proof again, and keep none.")
def check(
    files: tuple[Path, ...],
    as_json: bool,
    only: str | None,
    timeout: float,
    verbose: bool,
    junit: Path | None,
    certificates: Path | None,
    cache: Path | None,
    no_cache: bool,
) -> None:
    """Prove or refute every theorem in FILES; with no file, the theorems that are shipped.

    A theorem is PROVED for every number of classes it claims, REFUTED with an exact witness that was replayed
    through the learner, or UNDECIDED with the reason. Checking a FILE runs its Python: check only files you trust.
    Certificates are kept between runs and replayed by the kernel when they are used again.
    """
    from gaptron.files import FileError, load, shipped_files
    from gaptron.ledger import junit as junit_report
    from gaptron.ledger import report
    from gaptron.ledger.certificates import write_certificates
    from gaptron.prove.cache import default_path
    from gaptron.verdict import Verdict

    try:
        statements = [s for file in files or shipped_files() for s in load(file)]
        statements = [s for s in statements if only is None or _matches(s.item.name, only)]
        if not statements:
            raise FileError(f"--only {only}: no theorem has such a name")
    except FileError as error:
        fail(error, document=report.error_as_json(str(error)) if as_json else None)
    checked = _check_all([s.item for s in statements], timeout, None if no_cache else cache or default_path())
    paths = [s.file for s in statements]
    _write(junit, lambda file: junit_report.write(file, paths, checked))
    _write(certificates, lambda folder: write_certificates(folder, checked))
    if as_json:
        click.echo(report.as_json(paths, checked))
    else:
        report.show(report.PlainConsole(highlight=False), paths, checked, verbose)
    verdict = Verdict.of([c.verdict for c in checked])
    sys.exit({Verdict.PROVED: 0, Verdict.REFUTED: 1, Verdict.UNDECIDED: 3}[verdict])


def _write(path: Path | None, write: Callable[[Path], None]) -> None:
    """Write a report that was asked for, or say why it cannot be."""
    try:
        if path is not None:
            write(path)
    except OSError as error:
        fail(f"{path}: cannot be written: {error.strerror}")


def _leave(code: int) -> NoReturn:
    """Exit without trying once more to write what could not be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def _matches(name: str, pattern: str) -> bool:
    return fnmatch.fnmatch(name.lower(), f"*{pattern.lower()}*")


def _check_all(items: list["Theorem | Lemma"], timeout: float, cache: Path | None) -> list["Checked"]:
    """Check with a progress bar on stderr if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from gaptron.prove.cache import Cache
    from gaptron.prove.check import check as check_items

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal, auto_refresh=False)
    with (
        bar,
        closing(Cache(cache, warn)) as kept,
    ):  # without a refresh thread, since the checks are forked processes
        task = bar.add_task("obligations")
        return check_items(
            items,
            timeout,
            os.cpu_count() or 1,
            report=lambda *_: bar.update(task, advance=1, refresh=True),
            begin=lambda total: bar.update(task, total=total, refresh=True),
            cache=kept,
        )


if __name__ == "__main__":
    main()
