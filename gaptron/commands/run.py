"""``gaptron run``: a learner on a stream; Gaptron's mistakes beside the theorem's bound."""

import json
import math
import os
import time
from collections.abc import Callable
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path
from typing import Any

import click

from gaptron.experiments import bound, structured
from gaptron.experiments.contenders import CONTENDERS, Setting
from gaptron.experiments.data import ALL, first, named
from gaptron.experiments.figure import FORMATS
from gaptron.experiments.progress import bar, run_in_chunks
from gaptron.experiments.repeat import Seeded, SeedsReport, as_csv, plot, run_pieces, run_seeds, seeded
from gaptron.learners import BinaryGaptron, Gaptron
from gaptron.learners.best import LearningRateError
from gaptron.learners.learner import Learner
from gaptron.learners.rounds import GapMapError
from gaptron.streams import NAMES, SYNTHETIC, Chunks, Stream, StreamError, check_norm, chunks, read
from gaptron.streams.outputs import output_stream
from gaptron.streams.stream import LARGEST
from gaptron.system.atomic import write_atomically
from gaptron.system.documents import Document
from gaptron.system.exits import INTERRUPTED, fail, warn
from gaptron.system.options import POSITIVE
from gaptron.system.printable import printable
from gaptron.theory.files import FileError, load
from gaptron.theory.losses import BinaryLoss
from gaptron.theory.named import MULTICLASS
from gaptron.theory.structured.theorem import StructuredTheorem
from gaptron.theory.theorem import Lemma, Theorem

GAPTRON = "gaptron"
GAPTRON_ONLY = {
    "loss": "smooth hinge",
    "feedback": "full",
    "decoder": None,
    "update": None,
    "learning_rate": None,
    "radius": None,
}
LEARNERS = (GAPTRON, *(name for name in CONTENDERS if not name.startswith(GAPTRON)))
EXIT_CODES = """\b
Exit codes:
  0    the stream was run
  2    usage or input error
  130  interrupted
"""


@click.command(epilog=EXIT_CODES)
@click.argument("data", required=False)
@click.option("--learner", type=click.Choice(LEARNERS), default=GAPTRON, show_default=True, help="The algorithm.")
@click.option("--loss", callback=lambda _, option, value: _checked_loss(value), default="smooth hinge",
              show_default=True, metavar="LOSS", help="Gaptron's surrogate loss: logistic, hinge, smooth-hinge, or the "
              "theorem of a file, FILE.py or FILE.py:NAME, whose Python is run.")  # fmt: skip
@click.option("--feedback", type=click.Choice(["full", "bandit"]), default="full", show_default=True,
              help="Whether Gaptron sees the label, or only whether it was right.")  # fmt: skip
@click.option("--decoder", type=click.Choice(["gap-map", "best"]),
              callback=lambda _, option, value: value and value.replace("-", " "), help="How Gaptron predicts: the top "
              "label, or a uniform one as often as the gap map says; or every label as often as its loss and gradient "
              "ask for, else the top label.  [the theorem's, gap-map for a loss with a name]")  # fmt: skip
@click.option(
    "--update",
    type=click.Choice(["gradient", "proximal"]),
    help="How Gaptron learns: by gradient steps, or by "
    "proximal ones with the constant that no algorithm beats.  [the theorem's, gradient for a loss with a name]",
)
@click.option("--learning-rate", type=float, help="Gaptron's eta as used in the step.  [the theorem's]")
@click.option("--exploration", type=float, help="The exploration rate gamma.  [the theory's]")
@click.option("--radius", type=float, help="Gaptron's D: weights and comparator have norm <= D.  [none; 1/X for bandit "
              "feedback]")  # fmt: skip
@click.option("--label-column", metavar="NAME|INDEX", help="The label's column in CSV and TSV files, from 0; a NAME "
              "says that there is a header.  [last]")  # fmt: skip
@click.option("--rounds", type=click.IntRange(min=1), help="Only the first rounds.  [all; 20000 of a synthetic stream]")
@click.option("--chunk", type=click.IntRange(min=1), metavar="ROUNDS",
              help="Read the stream ROUNDS at a time, in constant memory; no comparator is searched for.")  # fmt: skip
@click.option("--bias/--no-bias", default=False, show_default=True, help="Append a constant feature 1.")
@click.option("--feature-norm", type=POSITIVE, help="X: no feature vector may be "
              "longer.  [the largest norm in the data]")  # fmt: skip
