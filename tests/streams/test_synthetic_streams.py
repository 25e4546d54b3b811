"""SynSep, SynNonSep and streams with a chosen margin are what their descriptions say."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaptron.streams import PlantedStream, check_norm, margin, synnonsep, synsep

T = 20_000


@pytest.fixture(scope="module")
def separable() -> PlantedStream:
    return synsep(T, 0)


def margins(stream: PlantedStream) -> np.ndarray:
    """The lead of the clean label over every other one, under U, round by round."""
    found = []
    for x, y in zip(stream.X, stream.clean, strict=True):
        scores = stream.U @ x
        found.append(scores[y] - np.delete(scores, y).max())
    return np.array(found)


def test_synsep_has_the_bits_of_its_class_but_five_and_twenty_others(separable: PlantedStream) -> None:
    assert separable.X.shape == (T, 400)
    assert set(np.unique(separable.X)) == {0.0, 1.0}
    sets = separable.U[:, :120] == 1
    assert set(np.unique(separable.U)) == {0.0, 1.0}
    assert not separable.U[:, 120:].any()
    assert ((20 <= sets.sum(axis=1)) & (sets.sum(axis=1) <= 40)).all()
    own = sets[separable.y]
    bits = separable.X[:, :120] == 1
    assert not (bits & ~own).any()
    assert ((own & ~bits).sum(axis=1) == 5).all()
    assert (separable.X[:, 120:].sum(axis=1) == 20).all()


def test_the_norms_of_synsep_are_between_the_roots_of_35_and_55(separable: PlantedStream) -> None:
    squares = (separable.X**2).sum(axis=1)
    assert 35 <= squares.min()
    assert squares.max() <= 55
    assert separable.feature_norm == math.sqrt(squares.max())


def test_synsep_uses_all_classes_and_all_other_features_alike(separable: PlantedStream) -> None:
    assert np.bincount(separable.y) == pytest.approx(np.full(9, T / 9), rel=0.1)
    assert separable.X[:, 120:].mean(axis=0) == pytest.approx(np.full(280, 20 / 280), rel=0.15)
    sets = separable.U[:, :120] == 1
    for k in range(9):
        kept = separable.X[separable.y == k][:, :120][:, sets[k]].mean(axis=0)
        assert kept == pytest.approx(np.full(sets[k].sum(), 1 - 5 / sets[k].sum()), abs=0.05)


@pytest.mark.parametrize("seed", range(5))
def test_synsep_is_separated_by_its_weights(seed: int) -> None:
    stream = synsep(500, seed)
    assert (margins(stream) > 0).all()
    assert np.array_equal(stream.y, stream.clean)


def test_synnonsep_is_synsep_with_a_twentieth_of_the_labels_replaced(separable: PlantedStream) -> None:
    noisy = synnonsep(T, 0)
    assert np.array_equal(noisy.X, separable.X)
    assert np.array_equal(noisy.clean, separable.y)
    replaced = noisy.y != noisy.clean
    assert abs(replaced.sum() - 0.05 * T) < 5 * math.sqrt(0.05 * 0.95 * T)
    shifts = (noisy.y - noisy.clean)[replaced] % 9
    assert np.bincount(shifts, minlength=9)[1:] == pytest.approx(np.full(8, replaced.sum() / 8), rel=0.4)


@pytest.mark.few(1)
@pytest.mark.parametrize("make", [synsep, synnonsep])
def test_the_sparse_form_has_the_same_rounds(make: Any) -> None:
    dense, sparse = make(20_000, 3), make(20_000, 3, sparse=True)
    assert np.array_equal(sparse.X.toarray(), dense.X)
    assert sparse.X.indices.dtype == sparse.X.indptr.dtype == np.int32
    assert np.array_equal(sparse.y, dense.y)


@pytest.mark.parametrize("make", [synsep, synnonsep, lambda n, seed: margin(n, 3, 5, 0.1, 0.2, seed)])
def test_the_seed_decides_every_round(make: Any) -> None:
    first, again, other = make(200, 7), make(200, 7), make(200, 8)
    assert np.array_equal(first.X, again.X)
    assert np.array_equal(first.y, again.y)
    assert not np.array_equal(first.X, other.X)
    assert not np.array_equal(make(200, np.random.default_rng(8)).X, first.X)


def test_other_numbers_of_classes_and_features() -> None:
    stream = synsep(300, 0, n_classes=40, n_features=140)
    assert (stream.n_classes, stream.n_features, len(stream.classes)) == (40, 140, 40)
    assert (stream.X[:, 120:] == 1).all()
    assert (margins(stream) > 0).all()


@given(n_classes=st.integers(2, 8), more=st.integers(0, 5), share=st.floats(0.001, 0.99), seed=st.integers(0, 2**32))
def test_every_round_has_the_margin_asked_for(n_classes: int, more: int, share: float, seed: int) -> None:
    asked = share * math.sqrt(n_classes) / (n_classes - 1)
    stream = margin(50, n_classes, n_classes - 1 + more, asked, seed=seed)
    assert np.linalg.norm(stream.U) == pytest.approx(1)
    check_norm(stream.X, 1)
    assert margins(stream).min() >= asked
    assert np.array_equal(stream.y, stream.clean)


def test_rounds_whose_margin_is_large_anyway_are_left_where_they_are() -> None:
    narrow, wide = margin(1000, 3, 2, 1e-6, seed=0), margin(1000, 3, 2, 0.4, seed=0)
    far = margins(narrow) >= 0.4 + 1e-6
    assert 100 < far.sum() < 900
    assert np.array_equal(narrow.X[far], wide.X[far])
    assert margins(wide)[~far] == pytest.approx(np.full((~far).sum(), 0.4), abs=1e-6)


def test_no_weights_have_a_larger_margin_than_the_largest_allowed() -> None:
    """With K = 2 it is sqrt(2), that of U = (v, -v)/sqrt(2) at x = v."""
    stream = margin(20, 2, 1, math.sqrt(2) * 0.999999, seed=0)
    assert np.abs(stream.X) == pytest.approx(np.ones((20, 1)))
    assert margins(stream) == pytest.approx(np.full(20, math.sqrt(2)))


@pytest.mark.parametrize("noise", [0.3, 1.0])
def test_noise_replaces_labels_with_others(noise: float) -> None:
    stream = margin(5000, 4, 6, 0.2, noise, seed=1)
    replaced = (stream.y != stream.clean).mean()
    assert replaced == pytest.approx(noise, abs=0.03)
    assert (margins(stream) >= 0.2).all()
    assert np.bincount(stream.y) == pytest.approx(np.full(4, 1250), rel=0.15)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: synsep(0, 0), "n_rounds = 0 is not an integer >= 1"),
        (lambda: synsep(2.5, 0), "n_rounds = 2.5 is not an integer >= 1"),  # type: ignore[arg-type]
        (lambda: synsep(5, -1), "seed = -1 is not None"),
        (lambda: synsep(5, 0, n_classes=1), "n_classes = 1 is not an integer >= 2"),
        (lambda: synsep(5, 0, n_classes=2000), "n_classes = 2000 is more than 1000"),
        (lambda: synnonsep(5, 0, n_features=139), "n_features = 139 is not an integer >= 140"),
        (lambda: synsep(5, 0, sparse="yes"), "sparse = 'yes' is not True or False"),  # type: ignore[arg-type]
        (lambda: margin(5, 3, 1, 0.1), "n_features = 1 is not an integer >= 2"),
        (lambda: margin(5, 3, 2, 0), "margin = 0 is not a finite number > 0"),
        (lambda: margin(5, 3, 2, 0.9), "margin = 0.9: with n_classes = 3 it must be less than 0.866"),
        (lambda: margin(5, 3, 2, math.nan), "margin = nan is not a finite number > 0"),
        (lambda: margin(5, 3, 2, 0.1, noise=1.5), r"noise = 1.5 is not a number in \[0, 1\]"),
    ],
)
def test_a_bad_argument_is_named_with_its_value(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
