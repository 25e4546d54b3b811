"""Sparse features: the same stream as dense ones, norms, and one sentence for what is no stream."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from gaptron.learners import Gaptron
from gaptron.streams import Stream, StreamError, check_norm, read, stream, synsep

ROUNDS = np.array([[3.0, 0, 0, 4], [0, 0, 0, 0], [0, -6, 8, 0]])
LABELS = np.array([0, 1, 1])
KINDS = [np.asarray, sparse.csr_array, sparse.csr_matrix, sparse.csc_array, sparse.coo_array, sparse.lil_matrix]


def made(X: Any, y: Any = LABELS, classes: tuple[str, ...] = ("a", "b")) -> Stream:
    return Stream("s", X, y, classes)


def dense(X: Any) -> Any:
    return X.toarray() if sparse.issparse(X) else X


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_matrix_is_the_same_stream(kind: Any) -> None:
    found = made(kind(ROUNDS))
    assert (found.n_rounds, found.n_features, found.n_classes) == (3, 4, 2)
    assert found.feature_norm == 10
    assert np.array_equal(dense(found.X), ROUNDS)
    assert np.array_equal(dense(found.with_bias().X), np.column_stack([ROUNDS, [1, 1, 1]]))
    assert np.array_equal(dense(found.scaled().X), ROUNDS / 10)
    assert found.scaled().feature_norm == 1
    assert isinstance(found.X, sparse.csr_array if sparse.issparse(kind(ROUNDS)) else np.ndarray)
    assert isinstance(found.with_bias().X, type(found.X))
    assert isinstance(found.scaled().X, type(found.X))


def test_integers_are_numbers_and_entries_that_stand_twice_are_added() -> None:
    assert made(ROUNDS.astype(int)).X.dtype == float
    twice = sparse.coo_array(([1.0, 2.0, 4.0], ([0, 0, 2], [1, 1, 0])), shape=(3, 2)).tocsr()
    repeated = sparse.csr_array(([1.0, 2.0, 4.0], [1, 1, 0], [0, 2, 2, 3]), shape=(3, 2))
    assert np.array_equal(made(repeated).X.toarray(), twice.toarray())
    assert repeated.nnz == 3
    assert made(repeated).feature_norm == 4


def test_no_entries_at_all_have_norm_one() -> None:
    assert made(sparse.csr_array((3, 5))).feature_norm == 1
    assert made(sparse.csr_array((3, 5))).scaled().X.nnz == 0


@given(X=arrays(float, (4, 3), elements=st.floats(-1e50, 1e50).map(lambda v: 0.0 if abs(v) < 1e-50 else v)))
def test_norms_of_sparse_and_dense_features_are_those_of_numpy(X: np.ndarray) -> None:
    y = np.array([0, 1, 0, 1])
    expected = max(float(np.linalg.norm(row / (np.abs(X).max() or 1))) for row in X) * np.abs(X).max() or 1
    for kind in (np.asarray, sparse.csr_array):
        found = made(kind(X), y)
        assert found.feature_norm == pytest.approx(expected, rel=1e-12)
        check_norm(found.X, found.feature_norm)
        check_norm(found.scaled().X, 1)


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_round_above_the_bound_is_named_with_its_norm(kind: Any) -> None:
    check_norm(kind(ROUNDS), 10)
    for bound, message in [
        (9.999, "X: round 3 has norm 10: at most 9.999 is allowed"),
        (4, "X: round 1 has norm 5: at most 4 is allowed"),
    ]:
        with pytest.raises(StreamError, match=message):
            check_norm(kind(ROUNDS), bound)


@pytest.mark.parametrize("bound", [0, -1, float("nan"), "1"])
def test_a_bound_is_a_number_above_zero(bound: Any) -> None:
    with pytest.raises(ValueError, match=f"bound = {bound!r} is not a number > 0"):
        check_norm(ROUNDS, bound)


def test_norms_beyond_doubles_are_refused_before_they_are_computed() -> None:
    with pytest.raises(StreamError, match=r"X: the largest feature is 1e\+200 in absolute value"):
        check_norm(np.array([[1.0], [1e200]]), 5)
    check_norm(ROUNDS, float("inf"))


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_feature_that_is_not_finite_is_named(kind: Any, value: float) -> None:
    X = ROUNDS.copy()
    X[2, 1] = value
    for refused in (lambda: made(kind(X)), lambda: stream("s", kind(X), ["a", "b", "a"])):
        with pytest.raises(StreamError, match=f"s: feature 2 of round 3 is {value}, not a finite number"):
            refused()
    with pytest.raises(StreamError, match=f"X: feature 2 of round 3 is {value}"):
        check_norm(kind(X), 1)


def broken(indices: list[int], ends: list[int]) -> Any:
    """A matrix whose arrays do not fit, as one that was changed in place."""
    X = sparse.csr_array(ROUNDS)
    X.indices, X.indptr = np.array(indices, dtype=np.int32), np.array(ends, dtype=np.int32)
    return X


@pytest.mark.parametrize(
    ("X", "y", "classes", "message"),
    [
        (np.zeros((0, 4)), LABELS[:0], "ab", "s: holds no rounds"),
        (sparse.csr_array((0, 4)), LABELS[:0], "ab", "s: holds no rounds"),
        (np.zeros((3, 0)), LABELS, "ab", "s: the features have shape (3, 0): (T, d) is needed, with d >= 1"),
        (sparse.csr_array((3, 0)), LABELS, "ab", "s: the features have shape (3, 0): (T, d) is needed, with d >= 1"),
        (np.zeros(3), LABELS, "ab", "s: the features have shape (3,): (T, d) is needed"),
        (sparse.coo_array(np.zeros(3)), LABELS, "ab", "s: the features have shape (3,): (T, d) is needed"),
        (np.zeros((3, 2, 2)), LABELS, "ab", "s: the features have shape (3, 2, 2): (T, d) is needed"),
        ([[1.0], [1.0, 2.0], [3.0]], LABELS, "ab", "s: the features are not an array of shape (T, d)"),
        (ROUNDS.astype(str), LABELS, "ab", "s: the features have type <U32: numbers are needed"),
        (ROUNDS.astype(object), LABELS, "ab", "s: the features have type object: numbers are needed"),
        (ROUNDS * 1j, LABELS, "ab", "s: the features have type complex128: numbers are needed"),
        (sparse.csr_array(ROUNDS * 1j), LABELS, "ab", "s: the features have type complex128: numbers are needed"),
        (ROUNDS, LABELS[:2], "ab", "s: X has 3 rounds and y has shape (2,): (3,) is needed"),
        (sparse.csr_array(ROUNDS.T), LABELS, "ab", "s: X has 4 rounds and y has shape (3,): (4,) is needed"),
        (ROUNDS, LABELS[:, None], "ab", "s: X has 3 rounds and y has shape (3, 1): (3,) is needed"),
        (ROUNDS, LABELS.astype(float), "ab", "s: the labels have type float64: integers in 0..1 are needed"),
        (ROUNDS, ["a", "b", "a"], "ab", "s: the labels have type <U1: integers in 0..1 are needed"),
        (ROUNDS, [0, 1, 2], "ab", "s: the label of round 3 is 2, not one of 0..1"),
        (ROUNDS, [0, -1, 7], "ab", "s: the label of round 2 is -1, not one of 0..1"),
        (ROUNDS, [0, 0, 0], "a", "s: has 1 classes: at least two are needed"),
        (ROUNDS * 1e100, LABELS, "ab", "s: scale the features"),
        (sparse.csr_array(ROUNDS * 1e-120), LABELS, "ab", "s: scale the features"),
        (broken([0, 3, 1, 9], [0, 2, 2, 4]), LABELS, "ab", "s: the features are not a sparse matrix of shape (3, 4)"),
        (broken([0, 3, 1, 2], [0, 3, 2, 4]), LABELS, "ab", "s: the features are not a sparse matrix of shape (3, 4)"),
    ],
)
def test_what_is_no_stream_is_refused_in_one_sentence(X: Any, y: Any, classes: str, message: str) -> None:
    expected = ".*".join(map(re.escape, message.split(": ", 1))) if "scale" in message else re.escape(message)
    with pytest.raises(StreamError, match=expected) as raised:
        made(X, y, tuple(classes))
    assert "\n" not in str(raised.value)


def test_raw_labels_may_come_with_sparse_features() -> None:
    found = stream("s", sparse.csr_array(ROUNDS), ["10", "9", "+9"])
    assert (found.classes, found.y.tolist()) == (("9", "10"), [1, 0, 0])
    assert np.array_equal(found.X.toarray(), ROUNDS)


def libsvm(folder: Path, rounds: int, width: int, per_round: int) -> tuple[Path, np.ndarray]:
    rng = np.random.default_rng(0)
    X = np.zeros((rounds, width))
    for row in X:
        row[rng.choice(width, per_round, replace=False)] = rng.integers(1, 9, per_round)
    X[-1, -1] = 1
    lines = [f"{t % 3} " + " ".join(f"{i + 1}:{x[i]}" for i in np.flatnonzero(x)) for t, x in enumerate(X)]
    file = folder / "data.svm"
    file.write_text("\n".join(lines))
    return file, X


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("shape", "per_round", "is_sparse"),
    [((101, 10_000), 20, True), ((99, 10_000), 20, False), ((1010, 1000), 99, True), ((1010, 1000), 101, False)],
)
def test_a_libsvm_file_is_sparse_if_it_is_large_and_nearly_empty(
    shape: tuple[int, int], per_round: int, is_sparse: bool, tmp_path: Path
) -> None:
    file, X = libsvm(tmp_path, *shape, per_round)
    found = read(file)
    assert sparse.issparse(found.X) == is_sparse
    assert np.array_equal(dense(found.X), X)
    assert found.y.tolist() == [t % 3 for t in range(shape[0])]


def test_a_small_file_may_have_features_without_number(tmp_path: Path) -> None:
    file = tmp_path / "data.libsvm"
    file.write_text("a 10000000:1\nb 3:2 1:7\n" * 30)
    found = read(file)
    assert found.X.shape == (60, 10**7)
    assert found.X.nnz == 90
    assert found.X[[1], :3].toarray().tolist() == [[7, 0, 2]]


def test_a_learner_lives_a_sparse_stream_as_the_dense_one() -> None:
    runs = []
    for form in (synsep(300, 0), synsep(300, 0, sparse=True)):
        rounds = form.scaled().with_bias()
        runs.append(Gaptron(9, rounds.n_features, feature_norm=rounds.feature_norm, seed=1).run(rounds.X, rounds.y))
    assert np.array_equal(runs[0].wrong, runs[1].wrong)
    assert runs[0].expected_mistakes == pytest.approx(runs[1].expected_mistakes, rel=1e-12)
    assert runs[0].expected_mistakes > 0