@click.option("--rescale", is_flag=True, help="Divide the features of DATA by their largest norm: X = 1 before --bias.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Where the draws come from.")
@click.option("--seeds", type=click.IntRange(min=1), default=1, show_default=True,
              help="How many runs, with the seeds from --seed on, several at a time.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout and nothing else.")
@click.option("--csv", "csv_file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write the error rate over rounds, for every seed.")  # fmt: skip
@click.option("--plot", "plot_file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Draw the error rate over rounds: .svg, .png or .pdf.")  # fmt: skip
@click.pass_context
def run(ctx: click.Context, /, data: str | None, learner: str, seed: int, seeds: int, as_json: bool,
        csv_file: Path | None, plot_file: Path | None, label_column: str | None, rounds: int | None, chunk: int | None,
        bias: bool, feature_norm: float | None, rescale: bool, **options: Any) -> None:  # fmt: skip
    """Run a learner on DATA; for Gaptron, report its mistakes beside the bound of the theorem.

    DATA is a .csv or .tsv file (the label in the last column; a first row without numbers is a header), a LibSVM file
    (.libsvm, .svm, .svmlight, .txt), a .npz file with arrays X and y, a .npy file whose last column is the label, a
    synthetic stream (synsep, synnonsep), or real data by its name: digits (the default), wine, iris and others that
    packages bring. For a structured theorem (--loss FILE.py) it is a .npz file with arrays X and Y, multilabel, yeast,
    or diabetes-grades.

    X is the largest norm of a feature vector in the data. The bound is the sum of the losses of the best comparator U
    found in hindsight plus ||U||^2/(2 eta), and gamma T (K - 1)/K if there is exploration. With full information the
    expected mistakes are exact, since the weights do not depend on the draws; with bandit feedback they are
    conditional on this run's draws, and the bound holds in expectation over them. Other learners run at the
    parameters of their theory; with several seeds, the mean error rate has a 95 % confidence interval.
    """
    start = time.monotonic()
    try:
        _check_options(ctx, learner, plot_file)
        build = partial(_learner, learner, options | {"feature_norm": feature_norm})
        theorem = _loss(options["loss"]) if learner == GAPTRON else None
        if isinstance(theorem, StructuredTheorem):
            _structured(ctx, theorem, data, as_json)
            return
        if chunk is not None:
            source = _pieces(ctx, data, chunk, label_column, feature_norm, rescale)
            report, text, found = _in_pieces(source, build, learner, seed, start)
        else:
            stream = _prepared(_stream(data, label_column, rounds), bias, feature_norm, rescale)
            if learner == GAPTRON and seeds == 1:
                report, text, found = _with_bound(stream, build, _of_labels(options["loss"]), seed, start)
            else:
                report, text, found = _over_seeds(stream, build, learner, range(seed, seed + seeds), start)
        _write_curves(found, f"{learner} on {report['data']}", csv_file, plot_file)
    except (StreamError, GapMapError, LearningRateError, OverflowError) as error:
        message = " ".join(str(error).split())
        fail(message, document=_error(message) if as_json else None)
    except KeyboardInterrupt:
        fail("interrupted", INTERRUPTED, _error("interrupted") if as_json else None)
    click.echo(json.dumps(report, indent=1, allow_nan=False) if as_json else text)


ENOUGH_ROUNDS = 10
SHARED = ("data", "learner", "loss", "rounds", "bias", "feature_norm", "rescale", "seed", "as_json")


def _structured(ctx: click.Context, theorem: StructuredTheorem, data: str | None, as_json: bool) -> None:
    """A structured theorem on its own kind of data; other options do not go with it."""
    for name in ctx.params:
        if name not in SHARED and ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise StreamError(f"--{name.replace('_', '-')} does not go with a structured theorem")
    given = ctx.params
    stream = output_stream(data or "multilabel", given["rounds"], given["seed"])
    stream = stream.scaled() if given["rescale"] else stream
    stream = stream.with_bias() if given["bias"] else stream
    report = structured.report_on(theorem, stream, given["feature_norm"], given["seed"])
    click.echo(json.dumps(structured.as_document(report), indent=1) if as_json else structured.as_text(report))


Found = tuple[Document, str, list[Seeded]]
Build = Callable[[Stream, int], Learner]


def _error(message: str) -> str:
    """The JSON document of a stream that was not run."""
    return json.dumps({"schema": 1, "error": message}, indent=1)


