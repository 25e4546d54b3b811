"""``gaptron run``: Gaptron on a stream, its mistakes beside the theorem's bound."""

import json
import math
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NoReturn

import click
import numpy as np

from gaptron.comparator import Comparator, HindsightLoss, best_comparator
from gaptron.learners import Gaptron
from gaptron.learners.learner import Run
from gaptron.learners.surrogates import MULTICLASS, named_theorem
from gaptron.losses import BinaryLoss
from gaptron.printable import printable
from gaptron.streams import NAMES, Stream, StreamError, bundled, read
from gaptron.streams.stream import LARGEST

CHUNK = 200
THEOREMS = {"logistic": "Theorem 1", "hinge": "Theorem 2", "smooth hinge": "Theorem 3"}
PAPER = "van der Hoeven 2020"
INTERRUPTED = 130
ROUNDING = 1e-12
SUMMATION = 1e-9
EXIT_CODES = """\b
Exit codes:
  0    the stream was run
  2    usage or input error
  130  interrupted
"""


@dataclass(frozen=True)
class Report:
    """What is said of a run.

    ``expectation`` says what ``expected_mistakes`` is: "exact", or "given the draws" of this run (bandit feedback).
    ``bound``, ``slack`` = bound - expected mistakes and ``theorem`` are None if no theorem covers the learning rate.
    """

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
    expectation: str
    comparator: Comparator
    bound: float | None
    slack: float | None
    theorem: str | None
    seconds: float


@click.command(epilog=EXIT_CODES)
@click.argument("data", required=False)
@click.option("--loss", type=click.Choice([*MULTICLASS, "smooth-hinge"]), default="smooth hinge", show_default=True,
              help="The surrogate loss.")  # fmt: skip
@click.option("--feedback", type=click.Choice(["full", "bandit"]), default="full", show_default=True,
              help="Whether the learner sees the label, or only whether it was right.")  # fmt: skip
@click.option("--learning-rate", type=float, help="eta as used in the step.  [the theorem's]")
@click.option("--exploration", type=float, help="The exploration rate gamma.  [0; the best for bandit feedback]")
@click.option("--radius", type=float, help="D: weights and comparator have norm <= D.  [none; 1/X for bandit feedback]")
@click.option("--label-column", metavar="NAME|INDEX", help="The label's column in CSV and TSV files, from 0; a NAME "
              "says that there is a header.  [last]")  # fmt: skip
@click.option("--bias/--no-bias", default=False, show_default=True, help="Append a constant feature 1.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Where the draws come from.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout and nothing else.")
def run(data: str | None, loss: str, feedback: str, learning_rate: float | None, exploration: float | None,
        radius: float | None, label_column: str | None, bias: bool, seed: int, as_json: bool) -> None:  # fmt: skip
    """Run Gaptron on DATA and report its mistakes beside the bound of the theorem.

    DATA is a .csv or .tsv file (the label in the last column; a first row without numbers is a header), a LibSVM file
    (.libsvm, .svm, .svmlight, .txt), a .npz file with arrays X and y, a .npy file whose last column is the label, or
    one of digits (the default), wine and iris, which come with scikit-learn.

    X is the largest norm of a feature vector in the data. The bound is the sum of the losses of the best comparator U
    found in hindsight plus ||U||^2/(2 eta), and gamma T (K - 1)/K if there is exploration. With full information the
    expected mistakes are exact, since the weights do not depend on the draws; with bandit feedback they are
    conditional on this run's draws, and the bound holds in expectation over them.
    """
    start = time.monotonic()
    try:
        rounds = _stream(data, label_column)
        rounds = rounds.with_bias() if bias else rounds
        learner = _learner(rounds, loss.replace("-", " "), feedback, learning_rate, exploration, radius, seed)
        done = _run_with_progress(learner, rounds)
        report = report_on(rounds, learner, done, loss.replace("-", " "), seed, start)
    except (StreamError, OverflowError) as error:
        _fail(" ".join(str(error).split()), as_json)
    except KeyboardInterrupt:
        _fail("interrupted", as_json, INTERRUPTED)
    click.echo(json.dumps(asdict(report), indent=1, allow_nan=False) if as_json else _text(report))


