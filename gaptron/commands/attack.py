"""``gaptron attack``: the stream that comes closest to a theorem's bound, or breaks it, verified exactly."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from gaptron.attack.attacked import Attacked, document, line, summary
from gaptron.attack.choice import Attackable, attackable, theorems
from gaptron.attack.replay import Replayed, replay
from gaptron.attack.search import NOTHING, Effort
from gaptron.attack.search import attack as search
from gaptron.attack.structured import attack_structured, attacked_sizes
from gaptron.attack.target import TargetError, target
from gaptron.attack.witness import SCHEMA, WitnessError
from gaptron.learners.arithmetic import Array
from gaptron.learners.best import LearningRateError
from gaptron.numbers.evaluate import enclosure
from gaptron.system.atomic import write_atomically
from gaptron.system.documents import Document
from gaptron.system.exits import fail, warn
from gaptron.system.options import POSITIVE, WORKERS, require_cluster
from gaptron.system.printable import printable
from gaptron.theory.files import FileError
from gaptron.theory.structured.theorem import StructuredTheorem

EXIT_CODES = """\b
Exit codes:
  0  --replay: every witness is what its file says, and none breaks its bound
  1  a bound is broken: the theorem is REFUTED
  2  usage or input error, or a witness that is not what its file says
  3  no stream found breaks a bound, which proves nothing: UNDECIDED
