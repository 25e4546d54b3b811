"""The theorem of a file, as the loss of a run: what it is written in is imported for no loss that has a name."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from gaptron.bounds.structured_bound import run_stream
from gaptron.learners.structured_prediction import StructuredGaptron
from gaptron.streams import StreamError
from gaptron.streams.output_streams import OutputStream, output_stream
from gaptron.system.documents import Document
from gaptron.theory.files import FileError, load
from gaptron.theory.structured.outputs import Classes, Finite, Ordinal, PermutationMatrices
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Lemma, Theorem

SHARED = ("learner", "loss", "rounds", "bias", "feature_norm", "rescale", "seed")


@cache
def theorem_of(value: str) -> Theorem | StructuredTheorem:
    """The theorem of FILE.py, or FILE.py:NAME.

    Raises
    ------
    StreamError
        If the file cannot be loaded, or holds no theorem of that name, or several and no name is given.
    """
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


def of_labels(value: str) -> Theorem:
    """The theorem of the file, which is not structured."""
    found = theorem_of(value)
    assert not isinstance(found, StructuredTheorem)  # noqa: S101
    return found


# --- structured theorems ------------------------------------------------------------------------------------------


def ran_structured(data: str | None, options: Document, given: Sequence[str]) -> tuple[Document, str] | None:
    """A structured theorem on its own kind of data, with which other options do not go; None of a theorem on labels."""
    theorem = theorem_of(options["loss"])
    if not isinstance(theorem, StructuredTheorem):
        return None
    for name in (name for name in given if name not in SHARED):
        raise StreamError(f"--{name.replace('_', '-')} does not go with a structured theorem")
    stream = output_stream(data or "multilabel", options["rounds"], options["seed"])
    stream = stream.scaled() if options["rescale"] else stream
    stream = stream.with_bias() if options["bias"] else stream
    report = _report_on(theorem, stream, options["feature_norm"] or stream.feature_norm, options["seed"])
    return report, _as_text(report)


def _report_on(theorem: StructuredTheorem, stream: OutputStream, X: float, seed: int) -> Document:
    """The theorem's learner on the stream, beside its bound: sums over the rounds, the expected target in doubles.

    Raises
    ------
    StreamError
        If the theorem does not go with the outputs of the stream.
    """
    size = _size_of(theorem, stream)
    try:
        learner = StructuredGaptron(theorem, size, stream.X.shape[1], X, seed)
        done = run_stream(learner, stream.X, stream.Y)
    except ValueError as error:
        raise StreamError(f"{stream.name}: {error}") from error
    return {
        "schema": 1,
        "data": stream.name,
        "theorem": theorem.name,
        "size": size,
        "rounds": len(stream.X),
        "features": stream.X.shape[1],
        "feature_norm": X,
        "update": theorem.update,
        "learning_rate": learner.eta / X**2,
        "coefficient": learner.alpha,
        "regret": learner.regret,
        "expected_target": float(done.expected_targets.sum()),
        "drawn_target": float(done.drawn_targets.sum()),
        "loss": float(done.losses.sum()),
        "comparator": {"loss": done.comparator_loss, "norm": done.comparator_norm},
        "bound": done.bound,
    }


def _size_of(theorem: StructuredTheorem, stream: OutputStream) -> int:
    """The size of the stream's outputs: the largest class or grade, or from the length of the vectors."""
    if isinstance(theorem.outputs, Finite) or theorem.first_size == theorem.last_size:
        return theorem.first_size
    if stream.Y.ndim == 1:
        largest = int(stream.Y.max())
        return max(largest + 1, 2) if isinstance(theorem.outputs, Classes) else max(largest, 1)
    length = stream.Y.shape[1]
    if isinstance(theorem.outputs, PermutationMatrices):
        root = int(np.sqrt(length))
        if root * root != length:
            raise StreamError(f"{stream.name}: {length} entries are not those of a square matrix")
        return root
    if isinstance(theorem.outputs, Ordinal) and not (np.diff(stream.Y) <= 0).all():
        raise StreamError(f"{stream.name}: an output is no thermometer: ones before zeros are needed, or grades")
    return int(length)


def _as_text(report: Document) -> str:
    """For people."""
    comparator = report["comparator"]
    return "\n".join([
        f"{report['theorem']} on {report['data']}, size {report['size']}: {report['rounds']} rounds",
        f"  eta = {report['learning_rate']:.6g}, X = {report['feature_norm']:.6g}, {report['update']} updates",
        f"  expected target {report['expected_target']:.1f}, drawn {report['drawn_target']:.1f}",
        f"  bound {report['bound']:.1f} = {report['coefficient']:.4g} * {comparator['loss']:.1f} "
        f"+ {report['regret']:.4g} * {comparator['norm']:.4g}^2, for the comparator found in hindsight",
    ])  # fmt: skip
