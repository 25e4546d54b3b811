"""``gaptron sharpen``: the largest learning rates that a loss allows, certified from both sides."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from gaptron.system.deadline import CLAIM_SECONDS
from gaptron.system.exits import INTERRUPTED, fail, warn
from gaptron.system.options import CLUSTER, POSITIVE, WORKERS, require_cluster

if TYPE_CHECKING:
    from gaptron.sharpen.engine import Engine
    from gaptron.sharpen.report import Result
    from gaptron.sharpen.sharpen import Finding
    from gaptron.theory.files import Statement
    from gaptron.theory.structured.theorem import StructuredTheorem

EXIT_CODES = """\b
Exit codes:
  0  everything asked for is certified: lo and hi, or that no learning rate > 0 works
  2  usage or input error
  3  something is UNDECIDED, with the reason
"""
MOST_CLASSES = 1000
Refuse = Callable[[object], NoReturn]


@click.command(epilog=EXIT_CODES)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--classes", default="2-8", show_default=True, metavar="K, K-K or a list", help="The numbers of classes.")
@click.option("--only", metavar="NAME", help="Sharpen the theorem of this name alone.")
@click.option(
    "--timeout",
    type=POSITIVE,
    default=CLAIM_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Limit for each claim; a timeout leaves UNDECIDED, it is never a verdict.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout and nothing else.")
@click.option("--no-cache", is_flag=True, help="Search every proof again, and keep none.")
@WORKERS
@CLUSTER
@click.option(
    "--write",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.py",
    help="Write what is proved for every K or size as a theorem file, for gaptron check and the learners.",
)
def sharpen(
    file: Path,
    classes: str,
    only: str | None,
    timeout: float,
    as_json: bool,
    no_cache: bool,
    workers: int,
    cluster: str | None,
    write: Path | None,
) -> None:
    """Find the largest learning rates for the losses in FILE, and the smallest regret constants.

    For the given gap map, over all gap maps, and over all randomized predictions: each time a rate that is proved and
    one, larger by less than a millionth, that an exact round refutes; a closed form in K where one is found and proved.
    Over all algorithms, the constant that proximal updates attain, and a stream on which nobody has a smaller one; with
    bandit feedback for two labels, and with more it is said that nothing is proved.
    A learning_rate= or regret= in FILE is ignored. A parameter of the loss is chosen for the given
    gap map, and it is said whether that choice is proved to be the best. Sharpening a FILE runs its
    Python: do so only with files you trust.
    """
    from gaptron.sharpen import report

    def refuse(message: object) -> NoReturn:
        fail(message, document=report.error_as_json(str(message)) if as_json else None)

    require_cluster(cluster, report.error_as_json if as_json else None)
    counts, results = class_counts(classes, refuse), list[report.Result]()
    statements = _theorems(file, only, refuse)
    try:
        with _engine(timeout, no_cache, workers, cluster) as engine:
            for statement in statements:
                _sharpen(statement, counts, engine, results, refuse)
        code = 0 if all(result.certified for result in results) else 3
    except KeyboardInterrupt:
        warn("interrupted: what follows is what was certified so far")
        for result in results:
            if isinstance(result, report.Sharpened):
                for answer in result.answers:
                    answer.stop()
        code = INTERRUPTED
    if write is not None:
        _write(write, results, refuse)
    if as_json:
        click.echo(report.as_json(results))
    else:
        from gaptron.ledger.report import PlainConsole

        report.show(PlainConsole(highlight=False), results)
    sys.exit(code)


def _write(file: Path, results: "list[Result]", refuse: Refuse) -> None:
    """The theorem file; said, and not written, if there is nothing to write."""
    from gaptron.sharpen.write import as_theorem_file
    from gaptron.system.atomic import write_atomically

    text = as_theorem_file(results)
    if text is None:
        warn(f"{file}: not written, as no learning rate was proved for every K or size")
        return
    try:
        write_atomically(file, text)
    except OSError as error:
        refuse(f"{file}: cannot be written: {error.strerror}")


def class_counts(text: str, refuse: Refuse) -> list[int]:
    """ "3", "2-8" or "2-4,10" as numbers of classes, in increasing order."""
    found: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"(\d{1,4})(?:-(\d{1,4}))?", part, re.ASCII)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 2 <= first <= last <= MOST_CLASSES:
            refuse(
                f"--classes {text}: a number from 2 to {MOST_CLASSES}, or two as in 2-8, or a list of them, is needed"
            )
        found |= set(range(first, last + 1))
    return sorted(found)


def _theorems(file: Path, only: str | None, refuse: Refuse) -> "list[Statement]":
    """The theorems to sharpen; refused if there is none."""
    from gaptron.theory.files import FileError, load
    from gaptron.theory.theorem import Lemma

    try:
        found = [statement for statement in load(file) if not isinstance(statement.item, Lemma)]
    except FileError as error:
        refuse(error)
    found = [statement for statement in found if only in (None, statement.item.name)]
    if not found:
        refuse(f"{file}: holds no theorem{f' named {only!r}' if only else ''} (a Lemma has no learning rate)")
    return found


def _sharpen(
    statement: "Statement", counts: "list[int]", engine: "Engine", results: "list[Result]", refuse: Refuse
) -> None:
    """One theorem; its answers are among the results from the start, and filled in as they come."""
    from gaptron.sharpen.parameter import choose, is_best
    from gaptron.sharpen.report import Sharpened
    from gaptron.sharpen.sharpen import sharpen as sharpen_theorem
    from gaptron.theory.expressions import TheoremError
    from gaptron.theory.structured.theorem import StructuredTheorem
    from gaptron.theory.theorem import Theorem

    theorem = statement.item
    if isinstance(theorem, StructuredTheorem):
        _sharpen_structured(statement, theorem, counts, engine, results, refuse)
        return
    assert isinstance(theorem, Theorem)  # noqa: S101
    if not any(theorem.claims(n) for n in counts):
        refuse(f"{statement.file}:{theorem.line}: {theorem.name!r} is not claimed for K in {counts[0]}-{counts[-1]}")
    try:
        chosen = choose(theorem)
    except TheoremError as error:
        refuse(f"{statement.file}:{theorem.line}: {error}")
    answers: list[Finding] = []
    result = Sharpened(statement.file, theorem, {str(k): v for k, v in chosen.items()}, answers)
    results.append(result)
    sharpen_theorem(theorem.at(chosen) if chosen else theorem, counts, engine, answers)
    result.best_chosen = bool(chosen) and is_best(theorem, chosen, answers[0], engine)


def _sharpen_structured(
    statement: "Statement",
    theorem: "StructuredTheorem",
    counts: "list[int]",
    engine: "Engine",
    results: "list[Result]",
    refuse: Refuse,
) -> None:
    """The same for a structured theorem, whose only size, if it has one, is asked for."""
    from gaptron.sharpen.structured import SharpenedStructured, sharpen_structured

    sizes = [theorem.first_size] if theorem.first_size == theorem.last_size else counts
    where = f"{statement.file}:{theorem.line}: {theorem.name!r}"
    if not any(map(theorem.claims, sizes)):
        refuse(f"{where} is not claimed for {theorem.size} in {counts[0]}-{counts[-1]}")
    if theorem.parameters:
        refuse(f"{where} has parameters of its own: sharpen needs numbers")
    result = SharpenedStructured(statement.file, theorem)
    results.append(result)
    sharpen_structured(theorem, sizes, engine, result.parts)


@contextmanager
def _engine(timeout: float, no_cache: bool, workers: int, cluster: str | None) -> "Iterator[Engine]":
    """The engine, with a progress bar on stderr if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from gaptron.checking.cache import Cache, default_path
    from gaptron.sharpen.engine import Engine

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal, auto_refresh=False)
    with bar, closing(Cache(None if no_cache else default_path(), warn)) as cache:
        task = bar.add_task("obligations", total=0)

        def begin(more: int) -> None:
            bar.update(task, total=(bar.tasks[0].total or 0) + more, refresh=True)

        report = partial(bar.update, task, advance=1, refresh=True)
        yield Engine(timeout, workers, cache, begin, report, cluster)
