"""A learner on a stream with several seeds, in parallel, or read in pieces: its error rate over rounds."""

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from gaptron.experiments.contenders import exploration_of
from gaptron.experiments.curves import Mean, error_rates, log_points, mean
from gaptron.experiments.parallel import run_all
from gaptron.learners import compiled as fast
from gaptron.learners.learner import Learner
from gaptron.learners.record import Run
from gaptron.streams import Chunks, Stream
from gaptron.system.child import Message
from gaptron.system.printable import printable

Build = Callable[[Stream, int], Learner]


@dataclass(frozen=True)
class Seeded:
    """One run: its seed, mistakes, expected mistakes, and error rates after ``points`` rounds."""

    seed: int
    mistakes: int
    expected_mistakes: float
    points: list[int]
    errors: list[float]


@dataclass(frozen=True)
class SeedsReport:
    """What is said of a learner over several seeds; ``error_rate`` has a 95 % confidence interval.

    ``exploration`` is None if it adapts to the stream.
    """

    schema: int
    data: str
    rounds: int
    classes: int
    features: int
    feature_norm: float
    learner: str
    feedback: str
    exploration: float | None
    runs: list[dict[str, float]]
    error_rate: Mean
    seconds: float

    @classmethod
    def of(
        cls, stream: Stream | Chunks, name: str, learner: Learner, found: Sequence[Seeded], seconds: float
    ) -> "SeedsReport":
        """The report on runs of a learner like ``learner``."""
        runs = [{"seed": r.seed, "mistakes": r.mistakes, "expected_mistakes": r.expected_mistakes} for r in found]
        rate = mean([run.errors[-1] for run in found])
        return cls(
            1, stream.name, stream.n_rounds, stream.n_classes, stream.n_features, stream.feature_norm, name,
            learner.feedback, exploration_of(learner), runs, rate, round(seconds, 3),
        )  # fmt: skip

    @property
    def text(self) -> str:
        """The report for people."""
        gamma = "adaptive" if self.exploration is None else f"{self.exploration:.6g}"
        seeds = ", ".join(str(run["seed"]) for run in self.runs)
        return "\n".join([
            f"data        {printable(self.data)}: {self.rounds} rounds, {self.classes} classes, "
            f"{self.features} features, X = {self.feature_norm:.6g}",
            f"learner     {self.learner}, {self.feedback} feedback, gamma = {gamma}, seeds {seeds}",
            f"mistakes    {', '.join(str(run['mistakes']) for run in self.runs)}",
            f"error rate  {self.error_rate}",
        ])  # fmt: skip


def seeded(seed: int, done: Run) -> Seeded:
    """What is kept of a run."""
    points = log_points(len(done.wrong))
    return Seeded(seed, done.mistakes, float(done.expected_mistakes), points, error_rates(done.wrong, points))


def run_pieces(learner: Learner, source: Chunks, seed: int, show: Callable[[int, int], None]) -> Seeded:
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


def run_seeds(
    build: Build, stream: Stream, seeds: Sequence[int], workers: int, arrived: Callable[[int, int], None]
) -> list[Seeded]:
    """One run a seed, several at a time; ``arrived(rounds, mistakes)`` is called as runs finish."""

    def run(number: int) -> Message:
        return asdict(seeded(seeds[number], build(stream, seeds[number]).run(stream.X, stream.y)))

    found = run_all(run, len(seeds), workers, lambda done: arrived(stream.n_rounds, done["mistakes"]))
    return [Seeded(**done) for done in found]


def as_csv(found: Sequence[Seeded]) -> str:
    """seed, rounds, error_rate: a row for every seed and point."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["seed", "rounds", "error_rate"])
    rows.writerows([run.seed, n, repr(rate)] for run in found for n, rate in zip(run.points, run.errors, strict=True))
    return out.getvalue()


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