def _fail(message: str, as_json: bool, code: int = 2) -> NoReturn:
    """One sentence on stderr, and as a JSON document if one was asked for."""
    if as_json:
        click.echo(json.dumps({"schema": 1, "error": message}, indent=1))
    click.echo(f"gaptron: {printable(message)}", err=True)
    sys.exit(code)


def _stream(data: str | None, label_column: str | None) -> Stream:
    name = NAMES[0] if data is None else data
    if name in NAMES:
        if label_column is not None:
            raise StreamError(f"{name}: --label-column {label_column} goes with CSV and TSV files only")
        return bundled(name)
    if not Path(name).suffix and not Path(name).exists():
        raise StreamError(f"{name}: is neither a file nor one of {', '.join(NAMES)}")
    return read(Path(name), label_column)


def _learner(rounds: Stream, loss: str, feedback: str, learning_rate: float | None, exploration: float | None,
             radius: float | None, seed: int) -> Gaptron:  # fmt: skip
    X = rounds.feature_norm
    if learning_rate is not None and LARGEST / X**2 < learning_rate < math.inf:
        raise StreamError(f"learning_rate = {learning_rate:g}: the weights overflow with features of norm {X:g}")
    if radius is None:
        radius = math.inf if feedback == "full" else 1 / X
    try:
        return Gaptron(
            len(rounds.classes), rounds.X.shape[1], loss=loss, feedback=feedback, learning_rate=learning_rate,
            exploration=exploration, feature_norm=X, radius=radius, horizon=len(rounds.X), seed=seed,
        )  # fmt: skip
    except ValueError as error:
        raise StreamError(str(error)) from error


def report_on(rounds: Stream, learner: Gaptron, done: Run, loss: str, seed: int, start: float) -> Report:
    """Compare a run that began at ``start`` with the bound of the theorem.

    Raises
    ------
    RuntimeError
        If exact expected mistakes exceed a bound that holds: an error of ours, never of the data.
    """
    full = learner.feedback == "full"
    comparator = _comparator(rounds, learner, done, loss)
    expected, bound = float(done.expected_mistakes), _bound(learner, comparator, len(rounds.X))
    if full and bound is not None and expected > bound * (1 + SUMMATION):
        raise RuntimeError(f"{expected} expected mistakes exceed the bound {bound}: a bug in gaptron")
    return Report(
        schema=1, data=rounds.name, rounds=len(rounds.X), classes=len(rounds.classes), features=rounds.X.shape[1],
        feature_norm=rounds.feature_norm, loss=loss, feedback=learner.feedback,
        learning_rate=float(learner.learning_rate), exploration=float(learner.exploration),
        radius=None if math.isinf(learner.radius) else float(learner.radius), seed=seed, mistakes=done.mistakes,
        expected_mistakes=expected, expectation="exact" if full else "given the draws", comparator=comparator,
        bound=bound, slack=None if bound is None else bound - expected,
        theorem=None if bound is None else _theorem(learner, THEOREMS[loss]),
        seconds=round(time.monotonic() - start, 3),
    )  # fmt: skip


def _comparator(rounds: Stream, learner: Gaptron, done: Run, loss: str) -> Comparator:
    """The best comparator found, searched for in features of norm at most 1.

    With bandit feedback it must not depend on the draws, for the bound to hold in expectation over them: it is
    searched for without the final weights, and without switching off rounds.
    """
    X, full = float(learner.feature_norm), learner.feedback == "full"
    phi = named_theorem(loss).loss
    assert not isinstance(phi, BinaryLoss)  # noqa: S101
    in_hindsight = HindsightLoss(phi, rounds.X / X, rounds.y, ~done.off, len(rounds.classes))
    searched = in_hindsight if full else replace(in_hindsight, on=np.ones_like(done.off))
    starts = [np.asarray(learner.W, dtype=float) * X] if full else []
    found = in_hindsight.at(best_comparator(searched, _regret(learner) / X**2, starts, float(learner.radius) * X))
    return Comparator(found.loss, found.norm / X)


