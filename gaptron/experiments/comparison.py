"""``compare``: every learner on many streams, at the theory's parameters and at tuned ones."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import product
from pathlib import Path

from gaptron.experiments.contenders import CONTENDERS
from gaptron.experiments.jobs import Job, Result, Results, digest, result_from, run_job, run_there
from gaptron.experiments.named_streams import ALL, doubt, opened
from gaptron.experiments.parallel import run_all
from gaptron.experiments.summary import best, entries, figure, sweeps, table
from gaptron.system.atomic import write_atomically
from gaptron.system.exits import warn
from gaptron.system.extras import MissingExtraError
from gaptron.system.progress import Progress


def compared(
    streams: Sequence[str], learners: Sequence[str], out: Path, shown: Progress, *, label_column: str | None,
    rounds: int, seeds: int, explorations: Sequence[float], workers: int, cluster: str | None = None,
) -> str:  # fmt: skip
    """Run what the folder ``out`` does not have yet; its summary, figure and results are written, the summary returned.

    Every result is kept as soon as it is there: after an interrupt the same call goes on where it stopped.

    Raises
    ------
    StreamError
        If a stream cannot be read, or a result that is kept is none.
    OSError
        If the folder cannot be written.
    """
    digests = {name: _tried(name, label_column) for name in streams}
    jobs = list(_jobs(digests, label_column, learners, rounds, seeds, explorations))
    out.mkdir(parents=True, exist_ok=True)
    results = Results(out / "results.jsonl")
    run_missing([job for job in jobs if job not in results.found], results, workers, cluster, shown)
    return _written(out, streams, [results.found[job] for job in jobs])


def _tried(name: str, label_column: str | None) -> str | None:
    """The digest of a stream's file, once it has been read; None of a stream that has a name."""
    column = None if name in ALL else label_column
    doubt(opened(name, 1000 if name in ALL else None, label_column=column), column)
    return digest(name)


def _jobs(
    streams: Mapping[str, str | None], label_column: str | None, learners: Sequence[str], rounds: int, seeds: int,
    explorations: Sequence[float],
) -> Iterator[Job]:  # fmt: skip
    for (stream, content), learner, seed in product(streams.items(), learners, range(seeds)):
        column = None if content is None else label_column
        contender = CONTENDERS[learner]
        rates: Sequence[float | None] = [None, *explorations] if contender.explores else [None]
        for exploration, scale in product(rates, contender.scales):
            yield Job(stream, rounds, learner, exploration, scale, seed, content, column)


def run_missing(jobs: Sequence[Job], results: Results, workers: int, cluster: str | None, shown: Progress) -> None:
    """Run the jobs, on a cluster first if there is one, and keep each result as it arrives."""
    shown.at(0, len(jobs))

    def arrived(result: Result) -> None:
        results.add(result)
        shown.advance()

    for result in run_there(jobs, cluster) if cluster is not None else ():
        arrived(result)
    left = [job for job in jobs if job not in results.found]
    run_all(lambda number: asdict(run_job(left[number])), len(left), workers, lambda found: arrived(result_from(found)))


def _written(out: Path, streams: Sequence[str], found: Sequence[Result]) -> str:
    """The summary, which is in summary.md too, beside the figure."""
    everything = entries(found)
    chosen = best(everything)
    summary = table(chosen)
    write_atomically(out / "summary.md", summary + "\n")
    try:
        figure(streams, sweeps(everything), chosen, out / "figure.svg")
    except MissingExtraError as error:
        warn(error)
    return summary
