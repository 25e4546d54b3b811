"""The command line."""

import os
import sys
from collections.abc import Callable
from copy import copy
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from gaptron import __version__
from gaptron.system.exits import error_as_json, fail, refusing, warn
from gaptron.system.guard import code_of, guarded, require_output
from gaptron.system.interrupts import keep_interrupts
from gaptron.system.options import CLUSTER, FILE, FOLDER, NO_CACHE, PATH, TIMEOUT, WORKERS, require_cluster

EXIT_CODES = """\b
Exit codes:
  0  everything asked for is PROVED, or has the verdict that its file expects
  1  something is REFUTED (or PROVED) that is not expected to be
  2  usage or input error
  3  something is UNDECIDED that is not expected to be, and there is nothing of 1
"""

LATER = ("attack", "audit", "compare", "explain", "export", "new", "plot", "prove", "replay", "run", "sharpen")


class Verbs(click.Group):
    """Verbs whose modules are imported when they are first asked for; each ends with an exit code that is meant."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the verb, and exit.

        BLAS gets one thread unless the environment says otherwise: the products here are small, and NumPy's and
        SciPy's threads would wait for each other. SymPy gets more room for what it knows of an expression than for
        1000 answers, as the theorems of one run ask the same again.
        """
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        os.environ.setdefault("SYMPY_CACHE_SIZE", "20000")
        keep_interrupts()
        require_output()
        sys.exit(code_of(partial(super().main, *args, **extra | {"standalone_mode": False})))

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all verbs."""
        return sorted([*super().list_commands(ctx), *LATER])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb of that name."""
        if cmd_name in LATER:
            verb: click.Command = copy(getattr(import_module(f"gaptron.commands.{cmd_name}"), cmd_name))
            setattr(verb, "invoke", partial(_guarded, verb.invoke))  # noqa: B010
            return verb
        return super().get_command(ctx, cmd_name)


def _guarded(invoke: Callable[[click.Context], object], ctx: click.Context) -> int:
    def refused(message: str) -> None:
        if ctx.params.get("as_json") or ctx.params.get("format_") == "json":
            click.echo(error_as_json(message))
        warn(message)

    return guarded(str(ctx.info_name), partial(invoke, ctx), refused)


@click.group(cls=Verbs)
@click.version_option(__version__, package_name="gaptron")
def main() -> None:
    """Surrogate-gap theorems of online multiclass classification: prove them, refute them, learn with them."""


@main.command(epilog=EXIT_CODES)
@click.argument("files", nargs=-1, type=PATH)
@click.option("--json", "as_json", is_flag=True, help="As --format json: one JSON document on stdout and nothing else.")
@click.option("--format", "format_", type=click.Choice(["text", "json", "github", "sarif"]), default="text",
              show_default=True,
              help="What stdout gets: github is a line, sarif a result, for all that is not as expected.")  # fmt: skip
@click.option("--only", metavar="PATTERN",
              help="Check the theorems whose name contains PATTERN; * and ? match anything.")  # fmt: skip
@TIMEOUT
@click.option("-v", "--verbose", is_flag=True, help="List every obligation with its evidence, method and time.")
@click.option("--junit", type=PATH, metavar="FILE", help="Write a JUnit report to FILE.")
@click.option("--sarif", type=PATH, metavar="FILE", help="Write SARIF to FILE.")
@click.option("--summary", type=PATH, metavar="FILE", help="Write a page of Markdown to FILE.")
@click.option("--certificates", type=FOLDER, metavar="DIR",
              help="Write a certificate of every obligation decided by the kernel to DIR, for gaptron "
              "replay.")  # fmt: skip
@click.option("--cache", type=FILE, metavar="FILE", help="Where certificates are kept between runs [default: "
              "GAPTRON_CACHE, or the user's cache folder].")  # fmt: skip
@NO_CACHE
@click.option("--coq", is_flag=True, help="Have Coq check every verdict as a whole; exit 3 if a PROVED one is left.")
@WORKERS
@CLUSTER
def check(
    files: tuple[Path, ...], as_json: bool, format_: str, only: str | None, timeout: float, verbose: bool,
    junit: Path | None, sarif: Path | None, summary: Path | None, certificates: Path | None, cache: Path | None,
    no_cache: bool, coq: bool, workers: int, cluster: str | None,
) -> None:  # fmt: skip
    """Prove or refute every theorem in FILES, or in and below folders; with no file, the theorems that are shipped.

    A theorem is PROVED for every number of classes it claims, REFUTED with an exact witness that was replayed
    through the learner, or UNDECIDED with the reason. Checking a FILE runs its Python: check only files you trust. It
    runs in a process of its own, and another one, which runs no file, decides.
    Certificates are kept between runs and replayed by the kernel when they are used again.
    In folders below a folder, a file whose code names no Theorem, StructuredTheorem, Lemma or Claim is left out.
    """
    from gaptron.checking.cache import default_path
    from gaptron.checking.course import Order
    from gaptron.checking.supervise import Supervisor
    from gaptron.theory.shipped import FileError, python_files, shipped_theorem_files

    if as_json and format_ not in ("text", "json"):
        fail(f"--json and --format {format_}: stdout can be one of them")
    refused = None
    try:
        numbered = dict(enumerate(python_files(files) or shipped_theorem_files()))
    except FileError as error:  # which the reports hold too
        numbered, refused = {}, str(error)
    require_cluster(cluster, refusing(as_json or format_ == "json"))
    if coq:
        from gaptron.coq.library import coqc

        try:
            coqc()
        except FileError as error:
            fail(error)
    kept = None if no_cache else cache or default_path()
    order = Order(numbered, only, timeout, workers, kept, certificates is not None, coq, cluster)
    supervisor = Supervisor(order, refused)
    from gaptron.commands.check import Wanted, run  # what shows is imported while the other process imports sympy

    run(supervisor, Wanted("json" if as_json else format_, verbose, junit, sarif, summary, certificates))


if __name__ == "__main__":
    main()