def _checked_loss(value: str) -> str:
    names = (*MULTICLASS, "smooth-hinge")
    if value in names:
        return value.replace("-", " ")
    if ".py" not in value:
        raise click.BadParameter(f"{value!r} is not one of {', '.join(names)}, FILE.py, FILE.py:NAME")
    return value


@cache
def _loss(value: str) -> str | Theorem | StructuredTheorem:
    """A loss by its name, or the theorem of a file."""
    if value in MULTICLASS:
        return value
    path, _, name = value.partition(".py:")
    file = Path(f"{path}.py" if name else value)
    try:
        found = {s.item.name: s.item for s in load(file) if not isinstance(s.item, Lemma)}
    except FileError as error:
        raise StreamError(str(error)) from error
    if (len(found) != 1 and not name) or (name and name not in found):
        names = ", ".join(map(repr, found)) or "no theorem with a loss"
        raise StreamError(f"--loss {value}: {file} holds {names}: name one as {file}:NAME")
    return found[name or next(iter(found))]


def _of_labels(value: str) -> str | Theorem:
    """A loss of labels: by its name, or a theorem that is not structured."""
    found = _loss(value)
    assert not isinstance(found, StructuredTheorem)  # noqa: S101
    return found


def _check_options(ctx: click.Context, learner: str, plot_file: Path | None) -> None:
    """Refuse options that the learner does not have, before anything is read."""
    given = [name for name in GAPTRON_ONLY if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE]
    if learner != GAPTRON and given:
        raise StreamError(f"--{given[0].replace('_', '-')} goes with --learner {GAPTRON} only")
    if learner != GAPTRON and ctx.params["exploration"] is not None and not CONTENDERS[learner].explores:
        raise StreamError(f"--exploration: {learner} does not explore")
    if plot_file is not None and plot_file.suffix not in FORMATS:
        raise StreamError(f"--plot {plot_file}: its ending must be one of {', '.join(FORMATS)}")


def _name(data: str | None) -> str:
    """The name of a stream or of a file; digits by default."""
    name = NAMES[0] if data is None else data
    if name not in ALL and not Path(name).suffix and not Path(name).exists():
        raise StreamError(f"{name}: is neither a file nor one of {', '.join((*NAMES, *SYNTHETIC))}")
    return name


def _stream(data: str | None, label_column: str | None, rounds: int | None) -> Stream:
    name = _name(data)
    if name in ALL:
        if label_column is not None:
            raise StreamError(f"{name}: --label-column {label_column} goes with CSV and TSV files only")
        return named(name, rounds)
    found = read(Path(name), label_column)
    _doubt_labels(found, label_column)
    return first(found, rounds)


def _doubt_labels(data: Stream | Chunks, label_column: str | None) -> None:
    """Say so if what was taken for labels hardly ever comes twice."""
    if label_column is None and data.n_rounds >= ENOUGH_ROUNDS and 2 * len(data.classes) > data.n_rounds:
        warn(
            f"{data.name}: {len(data.classes)} classes in {data.n_rounds} rounds: is the label in another column "
            "(--label-column), or a real number?"
        )


def _prepared(stream: Stream, bias: bool, feature_norm: float | None, rescale: bool) -> Stream:
    if rescale:
        stream = stream.scaled()
    if bias:
        stream = stream.with_bias()
    if feature_norm is not None:
        check_norm(stream.X, feature_norm)
    return stream


def _pieces(ctx: click.Context, data: str | None, size: int, label_column: str | None, feature_norm: float | None,
            rescale: bool) -> Chunks:  # fmt: skip
    for name in ("rounds", "bias", "seeds"):
        if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise StreamError(f"--{name} does not go with --chunk")
    name = _name(data)
    if name in SYNTHETIC:
        raise StreamError(f"{name}: is drawn whole: --chunk goes with a file, or one of {', '.join(NAMES)}")
    source = chunks(name, size, label_column=label_column)
    _doubt_labels(source, label_column)
    source = source.scaled() if rescale else source
    if feature_norm is not None and source.feature_norm > feature_norm:
        for number, (X, _) in enumerate(source):
            check_norm(X, feature_norm, f"{source.name}, after {number * size} rounds")
    return source


