"""``run``: a learner on a stream, with its options as the verb has read them."""

import math
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NoReturn

from gaptron.experiments import bound
from gaptron.experiments.contenders import CONTENDERS, Setting
from gaptron.experiments.named_streams import ALL, doubt, known, opened
from gaptron.experiments.names import DEFAULT, GAPTRON
from gaptron.experiments.repeat import Build, Seeded, Show, as_csv, plot, run_pieces, run_seeds, seeded, seeds_report
from gaptron.language.theorems import StatedTheorem, TheoremData
from gaptron.learners import Gaptron
from gaptron.learners import compiled as fast
from gaptron.learners.binary_gaptron import gaptron_with
from gaptron.learners.learner import Learner
from gaptron.learners.record import Run, joined
from gaptron.rounds.geometry import geometry_of
from gaptron.rounds.step import GapMapError, LearningRateError
from gaptron.streams import NAMES, SYNTHETIC, Chunks, Stream, StreamError, check_norm, chunks
from gaptron.streams.features import LARGEST, SMALLEST
from gaptron.system.atomic import write_atomically
from gaptron.system.documents import Document
from gaptron.system.drawing import FORMATS
from gaptron.system.exits import warn, writing
from gaptron.system.extras import MissingExtraError, install
from gaptron.system.printable import printable
from gaptron.system.progress import progress
from gaptron.theory.by_name import MULTICLASS

CHUNK = 5000


@contextmanager
def bar(total: int | None, task: str = "rounds") -> Iterator[Show]:
    """Progress that is told the rounds that are done, and the mistakes in them.

    If ``total`` is None, nobody knows how many rounds there are, and none has been predicted.
    """
    start = time.monotonic()
    with progress(task) as shown:

        def show(done: int, mistakes: int) -> None:
            speed = f"{done / max(time.monotonic() - start, 1e-9):.0f} rounds/s"
            about = f"{task}, {speed}" if total is None else f"error rate {mistakes / done:.3f}, {speed}"
            shown.at(done, total or 0, about)

        yield show


def run_in_chunks(learner: Learner, stream: Stream, show: Show) -> Run:
    """Run the learner on the stream; ``show`` is told of every piece."""
    parts: list[Run] = []
    compiled = fast.chosen(learner, stream.n_rounds)
    for begin in range(0, stream.n_rounds, CHUNK):
        chunk = slice(begin, begin + CHUNK)
        parts.append(learner.run(stream.X[chunk], stream.y[chunk], compiled=compiled))
        show(min(begin + CHUNK, stream.n_rounds), sum(part.mistakes for part in parts))
    return joined(parts)


REFUSALS = (StreamError, GapMapError, LearningRateError, OverflowError)
BOUNDED = (DEFAULT, GAPTRON)
GAPTRON_ONLY = {
    "loss": "smooth hinge",
    "feedback": "full",
    "decoder": None,
    "update": None,
    "delay": 0,
    "learning_rate": None,
    "radius": None,
}


def ran(data: str | None, options: Document, given: Sequence[str]) -> tuple[Document, str]:
    """Run the learner on a stream and write what was asked for: the report, as data and in lines.

    ``options`` are those of the verb by their names; ``given`` are those that were not left to their defaults.

    Raises
    ------
    StreamError, GapMapError, LearningRateError, OverflowError
        If data or options cannot be used: ``REFUSALS``.
    """
    start = time.monotonic()
    asks = [name for name in (*GAPTRON_ONLY, "exploration") if name in given]
    learner: str = options["learner"] or (GAPTRON if asks else DEFAULT)
    _check_options(options, given, learner)
    if learner == GAPTRON and options["loss"] not in MULTICLASS:
        from gaptron.experiments.theorem_files import ran_structured  # sympy, which no loss with a name needs

        if (of_outputs := ran_structured(data, options, given)) is not None:
            return of_outputs
    build = partial(_learner, learner, options)
    seed, seeds = options["seed"], options["seeds"]
    if options["chunk"] is not None:
        report, text, found = _in_pieces(_pieces(data, options, given), build, learner, seed, start)
    else:
        stream = _prepared(_stream(data, options["label_column"], options["rounds"]), options)
        if learner in BOUNDED and seeds == 1:
            loss = _of_labels(options["loss"]) if learner == GAPTRON else "logistic"
            report, text, found = _with_bound(stream, build, learner, loss, seed, start)
        else:
            report, text, found = _over_seeds(stream, build, learner, range(seed, seed + seeds), start)
    _write_curves(found, f"{learner} on {report['data']}", options["csv_file"], options["plot_file"])
    return report, text


Found = tuple[Document, str, list[Seeded]]


def _of_labels(value: str) -> str | StatedTheorem:
    """A loss of labels: by its name, or the theorem of a file."""
    if value in MULTICLASS:
        return value
    from gaptron.experiments.theorem_files import of_labels  # see above

    return of_labels(value)


def _check_options(options: Document, given: Sequence[str], learner: str) -> None:
    """Refuse options that the learner does not have, before anything is read."""
    for name in (name for name in GAPTRON_ONLY if name in given and learner != GAPTRON):
        raise StreamError(f"--{name.replace('_', '-')} goes with --learner {GAPTRON} only")
    if learner != GAPTRON and options["exploration"] is not None and not CONTENDERS[learner].explores:
        raise StreamError(f"--exploration: {learner} does not explore")
    norm, plot_file = options["feature_norm"], options["plot_file"]
    if norm is not None and not SMALLEST <= norm <= LARGEST:
        raise StreamError(f"--feature-norm {norm:g}: must be from {SMALLEST:g} to {LARGEST:g}")
    if plot_file is not None and plot_file.suffix not in FORMATS:
        raise StreamError(f"--plot {plot_file}: its ending must be one of {', '.join(FORMATS)}")


