"""``gaptron sharpen``: the largest learning rates that a loss allows, certified from both sides."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from gaptron.system.exits import refusing, warn, writing
from gaptron.system.interrupts import code_for
from gaptron.system.options import CLUSTER, FILE, JSON, NO_CACHE, PATH, TIMEOUT, WORKERS, require_cluster

if TYPE_CHECKING:
    from gaptron.constants.report import Result

EXIT_CODES = """\b
Exit codes:
  0  everything asked for is certified: lo and hi, or that no learning rate > 0 works
  2  usage or input error
  3  something is UNDECIDED, with the reason
  130, 143  interrupted: what was certified until then is said
"""
Refuse = Callable[..., NoReturn]


@click.command(epilog=EXIT_CODES)
@click.argument("file", type=PATH)
@click.option("--classes", default="2-8", show_default=True, metavar="K, K-K or a list", help="The numbers of classes.")
@click.option("--only", metavar="NAME", help="Sharpen the theorem of this name alone.")
@TIMEOUT
@JSON
@NO_CACHE
@WORKERS
@CLUSTER
@click.option("--write", type=FILE, metavar="FILE.py", help="Write what is proved for every K or size as a theorem "
              "file, for gaptron check and the learners.")  # fmt: skip
def sharpen(
    file: Path, classes: str, only: str | None, timeout: float, as_json: bool, no_cache: bool, workers: int,
    cluster: str | None, write: Path | None,
) -> None:  # fmt: skip
    """Find the largest learning rates for the losses in FILE, and the smallest regret constants.

    For the given gap map, over all gap maps, and over all randomized predictions: each time a rate that is proved and
    one that an exact round refutes, larger by less than a millionth, or by a thousandth where a proof is hard to find;
    a closed form in K where one is found and proved.
    Over all algorithms, the constant that proximal updates attain, and a stream on which nobody has a smaller one; with
    bandit feedback for two labels, and with more it is said that nothing is proved.
    A learning_rate= or regret= in FILE is ignored. A parameter of the loss is chosen for the given
    gap map, and it is said whether that choice is proved to be the best. Sharpening a FILE runs its
    Python: do so only with files you trust.
    """
    from gaptron.answers.sharpening import class_counts, engine, sharpenable, sharpened
    from gaptron.checking.cache import default_path
    from gaptron.constants import report
    from gaptron.system.progress import progress
    from gaptron.theory.files import FileError

    refuse = refusing(as_json, theorems=[])
    require_cluster(cluster, refuse)
    results: list[report.Result] = []
    try:
        counts = class_counts(classes)
    except ValueError as error:
        refuse(f"--classes {classes}: {error}")
    cache = None if no_cache else default_path()
    try:
        statements = sharpenable(file, only)
        with progress("obligations") as shown, engine(timeout, cache, workers, shown, cluster) as deciding:
            interrupt = sharpened(statements, counts, deciding, results, shown)
    except FileError as error:
        refuse(error)
    code = 0 if all(result.certified for result in results) else 3
    if interrupt is not None:
        code = code_for(interrupt)
        warn("interrupted: what follows is what was certified so far")
    if write is not None:
        _write(write, results, refuse)
    if as_json:
        click.echo(report.as_json(results))
    else:
        from gaptron.reports.check_report import PlainConsole

        report.show(PlainConsole(highlight=False), results)
    sys.exit(code)


def _write(file: Path, results: "list[Result]", refuse: Refuse) -> None:
    """The theorem file; said, and not written, if there is nothing to write."""
    from gaptron.constants.write import as_theorem_file
    from gaptron.system.atomic import write_atomically

    text = as_theorem_file(results)
    if text is None:
        warn(f"{file}: not written, as no learning rate was proved for every K or size")
        return
    with writing(file, refuse):
        write_atomically(file, text)
