"""A learner on a stream with several seeds, in parallel, or read in pieces: its error rate over rounds."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from gaptron.experiments.contenders import exploration_of
from gaptron.experiments.curves import error_rates, log_points, mean
from gaptron.experiments.parallel import run_all
from gaptron.learners import compiled as fast
from gaptron.learners.learner import Learner
from gaptron.learners.record import Run
from gaptron.streams import Chunks, Stream
from gaptron.system.child import Message
from gaptron.system.documents import Document
from gaptron.system.printable import printable

Build = Callable[[Stream, int], Learner]
Show = Callable[[int, int], None]


@dataclass(frozen=True)
class Seeded:
    """One run: its seed, mistakes, expected mistakes, and error rates after ``points`` rounds."""

    seed: int
    mistakes: int
    expected_mistakes: float
    points: list[int]
    errors: list[float]


def about(stream: Stream | Chunks, learner: str) -> Document:
    """What every report on a learner of this name begins with."""
    return {
        "schema": 1,
        "data": stream.name,
        "rounds": stream.n_rounds,
        "classes": stream.n_classes,
        "features": stream.n_features,
        "feature_norm": stream.feature_norm,
        "learner": learner,
    }


def about_text(report: Document) -> str:
    """The data of a report, for people."""
    sizes = f"{report['rounds']} rounds, {report['classes']} classes, {report['features']} features"
    return f"{printable(report['data'])}: {sizes}, X = {report['feature_norm']:.6g}"


def seeds_report(
    stream: Stream | Chunks, name: str, learner: Learner, found: Sequence[Seeded], seconds: float
) -> tuple[Document, str]:
    """The report on runs of a learner like ``learner``, and for people; the error rate has a 95 % confidence interval.

    ``exploration`` is None if it adapts to the stream.
    """
    rate, gamma = mean([run.errors[-1] for run in found]), exploration_of(learner)
    report = about(stream, name) | {
        "feedback": learner.feedback,
        "exploration": gamma,
        "runs": [{"seed": r.seed, "mistakes": r.mistakes, "expected_mistakes": r.expected_mistakes} for r in found],
        "error_rate": asdict(rate),
        "seconds": round(seconds, 3),
    }
    explores, seeds = "adaptive" if gamma is None else f"{gamma:.6g}", ", ".join(str(run.seed) for run in found)
    return report, "\n".join([
        f"data        {about_text(report)}",
        f"learner     {name}, {learner.feedback} feedback, gamma = {explores}, seeds {seeds}",
        f"mistakes    {', '.join(str(run.mistakes) for run in found)}",
        f"error rate  {rate}",
    ])  # fmt: skip


def seeded(seed: int, done: Run) -> Seeded:
    """What is kept of a run."""
    points = log_points(len(done.wrong))
    return Seeded(seed, done.mistakes, float(done.expected_mistakes), points, error_rates(done.wrong, points))


def run_pieces(learner: Learner, source: Chunks, seed: int, show: Show) -> Seeded:
    """One run on a stream that is read in pieces: memory does not grow with it."""
    points, errors = log_points(source.n_rounds), list[float]()
    done = mistakes = 0
    expected, compiled = 0.0, fast.chosen(learner, source.n_rounds)
    for X, y in source:
        part = learner.run(X, y, compiled=compiled)
        counted = mistakes + np.cumsum(part.wrong)
        errors += [float(counted[n - done - 1]) / n for n in points if done < n <= done + len(y)]
        done, mistakes, expected = done + len(y), mistakes + part.mistakes, expected + float(part.expected_mistakes)
        show(done, mistakes)
    return Seeded(seed, mistakes, expected, points, errors)


def run_seeds(build: Build, stream: Stream, seeds: Sequence[int], workers: int, show: Show) -> list[Seeded]:
    """One run a seed, several at a time; ``show(rounds, mistakes)``, of all so far, is called as runs finish."""
    mistakes: list[int] = []

    def run(number: int) -> Message:
        return asdict(seeded(seeds[number], build(stream, seeds[number]).run(stream.X, stream.y)))

    def arrived(done: Message) -> None:
        mistakes.append(done["mistakes"])
        show(len(mistakes) * stream.n_rounds, sum(mistakes))

    return [Seeded(**done) for done in run_all(run, len(seeds), workers, arrived)]


def as_csv(found: Sequence[Seeded]) -> str:
    """seed, rounds, error_rate: a row for every seed and point."""
    rows = (f"{run.seed},{n},{rate!r}\n" for run in found for n, rate in zip(run.points, run.errors, strict=True))
    return "".join(["seed,rounds,error_rate\n", *rows])


def plot(found: Sequence[Seeded], title: str, file: Path) -> None:
    """The mean error rate over rounds, with the range of the seeds, into an svg, png or pdf ``file``."""
    from gaptron.system.drawing import saved, subplots

    drawing, ((axis,),) = subplots(1, 1)
    rates = np.array([run.errors for run in found])
    axis.plot(found[0].points, rates.mean(axis=0), color="C0", label="mean")
    if len(found) > 1:
        axis.fill_between(found[0].points, rates.min(axis=0), rates.max(axis=0), color="C0", alpha=0.25, lw=0)
    axis.set(xscale="log", xlabel="rounds", ylabel="error rate so far", title=title, ylim=(0, None))
    axis.grid(alpha=0.3)
    saved(drawing, file)