"""
CLASSES = (2, 3, 10)
ROUNDS, BANDIT_ROUNDS = 30, 100
REPLAY_SECONDS = 600.0
Setting = tuple[Attackable, int, int]  # a theorem at K and T
IN_ALL, SEARCHING = 60.0, 0.6  # without --seconds: for everything, and the share of it before what is found is verified


@click.command(epilog=EXIT_CODES)
@click.argument("theorem", required=False, metavar="[FILE|THEOREM]")
@click.option("--only", metavar="PATTERN", help="Of FILE, the theorems whose name contains PATTERN.")
@click.option(
    "--classes",
    type=click.IntRange(2, 1000),
    multiple=True,
    help="K, or the size of a structured theorem's outputs; may be given more than once.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 100_000),
    multiple=True,
    help="T, at most that many with full information; may be given more than once "
    f"[default: {ROUNDS}, with bandit feedback {BANDIT_ROUNDS}].",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the search.")
@click.option(
    "--generations",
    type=click.IntRange(min=0),
    default=30,
    show_default=True,
    help="Of the search, for every family of streams: with the same seed and generations it is the same search, "
    "with any number of workers.",
)
@click.option(
    "--seconds",
    type=POSITIVE,
    help="Begin no generation after so many seconds, for each K and T: cuts the search short, and what "
    "is found then depends on the machine. With --replay the limit for each witness.  [60 in all, 600 with --replay]",
)
@WORKERS
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Ask the workers of a dask cluster for streams first; how good they are is computed here, exactly.",
)
@click.option("--save", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write the witnesses.")
@click.option(
    "--replay",
    "witnesses",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Compute the witnesses of a saved FILE again, instead of searching.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the witnesses as one JSON document on stdout.")
def attack(
    theorem: str | None,
    only: str | None,
    classes: tuple[int, ...],
    rounds: tuple[int, ...],
    seed: int,
    generations: int,
    seconds: float | None,
    workers: int,
    cluster: str | None,
    save: Path | None,
    witnesses: Path | None,
    as_json: bool,
) -> None:
    """Search for the stream that comes closest to the bound of a theorem, or breaks it.

    The tightness ratio of a stream is (expected mistakes - loss of U)/regret, at the strongest comparator U that is
    found; above 1 it refutes the theorem. Streams of several families are searched for in doubles; the best are
    rounded to fractions, and both sides of the bound are computed exactly (in balls where roots, logarithms or
    bandit feedback need them). Of a structured theorem the ratio is (expected target - coefficient * loss of U)/regret,
    on independent outputs, where it is the same for every algorithm. THEOREM is a part of the name of a shipped
    theorem; a FILE's Python is run.
    """
    require_cluster(cluster, _nothing if as_json else None)
    try:
        given = theorems(theorem, only, replaying=witnesses is not None)
        if witnesses is not None:
            _show_replayed(list(replay(witnesses, given, seconds or REPLAY_SECONDS)), as_json)
        settings = list(_settings(attackable(given), classes, rounds))
        _attack(settings, Effort(seed, generations, workers), seconds, cluster, save, as_json)
    except (FileError, TargetError, WitnessError, LearningRateError) as error:
        fail(error, document=_nothing(str(error)) if as_json else None)


def _nothing(error: str) -> str:
    return json.dumps({"schema": SCHEMA, "attacks": [], "error": error}, indent=1)


# --- search -------------------------------------------------------------------------------------------------------


def _attack(
    settings: Sequence[Setting],
    effort: Effort,
    seconds: float | None,
    cluster: str | None,
    save: Path | None,
    as_json: bool,
) -> None:
    """Search, show, save, and exit."""
    known = _known(settings, effort, seconds, cluster)
    found, start, cut = [], time.monotonic(), False
    with _progress(len(settings)) as show:
        for number, (one, n_classes, horizon) in enumerate(settings):
            size = one.size if isinstance(one, StructuredTheorem) else f"T = {horizon}, K"
            setting = f"{one.name}: {size} = {n_classes}"
            show(number, setting)
            left = (start + IN_ALL - time.monotonic()) * SEARCHING / (len(settings) - number)
            deadline = time.monotonic() + (left if seconds is None else seconds)
            best = _searched(one, n_classes, horizon, effort, deadline, known.get(number, NOTHING))
            cut = cut or (seconds is None and time.monotonic() > deadline)
            if best is None:
                warn(f"{setting}: no stream was verified (open in balls, or no U gains)")
                continue
            found.append(best)
            if not as_json:
                click.echo(line(found[-1]))
    if cut:
        warn(f"the search was cut short to end in about {IN_ALL:g} s: --seconds allows more for each K and T")
    text = document(found)
    if save is not None:
        _save(save, text)
    if as_json:
        click.echo(text)
    else:
        click.echo(summary(found))
    sys.exit(1 if any(one.refuted for one in found) else 3)


def _settings(chosen: Sequence[Attackable], classes: Sequence[int], rounds: Sequence[int]) -> Iterator[Setting]:
    """Every theorem at every K it claims and every T."""
    for theorem in chosen:
        if isinstance(theorem, StructuredTheorem):
            sizes = attacked_sizes(theorem, classes)
            if not sizes or len(sizes) < len(classes):
                raise FileError(f'theorem "{theorem.name}": not every size asked for is claimed and has few outputs')
            yield from ((theorem, size, 0) for size in sizes)
            continue
        claimed = [K for K in classes or CLASSES if theorem.claims(K)]
        if classes and len(claimed) < len(classes):
            raise FileError(f'theorem "{theorem.name}" is not claimed for every K of {list(classes)}')
        for n_classes in claimed or [theorem.first_class_count]:
            for horizon in rounds or [BANDIT_ROUNDS if theorem.feedback == "bandit" else ROUNDS]:
                yield theorem, n_classes, horizon


def _known(
    settings: Sequence[Setting], effort: Effort, seconds: float | None, cluster: str | None
) -> dict[int, Mapping[int, Array]]:
    """What the workers of a cluster have found, by the number of the setting; structured theorems are not divided."""
    if cluster is None:
        return {}
    from gaptron.attack.cluster import evolved_there

    targets = {n: target(one, K, T) for n, (one, K, T) in enumerate(settings) if not isinstance(one, StructuredTheorem)}
    each = IN_ALL * SEARCHING / max(1, len(settings)) if seconds is None else seconds
    return dict(zip(targets, evolved_there(list(targets.values()), effort, each, cluster), strict=True))


def _searched(
    one: Attackable, n_classes: int, horizon: int, effort: Effort, deadline: float, known: Mapping[int, Array]
) -> Attacked | None:
    """The best stream that could be verified."""
    if isinstance(one, StructuredTheorem):
        found = attack_structured(one, n_classes, deadline)
        return None if found is None else Attacked(one, n_classes, found.stream.rounds, found)
    best = search(target(one, n_classes, horizon), effort, deadline, known)
    return None if best is None else Attacked(one, n_classes, horizon, best)


@contextmanager
def _progress(settings: int) -> Iterator[Callable[[int, str], None]]:
    """What is attacked, and for how long, on stderr if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("attack", total=settings)
        yield lambda done, what: bar.update(task, completed=done, description=printable(what))


def _save(file: Path, text: str) -> None:
    try:
        write_atomically(file, text + "\n")
    except OSError as error:
        fail(f"{file}: cannot be written: {error.strerror}")


# --- replay -------------------------------------------------------------------------------------------------------


def _show_replayed(found: Sequence[Replayed], as_json: bool) -> None:
    """What was confirmed, and exit."""
    if as_json:
        click.echo(json.dumps({"schema": SCHEMA, "attacks": [_replayed_data(one) for one in found]}, indent=1))
    for one in [] if as_json else found:
        verdict = "REFUTED  " if one.refutes else "CONFIRMED"
        where = f"{printable(one.theorem)}: K = {one.data['K']}, T = {one.data['T']}"
        click.echo(f"{verdict} {where}: ratio {float(enclosure(one.sides.ratio)[0]):.6f}")
    sys.exit(1 if any(one.refutes for one in found) else 0)


def _replayed_data(one: Replayed) -> Document:
    kept: Document = {name: one.data[name] for name in ("theorem", "K", "T", "D", "ratio")}
    return kept | {"verdict": "REFUTED" if one.refutes else "CONFIRMED"}
