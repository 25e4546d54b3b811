"""``gaptron run``: Gaptron on a stream, its mistakes beside the theorem's bound."""

import json
import math
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NoReturn

import click
import numpy as np

from gaptron.comparator import Comparator, HindsightLoss, best_comparator
from gaptron.learners import Gaptron
from gaptron.learners.rounds import Run
from gaptron.learners.surrogates import MULTICLASS, named_theorem
from gaptron.streams import NAMES, Stream, StreamError, bundled, read

CHUNK = 200
THEOREMS = {"logistic": "Theorem 1", "hinge": "Theorem 2", "smooth hinge": "Theorem 3"}
PAPER = "van der Hoeven 2020"
INTERRUPTED = 130
ROUNDING = 1e-6
EXIT_CODES = """\b
Exit codes:
  0  the stream was run
  2  usage or input error
"""


@dataclass(frozen=True)
class Report:
    """What is said of a run; ``bound`` is None if no theorem covers the learning rate."""

    schema: int
    data: str
    rounds: int
    classes: int
    features: int
    feature_norm: float
    loss: str
    feedback: str
    learning_rate: float
    exploration: float
    radius: float | None
    seed: int
    mistakes: int
    expected_mistakes: float
    comparator: Comparator
    bound: float | None
    theorem: str | None
    seconds: float


@click.command(epilog=EXIT_CODES)
@click.argument("data", required=False)
@click.option("--loss", type=click.Choice([name.replace(" ", "-") for name in MULTICLASS]), default="smooth-hinge",
              show_default=True, help="The surrogate loss.")  # fmt: skip
@click.option("--feedback", type=click.Choice(["full", "bandit"]), default="full", show_default=True,
              help="Whether the learner sees the label, or only whether it was right.")  # fmt: skip
@click.option("--learning-rate", type=float, help="eta as used in the step; the theorem's by default.")
@click.option("--exploration", type=float, help="The exploration rate gamma; 0, or the best for bandit feedback.")
@click.option("--radius", type=float, help="Project on ||W|| <= RADIUS; with bandit feedback 1/X by default.")
@click.option("--label-column", metavar="NAME|INDEX", help="The label's column in CSV and TSV files, from 0.  [last]")
@click.option("--bias/--no-bias", default=False, show_default=True, help="Append a constant feature 1.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Where the draws come from.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout and nothing else.")
def run(data: str | None, loss: str, feedback: str, learning_rate: float | None, exploration: float | None,
        radius: float | None, label_column: str | None, bias: bool, seed: int, as_json: bool) -> None:  # fmt: skip
    """Run Gaptron on DATA and report its mistakes beside the bound of the theorem.

    DATA is a .csv or .tsv file (the label in the last column), a LibSVM file (.libsvm, .svm, .svmlight, .txt), a .npz
    file with arrays X and y, a .npy file whose last column is the label, or one of digits (the default), wine and
    iris, which come with scikit-learn.

    X is the largest norm of a feature vector in the data. The bound is the sum of the losses of the best comparator U
    found in hindsight plus ||U||^2/(2 eta), and gamma T (K - 1)/K if there is exploration. With full information the
    expected mistakes are exact, since the weights do not depend on the draws; with bandit feedback they are
    conditional on this run's draws, and the bound holds in expectation over them.
    """
    try:
        rounds = _stream(data, label_column)
        rounds = rounds.with_bias() if bias else rounds
        settings = {"loss": loss.replace("-", " "), "feedback": feedback, "learning_rate": learning_rate,
                    "exploration": exploration, "seed": seed}  # fmt: skip
        report = report_on(rounds, settings, radius, seed)
    except (StreamError, ValueError, OverflowError) as error:
        _fail(" ".join(str(error).split()))
    except KeyboardInterrupt:
        _fail("interrupted", INTERRUPTED)
    click.echo(json.dumps(asdict(report), indent=1, allow_nan=False) if as_json else _text(report))


def _fail(message: str, code: int = 2) -> NoReturn:
    click.echo(f"gaptron: {_printable(message)}", err=True)
    sys.exit(code)


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _stream(data: str | None, label_column: str | None) -> Stream:
    if (data or NAMES[0]) not in NAMES:
        return read(Path(str(data)), label_column)
    if label_column is not None:
        raise StreamError(f"{data or NAMES[0]}: --label-column {label_column} goes with CSV and TSV files only")
    return bundled(data or NAMES[0])