def _learner(name: str, options: Document, stream: Stream | Chunks, seed: int) -> Learner:
    X = options["feature_norm"] or stream.feature_norm
    setting = Setting(stream.n_classes, stream.n_features, X, stream.n_rounds)
    try:
        if name != GAPTRON:
            return CONTENDERS[name].build(setting, options["exploration"], 1.0, seed)
        return _gaptron(setting, seed, **{key: options[key] for key in (*GAPTRON_ONLY, "exploration")})
    except ValueError as error:
        raise StreamError(str(error)) from error


def _gaptron(setting: Setting, seed: int, *, loss: str, feedback: str, decoder: str | None,
             update: str | None, learning_rate: float | None, radius: float | None,
             exploration: float | None) -> Gaptron | BinaryGaptron:  # fmt: skip
    X = setting.feature_norm
    if learning_rate is not None and LARGEST / X**2 < learning_rate < math.inf:
        raise StreamError(f"learning_rate = {learning_rate:g}: the weights overflow with features of norm {X:g}")
    theorem = _of_labels(loss)
    if isinstance(theorem, Theorem) and isinstance(theorem.loss, BinaryLoss):
        _check_two_classes(theorem, setting, feedback, radius, exploration)
        return BinaryGaptron(setting.n_features, loss=theorem, learning_rate=learning_rate, feature_norm=X,
                             decoder=decoder, update=update, seed=seed)  # fmt: skip
    if radius is None:
        radius = math.inf if feedback == "full" else setting.radius
    return Gaptron(
        setting.n_classes, setting.n_features, loss=theorem, feedback=feedback,
        learning_rate=learning_rate, exploration=exploration, feature_norm=X, radius=radius,
        horizon=setting.horizon, decoder=decoder, update=update, seed=seed,
    )  # fmt: skip


def _check_two_classes(theorem: Theorem, setting: Setting, feedback: str, radius: float | None,
                       exploration: float | None) -> None:  # fmt: skip
    """One weight vector is for two classes and full information, without a ball or exploration."""
    if setting.n_classes != 2:
        raise StreamError(
            f'theorem "{theorem.name}" has a BinaryLoss: two classes, and the data has {setting.n_classes}'
        )
    given = {
        "feedback bandit": feedback == "bandit",
        "radius": radius is not None,
        "exploration": exploration is not None,
    }
    for option in (option for option, is_given in given.items() if is_given):
        raise StreamError(f'--{option} does not go with theorem "{theorem.name}", which has a BinaryLoss')


def _with_bound(stream: Stream, build: Build, loss: str | Theorem, seed: int, start: float) -> Found:
    learner = build(stream, seed)
    assert isinstance(learner, (Gaptron, BinaryGaptron))  # noqa: S101
    with bar(stream.n_rounds) as show:
        done = run_in_chunks(learner, stream, show)
    report = bound.report_on(stream, learner, done, loss, seed, start)
    return asdict(report), bound.as_text(report), [seeded(seed, done)]


def _in_pieces(source: Chunks, build: "partial[Learner]", name: str, seed: int, start: float) -> Found:
    learner = build(source, seed)
    with bar(source.n_rounds) as show:
        found = [run_pieces(learner, source, seed, show)]
    report = SeedsReport.of(source, name, learner, found, time.monotonic() - start)
    return asdict(report), report.text, found


def _over_seeds(stream: Stream, build: Build, learner: str, seeds: range, start: float) -> Found:
    rounds = mistakes = 0
    with bar(stream.n_rounds * len(seeds)) as show:

        def arrived(more: int, wrong: int) -> None:
            nonlocal rounds, mistakes
            rounds, mistakes = rounds + more, mistakes + wrong
            show(rounds, mistakes)

        found = run_seeds(build, stream, seeds, os.cpu_count() or 1, arrived)
    report = SeedsReport.of(stream, learner, build(stream, seeds[0]), found, time.monotonic() - start)
    return asdict(report), report.text, found


def _write_curves(found: list[Seeded], title: str, csv_file: Path | None, plot_file: Path | None) -> None:
    _write(csv_file, lambda file: write_atomically(file, as_csv(found)))
    try:
        _write(plot_file, lambda file: plot(found, printable(title), file))
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        raise StreamError(f"--plot {plot_file}: needs matplotlib: pip install 'gaptron[plot]'") from error


def _write(path: Path | None, write: Callable[[Path], None]) -> None:
    """Write a file that was asked for."""
    try:
        if path is not None:
            write(path)
    except OSError as error:
        raise StreamError(f"{path}: cannot be written: {error.strerror}") from error
