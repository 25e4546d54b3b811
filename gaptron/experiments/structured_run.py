"""A structured theorem on a stream: the expected target beside the theorem's bound."""

from dataclasses import asdict, dataclass

import numpy as np

from gaptron.bounds.structured_bound import run_stream
from gaptron.learners.structured_prediction import StructuredGaptron
from gaptron.streams.errors import StreamError
from gaptron.streams.output_streams import OutputStream
from gaptron.system.documents import Document
from gaptron.theory.structured.outputs import Classes, Finite, Ordinal, PermutationMatrices
from gaptron.theory.structured.structured_theorem import StructuredTheorem


@dataclass(frozen=True)
class StructuredReport:
    """What ``gaptron run`` says: sums over the rounds, the expected target exact in doubles."""

    schema: int
    data: str
    theorem: str
    size: int
    rounds: int
    features: int
    feature_norm: float
    update: str
    learning_rate: float
    coefficient: float
    regret: float
    expected_target: float
    drawn_target: float
    loss: float
    comparator: dict[str, float]
    bound: float


def report_on(
    theorem: StructuredTheorem, stream: OutputStream, feature_norm: float | None, seed: int
) -> StructuredReport:
    """Run the theorem's learner on the stream, and search a comparator in hindsight.

    Raises
    ------
    StreamError
        If the theorem does not go with the outputs of the stream.
    """
    size, X = size_of(theorem, stream), feature_norm or stream.feature_norm
    try:
        learner = StructuredGaptron(theorem, size, stream.X.shape[1], X, seed)
        done = run_stream(learner, stream.X, stream.Y)
    except ValueError as error:
        raise StreamError(f"{stream.name}: {error}") from error
    return StructuredReport(
        schema=1,
        data=stream.name,
        theorem=theorem.name,
        size=size,
        rounds=len(stream.X),
        features=stream.X.shape[1],
        feature_norm=X,
        update=theorem.update,
        learning_rate=learner.eta / X**2,
        coefficient=learner.alpha,
        regret=learner.regret,
        expected_target=float(done.expected_targets.sum()),
        drawn_target=float(done.drawn_targets.sum()),
        loss=float(done.losses.sum()),
        comparator={"loss": done.comparator_loss, "norm": done.comparator_norm},
        bound=done.bound,
    )


def size_of(theorem: StructuredTheorem, stream: OutputStream) -> int:
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


def as_document(report: StructuredReport) -> Document:
    """For ``--json``."""
    return asdict(report)


def as_text(report: StructuredReport) -> str:
    """For people."""
    return "\n".join(
        [
            f"{report.theorem} on {report.data}, size {report.size}: {report.rounds} rounds",
            f"  eta = {report.learning_rate:.6g}, X = {report.feature_norm:.6g}, {report.update} updates",
            f"  expected target {report.expected_target:.1f}, drawn {report.drawn_target:.1f}",
            f"  bound {report.bound:.1f} = {report.coefficient:.4g} * {report.comparator['loss']:.1f} "
            f"+ {report.regret:.4g} * {report.comparator['norm']:.4g}^2, for the comparator found in hindsight",
        ]
    )
