"""The learner of structured theorems: means, decoders that are distributions and keep their promise, bounds, run."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Rational, log

from gaptron import StructuredTheorem
from gaptron.bounds.structured_bound import run_stream
from gaptron.commands.cli import main
from gaptron.learners.structured_prediction import StructuredGaptron
from gaptron.rounds.layouts import VECTORS
from gaptron.streams.errors import StreamError
from gaptron.streams.output_streams import OutputStream, output_stream
from gaptron.symbols import d, v
from gaptron.theory.files import load
from gaptron.theory.structured import (
    BinaryEntropy,
    Classes,
    Convolutional,
    Cost,
    Cube,
    Finite,
    Hamming,
    KendallTau,
    Ordinal,
    PermutationMatrices,
    Quadratic,
    RankVectors,
    Separable,
    Shannon,
    SquaredNorm,
    Tsallis,
    ZeroOne,
)
from gaptron.theory.structured.means import Means, falling

REPOSITORY = Path(__file__).resolve().parents[2]
HALF = Rational(1, 2)
LN2 = log(2)
COSTS = Cost([[0, 1, 3], [2, 0, 1], [1, 1, 0]])
SOFT = {"entropy": Shannon(), "scale": 1 / LN2, "learning_rate": 2 * LN2**2}


def theorem(**arguments: Any) -> StructuredTheorem:
    usual = {"name": "example", "outputs": Classes(), "target": ZeroOne(), "entropy": SquaredNorm(), "coefficient": 4}
    return StructuredTheorem(**usual | {"learning_rate": HALF} | arguments)


SETTINGS: dict[str, tuple[StructuredTheorem, int]] = {  # each of them proved elsewhere in these tests
    "softmax": (theorem(**SOFT, coefficient=1), 4),
    "sparsemax": (theorem(), 5),
    "entmax": (theorem(entropy=Tsallis(Rational(3, 2)), coefficient=2), 4),
    "own costs": (theorem(target=COSTS, coefficient=8), 3),
    "multilabel": (theorem(outputs=Cube(), target=Hamming(), coefficient=8 / d), 3),
    "multilabel, logistic": (
        theorem(outputs=Cube(), target=Hamming(), entropy=BinaryEntropy(), coefficient=HALF / d / (LN2 - HALF / 8)), 3
    ),
    "exact sets": (theorem(outputs=Cube(), coefficient=8), 3),
    "ordinal": (theorem(outputs=Ordinal(), target=Hamming(), coefficient=8 / d), 4),
    "rank vectors": (theorem(outputs=RankVectors(), target=KendallTau(), coefficient=8 / (d * (d - 1))), 3),
    "matrices": (theorem(outputs=PermutationMatrices(), target=Hamming(), **SOFT, coefficient=2 / d**2), 3),
    "convolutional": (theorem(entropy=Convolutional(SquaredNorm()), learning_rate=1, coefficient=1), 3),
    "proximal softmax": (
        theorem(entropy=Shannon(), scale=1 / LN2, coefficient=1, learning_rate=None, update="proximal",
                regret=1 / (4 * LN2**2)), 3
    ),
    "proximal multilabel": (
        theorem(outputs=Cube(), target=Hamming(), coefficient=8 / d, learning_rate=None, update="proximal",
                regret=8 / d), 3
    ),
}  # fmt: skip


@pytest.mark.few(2)
@pytest.mark.parametrize("name", SETTINGS)
def test_the_decoder_is_a_distribution_that_keeps_its_promise_at_every_score(name: str) -> None:
    proved, size = SETTINGS[name]
    learner, random = StructuredGaptron(proved, size, 1), np.random.default_rng(5)
    for spread in (0.1, 1.0, 5.0):
        for _ in range(4):
            learner.W = spread * random.normal(size=learner.W.shape)
            shares = learner.predict_proba([1.0])
            assert shares.min() >= 0
            assert shares.sum() == pytest.approx(1, abs=1e-12)
            allowed = learner._allowed(learner.W[:, 0])
            assert (shares @ learner.means.table <= allowed + 1e-5 * (1 + spread)).all()


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["softmax", "own costs", "multilabel", "ordinal", "proximal multilabel"])
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_the_expected_target_is_below_the_bound_for_every_comparator(name: str, data: st.DataObject) -> None:
    proved, size = SETTINGS[name]
    learner = StructuredGaptron(proved, size, 2)
    count = len(learner.means.vectors)
    rounds = data.draw(st.integers(1, 12))
    angles = [data.draw(st.floats(0, 6.3)) for _ in range(rounds)]
    labels = [data.draw(st.integers(0, count - 1)) for _ in range(rounds)]
    entries = data.draw(st.lists(st.floats(-3, 3), min_size=learner.W.size, max_size=learner.W.size))
    X = np.array([[np.cos(a), np.sin(a)] for a in angles])
    done = run_stream(learner, X, np.array(labels), iterations=5)
    other = StructuredGaptron(proved, size, 2)
    other.W = np.array(entries).reshape(other.W.shape)
    loss = sum(other.loss(x, y) for x, y in zip(X, labels, strict=True))
    assert done.expected_targets.sum() <= done.bound + 1e-6
    assert done.expected_targets.sum() <= other.alpha * loss + learner.regret * float((other.W**2).sum()) + 1e-6


@pytest.mark.slow
@pytest.mark.parametrize(
    ("outputs", "entropy", "size"),
    [
        (Classes(), Shannon(), 4),
        (Classes(), SquaredNorm(), 4),
        (Classes(), Tsallis(Rational(3, 2)), 4),
        (Classes(), Separable(v**2 / 2 + v * log(v)), 3),
        (Cube(), BinaryEntropy(), 3),
        (Cube(), SquaredNorm(), 3),
        (Ordinal(), SquaredNorm(), 4),
        (Ordinal(), BinaryEntropy(), 3),
        (RankVectors(), SquaredNorm(), 4),
        (PermutationMatrices(), Shannon(), 3),
        (Finite([[0, 0], [1, 0], [0, 2]]), SquaredNorm(), 2),
        (Finite([[0, 0], [1, 0], [0, 2]]), Quadratic([[2, 1], [1, 2]]), 2),
    ],
)
@pytest.mark.parametrize("tau", [0.7, 0.0])
def test_a_mean_is_where_no_output_is_a_better_direction(outputs: Any, entropy: Any, size: int, tau: float) -> None:
    """m is the maximiser if and only if <theta + tau (c - m) - grad Omega(m), y - m> <= 0 for every output y."""
    means = Means(theorem(outputs=outputs, entropy=entropy, target=ZeroOne()), size)
    random = np.random.default_rng(11)
    for _ in range(4):
        theta, centre = random.normal(size=means.dimension), means.vectors[0]
        mean = means.mean(theta, tau, centre)
        slope = theta + tau * (centre - mean) - means._gradient(mean)
        assert (slope @ (means.vectors - mean).T).max() < 2e-3


def test_pooled_sequences_fall() -> None:
    values = np.array([1.0, 3.0, 2.0, 2.0, 0.0, 5.0])
    found = falling(values)
    assert (np.diff(found) <= 0).all()
    assert found.sum() == pytest.approx(values.sum())


def test_what_is_needed_too_much_is_scaled_down() -> None:
    assert VECTORS.topped_up(np.array([0.75, 0.5]), 1.25, 0) == pytest.approx([0.6, 0.4])
    assert VECTORS.topped_up(np.array([0.25, 0.5]), 0.75, 0) == pytest.approx([0.5, 0.5])


@pytest.mark.slow
def test_predictions_are_drawn_from_the_decoder() -> None:
    proved, size = SETTINGS["own costs"]
    learner = StructuredGaptron(proved, size, 1, seed=3)
    drawn = np.mean([learner.predict([1.0]) for _ in range(4000)], axis=0)
    assert drawn == pytest.approx(learner.predict_proba([1.0]) @ learner.means.vectors, abs=0.04)


def test_marginals_and_products_agree_on_the_cube() -> None:
    proved, size = SETTINGS["multilabel"]
    learner = StructuredGaptron(proved, size, 1)
    learner.W = np.array([[0.2], [0.5], [0.9]])
    assert learner.predict_proba([1.0]) @ learner.means.vectors == pytest.approx(learner.predict_marginals([1.0]))
    assert learner.expected_target([1.0], [0, 1, 1]) == pytest.approx(
        float(learner.predict_proba([1.0]) @ learner.means.table[:, 3])
    )


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda learner: learner.update([2.0], 0), "longer than feature_norm"),
        (lambda learner: learner.update([0.5, 0.5], 0), "has 1 finite entries"),
        (lambda learner: learner.update([0.5], 7), "label 7 is not a number from 0 to 2"),
        (lambda learner: learner.update([0.5], [1, 0]), "an output has 3 entries"),
    ],
)
def test_a_bad_round_is_refused(action: Any, message: str) -> None:
    proved, size = SETTINGS["own costs"]
    with pytest.raises(ValueError, match=message):
        action(StructuredGaptron(proved, size, 1))


def test_a_theorem_without_a_rate_has_no_learner() -> None:
    with pytest.raises(ValueError, match="neither a learning rate nor a regret"):
        StructuredGaptron(theorem(learning_rate=None), 3, 1)
    with pytest.raises(ValueError, match="is not claimed for K = 4"):
        StructuredGaptron(theorem(sizes=3), 4, 1)


@pytest.mark.slow
def test_a_user_s_own_costs_run() -> None:
    (statement,) = load(REPOSITORY / "examples" / "own_costs.py")
    learner, random = StructuredGaptron(statement.item, 3, 4), np.random.default_rng(0)
    X = random.normal(size=(60, 4))
    X /= np.sqrt((X**2).sum(axis=1, keepdims=True))
    done = run_stream(learner, X, np.argmax(X[:, :3], axis=1))
    assert done.expected_targets.sum() <= done.bound
    assert done.expected_targets[-20:].mean() < done.expected_targets[:20].mean()


COORDINATES = REPOSITORY / "proofs" / "new" / "structured_coordinates.py"


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("data", "name", "rounds"),
    [
        ("multilabel", "multilabel, Hamming target, SparseMAP", 200),
        ("yeast", "multilabel, Hamming target, logistic", 150),
        ("diabetes-grades", "ordinal, SparseMAP", 120),
    ],
)
def test_run_reports_the_expected_target_beside_the_bound(data: str, name: str, rounds: int) -> None:
    given = ["run", data, "--loss", f"{COORDINATES}:{name}", "--rescale", "--bias", "--rounds", str(rounds), "--json"]
    result = CliRunner().invoke(main, given)
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["rounds"] == rounds
    assert 0 < found["expected_target"] <= found["bound"]


def test_run_reads_a_file_and_refuses_what_does_not_fit(tmp_path: Path) -> None:
    random, file = np.random.default_rng(0), tmp_path / "labels.npz"
    np.savez(file, X=random.normal(size=(30, 3)), Y=(random.random((30, 4)) < 0.5).astype(float))
    loss = ["--loss", f"{COORDINATES}:multilabel, Hamming target, SparseMAP"]
    done = CliRunner().invoke(main, ["run", str(file), *loss])
    assert done.exit_code == 0, done.output
    assert "size 4: 30 rounds" in done.stdout
    refused = CliRunner().invoke(main, ["run", str(file), *loss, "--feedback", "bandit"])
    assert refused.exit_code == 2
    assert "--feedback does not go with a structured theorem" in refused.output
    ordinal = CliRunner().invoke(main, ["run", str(file), "--loss", f"{COORDINATES}:ordinal, SparseMAP"])
    assert ordinal.exit_code == 2
    assert "no thermometer" in ordinal.output


def test_streams_of_outputs_say_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(StreamError, match="is neither a"):
        output_stream("nothing")
    with pytest.raises(StreamError, match="are needed"):
        OutputStream("short", np.zeros((2, 1)), np.zeros(3))
    with pytest.raises(StreamError, match="cannot be read"):
        output_stream(str(tmp_path / "missing.npz"))


@pytest.mark.parametrize(
    ("damaged", "said"),
    [
        (lambda content: b"", "is not a NumPy file of plain numbers: No data left in file"),
        (lambda content: content[:300], "is not a NumPy file of plain numbers: File is not a zip file"),
        (lambda content: content[:150] + b"?" + content[151:], "is not a NumPy file of plain numbers: Bad CRC-32"),
        (lambda content: content[content.index(b"\x93NUMPY") : content.index(b"PK", 4)], "holds no arrays X and Y"),
    ],
)
def test_a_damaged_file_of_outputs_is_one_sentence(
    damaged: Callable[[bytes], bytes], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "outputs.npz"
    np.savez(file, X=np.eye(2), Y=np.eye(2))
    file.write_bytes(damaged(file.read_bytes()))
    with pytest.raises(StreamError, match=f"outputs.npz: {said}"):
        output_stream(str(file))


def test_an_output_stream_of_another_shape_is_named_once(tmp_path: Path) -> None:
    np.savez(tmp_path / "cube.npz", X=np.ones((2, 2, 2)), Y=np.eye(2))
    with pytest.raises(StreamError, match=r"cube\.npz: X has shape \(2, 2, 2\) and Y") as refused:
        output_stream(str(tmp_path / "cube.npz"))
    assert str(refused.value).count("cube.npz") == 1


def test_the_softmax_theorem_runs_as_the_learner_of_one_loss_does() -> None:
    """Two learners that share no code beyond NumPy: expected mistakes on real data, exactly as many."""
    from gaptron import Gaptron, SoftmaxLoss, Theorem
    from gaptron.symbols import p

    loss = SoftmaxLoss(-log(p) / LN2)
    one = Theorem(name="softmax", loss=loss, decoder="best", learning_rate=2 * LN2**2)
    stream = output_stream("digits", 80).scaled()
    proved, _ = SETTINGS["softmax"]
    learner, other = StructuredGaptron(proved, 10, 64), Gaptron(10, 64, loss=one)
    for x, label in zip(stream.X, stream.Y.astype(int), strict=True):
        assert learner.predict_proba(x) == pytest.approx(other.predict_proba(x), abs=1e-9)
        learner.update(x, label)
        other.update(x, label)


def test_the_regret_of_the_learner_is_that_of_the_theorem() -> None:
    learner = StructuredGaptron(theorem(regret=4), 3, 2, feature_norm=2.0)
    assert learner.regret == pytest.approx(float(Fraction(16)))