def _stream(data: str | None, label_column: str | None, rounds: int | None) -> Stream:
    """A stream by its name, digits by default, or from a file."""
    name = NAMES[0] if data is None else data
    found = opened(name, rounds if name in ALL else None, label_column=label_column)
    doubt(found, label_column)
    return found.first(rounds)


def _prepared(stream: Stream, options: Document) -> Stream:
    if options["rescale"]:
        stream = stream.scaled()
    if options["bias"]:
        stream = stream.with_bias()
    if options["feature_norm"] is not None:
        check_norm(stream.X, options["feature_norm"])
    return stream


def _pieces(data: str | None, options: Document, given: Sequence[str]) -> Chunks:
    for name in (name for name in ("rounds", "bias", "seeds") if name in given):
        raise StreamError(f"--{name} does not go with --chunk")
    size, label_column, feature_norm = options["chunk"], options["label_column"], options["feature_norm"]
    name = NAMES[0] if data is None else known(data)
    if name in SYNTHETIC:
        raise StreamError(f"{name}: is drawn whole: --chunk goes with a file, or one of {', '.join(NAMES)}")
    with bar(None, "checking") as show:
        source = chunks(name, size, label_column=label_column, arrived=lambda rounds: show(rounds, 0))
    doubt(source, label_column)
    source = source.scaled() if options["rescale"] else source
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
             update: str | None, delay: int, learning_rate: float | None, radius: float | None,
             exploration: float | None) -> Gaptron:  # fmt: skip
    X = setting.feature_norm
    if learning_rate is not None and LARGEST / X**2 < learning_rate < math.inf:
        raise StreamError(f"learning_rate = {learning_rate:g}: the weights overflow with features of norm {X:g}")
    theorem = _of_labels(loss)
    made = partial(gaptron_with(theorem, setting.n_classes, setting.n_features), learning_rate=learning_rate,
                   feature_norm=X, decoder=decoder, update=update, seed=seed)  # fmt: skip
    if not isinstance(theorem, str) and geometry_of(theorem.data.loss).one_vector:
        _check_two_classes(theorem.data, setting, feedback, delay, radius, exploration)
        return made()
    if delay and feedback == "full" and delay >= setting.horizon:
        raise StreamError(f"delay = {delay}: of {setting.horizon} rounds no label would arrive in time for a later one")
    if radius is None:
        radius = math.inf if feedback == "full" else setting.radius
    return made(feedback=feedback, exploration=exploration, radius=radius, horizon=setting.horizon, delay=delay)


def _check_two_classes(theorem: TheoremData, setting: Setting, feedback: str, delay: int, radius: float | None,
                       exploration: float | None) -> None:  # fmt: skip
    """One weight vector is for two classes and full information that is not late, without a ball or exploration."""
    if setting.n_classes != 2:
        raise StreamError(
            f'theorem "{theorem.name}" has a {theorem.loss.kind}: two classes, and the data has {setting.n_classes}'
        )
    given = {
        "feedback bandit": feedback == "bandit",
        "delay": delay > 0,
        "radius": radius is not None,
        "exploration": exploration is not None,
    }
    for option in (option for option, is_given in given.items() if is_given):
        raise StreamError(f'--{option} does not go with theorem "{theorem.name}", which has a {theorem.loss.kind}')


def _with_bound(stream: Stream, build: Build, name: str, loss: str | StatedTheorem, seed: int, start: float) -> Found:
    learner = build(stream, seed)
    assert isinstance(learner, Gaptron)  # noqa: S101
    with bar(stream.n_rounds) as show:
        done = run_in_chunks(learner, stream, show)
    report = bound.report_on(stream, name, learner, done, loss, seed, start)
    return report, bound.as_text(report), [seeded(seed, done)]


def _in_pieces(source: Chunks, build: "partial[Learner]", name: str, seed: int, start: float) -> Found:
    learner = build(source, seed)
    if fast.would_help(learner, source.n_rounds) and not fast.is_installed():
        warn(f"{source.n_rounds} rounds without numba take long: {install('fast')}")
    with bar(source.n_rounds) as show:
        found = [run_pieces(learner, source, seed, show)]
    return *seeds_report(source, name, learner, found, time.monotonic() - start), found


def _over_seeds(stream: Stream, build: Build, learner: str, seeds: range, start: float) -> Found:
    with bar(stream.n_rounds * len(seeds)) as show:
        found = run_seeds(build, stream, seeds, os.cpu_count() or 1, show)
    return *seeds_report(stream, learner, build(stream, seeds[0]), found, time.monotonic() - start), found


def _write_curves(found: list[Seeded], title: str, csv_file: Path | None, plot_file: Path | None) -> None:
    """Write the files that were asked for."""
    if csv_file is not None:
        with writing(csv_file, _refuse):
            write_atomically(csv_file, as_csv(found))
    if plot_file is not None:
        try:
            with writing(plot_file, _refuse):
                plot(found, printable(title), plot_file)
        except MissingExtraError as error:
            raise StreamError(f"--plot {plot_file}: {error}") from error


def _refuse(message: str) -> NoReturn:
    raise StreamError(message)