def _regret(learner: Gaptron) -> float:
    """The coefficient of ||U||^2 in Lemma 1."""
    return 1 / (2 * float(learner.learning_rate))


def _bound(learner: Gaptron, comparator: Comparator, n_rounds: int) -> float | None:
    """Lemma 1 with a surrogate gap of at most zero, which a smaller learning rate keeps; None for a larger one."""
    if float(learner.learning_rate) > _largest_rate(learner) * (1 + ROUNDING):
        return None
    return comparator.bound(_regret(learner)) + float(learner.exploration) * n_rounds * (1 - 1 / learner.n_classes)


def _largest_rate(learner: Gaptron) -> float:
    """The largest eta that the theorem allows; with bandit feedback gamma/K times that, as 1/p'(y) <= K/gamma."""
    full = float(learner.surrogate.learning_rate) / float(learner.feature_norm) ** 2
    return full if learner.feedback == "full" else full * float(learner.exploration) / learner.n_classes


def _theorem(learner: Gaptron, theorem: str) -> str:
    """Which statement the bound comes from: the theorem at its own parameters, else Lemma 1 with its gap inequality."""
    own = learner.feedback == "full" and learner.exploration == 0
    printed = math.isclose(float(learner.learning_rate), _largest_rate(learner), rel_tol=ROUNDING)
    return f"{PAPER}, {theorem}" if own and printed else f"{PAPER}, Lemma 1, with the gap inequality of {theorem}"


def _run_with_progress(learner: Gaptron, rounds: Stream) -> Run:
    """The whole stream, with a bar, the speed and the error rate so far if stderr is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    start = time.monotonic()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("rounds", total=len(rounds.X))

        def show(done: int, mistakes: int) -> None:
            speed = done / max(time.monotonic() - start, 1e-9)
            bar.update(task, completed=done, description=f"error rate {mistakes / done:.3f}, {speed:.0f} rounds/s")

        return _run_in_chunks(learner, rounds, show)


def _run_in_chunks(learner: Gaptron, rounds: Stream, show: Callable[[int, int], None]) -> Run:
    parts: list[Run] = []
    for begin in range(0, len(rounds.X), CHUNK):
        chunk = slice(begin, begin + CHUNK)
        parts.append(learner.run(rounds.X[chunk], rounds.y[chunk]))
        show(min(begin + CHUNK, len(rounds.X)), sum(part.mistakes for part in parts))
    return Run(
        mistakes=sum(part.mistakes for part in parts), expected_mistakes=sum(part.expected_mistakes for part in parts),
        **{name: np.concatenate([getattr(part, name) for part in parts])
           for name in ("wrong", "probability_wrong", "label_probability", "loss", "off")},
    )  # fmt: skip


def _text(report: Report) -> str:
    """The report for people."""
    full = report.feedback == "full"
    radius = "" if report.radius is None else f", D = {report.radius:.6g}"
    bound = "none: no theorem covers this learning rate"
    if report.bound is not None:
        where = f"slack {report.slack:.2f}" if full else "in expectation over the draws"
        bound = f"{report.bound:.2f} ({where}): {report.theorem}"
    return "\n".join([
        f"data               {printable(report.data)}: {report.rounds} rounds, {report.classes} classes, "
        f"{report.features} features, X = {report.feature_norm:.6g}",
        f"learner            Gaptron, {report.loss} loss, {report.feedback} feedback, "
        f"eta = {report.learning_rate:.6g}, gamma = {report.exploration:.6g}{radius}, seed {report.seed}",
        f"mistakes           {report.mistakes} (error rate {report.mistakes / report.rounds:.4f})",
        f"expected mistakes  {report.expected_mistakes:.2f} ({report.expectation})",
        f"best comparator    loss {report.comparator.loss:.2f}, norm {report.comparator.norm:.6g} (best found)",
        f"bound              {bound}",
    ])  # fmt: skip
