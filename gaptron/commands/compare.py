"""``gaptron compare``: every learner on many streams, at the theory's parameters and at tuned ones."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import product
from pathlib import Path

import click

from gaptron.experiments.contenders import CONTENDERS, LINEAR
from gaptron.experiments.data import ALL, doubt, opened
from gaptron.experiments.jobs import Job, Result, Results, digest, result_from, run_job, run_there
from gaptron.experiments.parallel import run_all
from gaptron.experiments.summary import best, entries, lines, sweeps, table
from gaptron.streams import StreamError
from gaptron.system.atomic import write_atomically
from gaptron.system.exits import INTERRUPTED, fail, warn
from gaptron.system.extras import MissingExtraError
from gaptron.system.options import CLUSTER, COUNT, WORKERS, require_cluster

STREAMS = ("synsep", "synnonsep", "digits", "image-segments")
EXPLORATIONS = (0.003, 0.01, 0.03, 0.1, 0.3)
EXIT_CODES = """\b
Exit codes:
  0    everything was run
  2    usage or input error
  130  interrupted; the same command goes on where it stopped
"""


def _names(allowed: Sequence[str]) -> Callable[[click.Context, click.Parameter, str], tuple[str, ...]]:
    """The reader of an option: names out of ``allowed``, separated by commas."""

    def read(ctx: click.Context, option: click.Parameter, value: str | None) -> tuple[str, ...]:
        names = () if value is None else tuple(dict.fromkeys(value.split(",")))
        for name in names:
            if name not in allowed:
                raise click.BadParameter(f"{name!r} is not one of {', '.join(allowed)}", ctx, option)
        return names

    return read


def _rates(ctx: click.Context, option: click.Parameter, value: str) -> tuple[float, ...]:
    """Numbers in (0, 1], separated by commas."""
    try:
        rates = sorted({float(part) for part in value.split(",")})
    except ValueError as error:
        raise click.BadParameter(f"{value!r} is not a list of numbers separated by commas", ctx, option) from error
    for rate in rates:
        if not 0 < rate <= 1:
            raise click.BadParameter(f"{rate!r} is not in (0, 1]", ctx, option)
    return tuple(rates)


@click.command(epilog=EXIT_CODES)
@click.argument("data", nargs=-1)
@click.option("--streams", callback=_names(ALL), metavar="NAMES", help="Streams by name, separated by commas; "
              f"besides DATA.  [{','.join(STREAMS)} if there is no DATA]")  # fmt: skip
@click.option("--label-column", metavar="NAME|INDEX", help="As of gaptron run, in all CSV and TSV files of DATA.")
@click.option("--learners", callback=_names(tuple(CONTENDERS)), metavar="NAMES", default=",".join(LINEAR),
              show_default=True, help="The learners, separated by commas.")  # fmt: skip
@click.option("--rounds", type=COUNT, default=10_000, show_default=True,
              help="Rounds of each stream; shorter real data is run whole.")  # fmt: skip
@click.option("--seeds", type=COUNT, default=3, show_default=True, help="Runs of each setting.")
@click.option("--explorations", callback=_rates, metavar="NUMBERS", default=",".join(map(str, EXPLORATIONS)),
              show_default=True, help="The exploration rates to try beside the theory's.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("comparison"), show_default=True,
              help="The folder for results.jsonl, summary.md and figure.svg.")  # fmt: skip
@WORKERS
@CLUSTER
def compare(data: tuple[str, ...], streams: tuple[str, ...], label_column: str | None, learners: tuple[str, ...],
            rounds: int, seeds: int, explorations: tuple[float, ...], out: Path, workers: int,
            cluster: str | None) -> None:  # fmt: skip
    """Compare learners on DATA: error against the exploration rate, and against rounds.

    DATA are files, or streams by name, as gaptron run reads them. proximal-logistic is the best that is proved here.

    This is Figure 2 of Beygelzimer, Orabona, Zhang 2017 with Gaptron's variants added. Every learner is run at the
    parameters of its theory, and at every exploration rate and multiple of its learning rate that is tried; "tuned" is
    the setting with the least mean error in hindsight, as in that figure. Every finished run is kept in
    OUT/results.jsonl: an interrupted comparison goes on where it stopped, and the same command repeats nothing.
    What the workers of a cluster measured is believed, as there is no proof of it.
    """
    require_cluster(cluster)
    try:
        streams = tuple(dict.fromkeys((*data, *streams))) or STREAMS
        digests = {name: _tried(name, label_column) for name in streams}
        jobs = list(_jobs(digests, label_column, learners, rounds, seeds, explorations))
        out.mkdir(parents=True, exist_ok=True)
        results = Results(out / "results.jsonl")
        _run_all([job for job in jobs if job not in results.found], results, workers, cluster)
        _write(out, streams, [results.found[job] for job in jobs])
    except (StreamError, OSError) as error:
        fail(" ".join(str(error).split()))
    except KeyboardInterrupt:
        fail("interrupted; the same command goes on where it stopped", INTERRUPTED)


def _tried(name: str, label_column: str | None) -> str | None:
    """The digest of a stream's file, once it has been read; None of a stream that has a name."""
    column = None if name in ALL else label_column
    if (said := doubt(opened(name, 1000 if name in ALL else None, label_column=column), column)) is not None:
        warn(said)
    return digest(name)


def _jobs(
    streams: Mapping[str, str | None],
    label_column: str | None,
    learners: Sequence[str],
    rounds: int,
    seeds: int,
    explorations: Sequence[float],
) -> Iterator[Job]:
    for (stream, content), learner, seed in product(streams.items(), learners, range(seeds)):
        column = None if content is None else label_column
        contender = CONTENDERS[learner]
        rates: Sequence[float | None] = [None, *explorations] if contender.explores else [None]
        for exploration, scale in product(rates, contender.scales):
            yield Job(stream, rounds, learner, exploration, scale, seed, content, column)


def _run_all(jobs: Sequence[Job], results: Results, workers: int, cluster: str | None) -> None:
    """Run the jobs, on a cluster first if there is one, and keep each result as it arrives."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("runs", total=len(jobs))

        def arrived(result: Result) -> None:
            results.add(result)
            progress.advance(task)

        for result in run_there(jobs, cluster) if cluster is not None else ():
            arrived(result)
        left = [job for job in jobs if job not in results.found]
        run_all(
            lambda number: asdict(run_job(left[number])), len(left), workers, lambda found: arrived(result_from(found))
        )


def _write(out: Path, streams: Sequence[str], found: Sequence[Result]) -> None:
    """The summary on stdout and in summary.md, and the figure."""
    from gaptron.experiments.figure import figure

    everything = entries(found)
    chosen = best(everything)
    summary = table(chosen)
    write_atomically(out / "summary.md", summary + "\n")
    try:
        figure(streams, sweeps(everything), lines(chosen), out / "figure.svg")
    except MissingExtraError as error:
        warn(error)
    click.echo(summary)