def report_on(rounds: Stream, settings: dict[str, Any], radius: float | None, seed: int) -> Report:
    """Run the learner and find the comparator.

    Raises
    ------
    ValueError, OverflowError
        If a parameter is not what the learner takes, or the weights leave the range of doubles.
    RuntimeError
        If exact expected mistakes exceed a bound that holds: an error of ours, never of the data.
    """
    start = time.monotonic()
    X = rounds.feature_norm
    if radius is None:
        radius = math.inf if settings["feedback"] == "full" else 1 / X
    learner = Gaptron(len(rounds.classes), rounds.X.shape[1], feature_norm=X, radius=radius, horizon=len(rounds.X),
                      **settings)  # fmt: skip
    done = _run_with_progress(learner, rounds)
    theorem = named_theorem(settings["loss"])
    loss = HindsightLoss(theorem.loss, rounds.X, rounds.y, ~done.off, len(rounds.classes))  # type: ignore[arg-type]
    coefficient = 1 / (2 * float(learner.learning_rate))
    comparator = best_comparator(loss, coefficient, [np.asarray(learner.W, dtype=float)], radius)
    covered = float(learner.learning_rate) <= _largest_rate(learner) * (1 + ROUNDING)
    bias = float(learner.exploration) * len(rounds.X) * (1 - 1 / len(rounds.classes))
    bound = comparator.bound + bias if covered else None
    if settings["feedback"] == "full" and bound is not None and done.expected_mistakes > bound * (1 + ROUNDING):
        raise RuntimeError(f"{done.expected_mistakes} expected mistakes exceed the bound {bound}: a bug in gaptron")
    return Report(
        schema=1, data=rounds.name, rounds=len(rounds.X), classes=len(rounds.classes), features=rounds.X.shape[1],
        feature_norm=X, loss=settings["loss"], feedback=settings["feedback"],
        learning_rate=float(learner.learning_rate), exploration=float(learner.exploration),
        radius=None if math.isinf(radius) else radius, seed=seed, mistakes=done.mistakes,
        expected_mistakes=float(done.expected_mistakes), comparator=comparator, bound=bound,
        theorem=_theorem(learner, THEOREMS[settings["loss"]]) if covered else None,
        seconds=round(time.monotonic() - start, 3),
    )  # fmt: skip


def _largest_rate(learner: Gaptron) -> float:
    """The largest eta that the gap inequality allows: the theorem's, with bandit feedback times gamma/K."""
    full = float(learner.surrogate.learning_rate) / float(learner.feature_norm) ** 2
    return full if learner.feedback == "full" else full * float(learner.exploration) / learner.n_classes


def _theorem(learner: Gaptron, theorem: str) -> str:
    """Which statement the bound comes from: the theorem at its own parameters, else Lemma 1 with its gap inequality."""
    own = learner.feedback == "full" and learner.exploration == 0
    printed = math.isclose(float(learner.learning_rate), _largest_rate(learner), rel_tol=ROUNDING)
    return f"{PAPER}, {theorem}" if own and printed else f"{PAPER}, Lemma 1, with the gap inequality of {theorem}"


def _run_with_progress(learner: Gaptron, rounds: Stream) -> Run:
    """The whole stream, in chunks, with a bar and the error rate so far on a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("rounds", total=len(rounds.X))
        return _run_in_chunks(
            learner, rounds, lambda done, mistakes: bar.update(
                task, completed=done, description=f"rounds, error rate {mistakes / done:.3f}")
        )  # fmt: skip


def _run_in_chunks(learner: Gaptron, rounds: Stream, report: Callable[[int, int], None]) -> Run:
    parts, mistakes = [], 0
    for begin in range(0, len(rounds.X), CHUNK):
        chunk = slice(begin, begin + CHUNK)
        parts.append(learner.run(rounds.X[chunk], rounds.y[chunk]))
        mistakes += parts[-1].mistakes
        report(min(begin + CHUNK, len(rounds.X)), mistakes)
    return Run(
        mistakes=mistakes, expected_mistakes=sum(part.expected_mistakes for part in parts),
        **{name: np.concatenate([getattr(part, name) for part in parts])
           for name in ("wrong", "probability_wrong", "label_probability", "loss", "off")},
    )  # fmt: skip


def _text(report: Report) -> str:
    """The report for people."""
    conditional = "" if report.feedback == "full" else ", given this run's draws"
    where = "" if report.feedback == "full" else " (in expectation over the draws)"
    bound = "no theorem covers this learning rate"
    if report.bound is not None:
        bound = f"{report.bound:.2f}{where}: {report.theorem}"
    radius = "" if report.radius is None else f", D = {report.radius:.6g}"
    return "\n".join([
        f"data               {_printable(report.data)}: {report.rounds} rounds, {report.classes} classes, "
        f"{report.features} features, X = {report.feature_norm:.6g}",
        f"learner            Gaptron, {report.loss} loss, {report.feedback} feedback, "
        f"eta = {report.learning_rate:.6g}, gamma = {report.exploration:.6g}{radius}, seed {report.seed}",
        f"mistakes           {report.mistakes} (error rate {report.mistakes / report.rounds:.4f})",
        f"expected mistakes  {report.expected_mistakes:.2f}{conditional}",
        f"best comparator    loss {report.comparator.loss:.2f}, norm {report.comparator.norm:.6g} (best found)",
        f"bound              {bound}",
    ])  # fmt: skip
