"""The learner against the paper's formulas, round by round: exactly in fractions, to 1e-9 in doubles."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaptron import Gaptron
from gaptron.learners.surrogates import in_doubles
from gaptron.theory.named import BINARY, named_binary_theorem
from properties import formulas, strategies

LOSSES = (formulas.Hinge, formulas.SmoothHinge)
NAMES = ("logistic", "hinge", "smooth hinge")
MARGINS = st.floats(-1e3, 1e3)


def as_doubles(numbers: object) -> np.ndarray:
    return np.array(numbers, dtype=object).astype(float)


def dyadic_threshold(name: str, W: formulas.Matrix, x: formulas.Vector, y: int) -> tuple:
    """The round, cut to two classes where the threshold 1/K of the hinge loss is not a double."""
    return (W[:2], x, min(y, 1)) if name == "hinge" and len(W) not in (2, 4) else (W, x, y)


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", LOSSES)
@given(stream=strategies.streams())
def test_exact_learner_equals_the_formulas(kind: type, stream: strategies.Stream) -> None:
    K, X, y = stream
    loss, learner = kind(K), Gaptron(K, len(X[0]), loss=kind.name, exact=True, seed=0)
    W = learner.W.tolist()
    for x, label in zip(X, y, strict=True):
        theta = formulas.scores(W, x)
        assert learner.predict_proba(x).tolist() == formulas.distribution(loss, theta)
        assert learner.loss(x, label) == formulas.value(loss, theta, label)
        learner.update(x, label)
        W = formulas.step(loss, W, x, label)
        assert learner.W.tolist() == W
    assert all(isinstance(w, Fraction) for w in learner.W.ravel())


@pytest.mark.parametrize("kind", LOSSES)
def test_another_learning_rate_is_noticed(kind: type) -> None:
    learner, loss = Gaptron(3, 1, loss=kind.name, exact=True), kind(3)
    learner.learning_rate *= Fraction(1001, 1000)
    before = learner.W.tolist()
    learner.update([1], 1)
    assert learner.W.tolist() != formulas.step(loss, before, [Fraction(1)], 1)


@pytest.mark.parametrize("kind", LOSSES)
@given(item=strategies.rounds())
def test_double_round_equals_the_formulas(kind: type, item: tuple) -> None:
    W, x, y = dyadic_threshold(kind.name, *item)
    loss, theta = kind(len(W)), formulas.scores(W, x)
    learner = Gaptron(len(W), len(x), loss=kind.name)
    learner.W = as_doubles(W)
    expected = as_doubles(formulas.distribution(loss, theta))
    np.testing.assert_allclose(learner.predict_proba(x), expected, rtol=0, atol=1e-9)
    assert learner.loss(x, y) == pytest.approx(float(formulas.value(loss, theta, y)), abs=1e-9)
    learner.update(x, y)
    np.testing.assert_allclose(learner.W, as_doubles(formulas.step(loss, W, x, y)), rtol=0, atol=1e-9)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", NAMES)
@given(item=strategies.rounds())
def test_double_round_equals_the_exact_round(name: str, item: tuple) -> None:
    W, x, y = dyadic_threshold(name, *item)
    exact, doubles = (Gaptron(len(W), len(x), loss=name, exact=flag) for flag in (True, False))
    exact.W = np.array([[exact.surrogate.arithmetic.number(w) for w in row] for row in W], dtype=object)
    doubles.W = as_doubles(W)
    expected = as_doubles(exact.predict_proba(x))
    np.testing.assert_allclose(doubles.predict_proba(x), expected, rtol=0, atol=1e-9)
    assert doubles.loss(x, y) == pytest.approx(float(exact.loss(x, y)), abs=1e-9)
    exact.update(x, y)
    doubles.update(x, y)
    np.testing.assert_allclose(doubles.W, as_doubles(exact.W), rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", BINARY)
@given(z=MARGINS)
def test_the_binary_gap_map_is_the_loss_of_the_predicted_label(name: str, z: float) -> None:
    surrogate, predicted = in_doubles(named_binary_theorem(name), 2), 0 if z >= 0 else 1
    assert surrogate.gap([z, 0.0]) == pytest.approx(surrogate.value([z, 0.0], predicted), abs=1e-9)


@pytest.mark.parametrize("kind", LOSSES)
@given(item=strategies.rounds())
def test_one_step_of_the_lemma(kind: type, item: tuple) -> None:
    """(||W - U||^2 - ||W' - U||^2)/(2 eta) >= loss(W) - loss(U) - (eta/2) ||g||^2, here at U = 0."""
    W, x, y = item
    loss = kind(len(W))
    theta, after = formulas.scores(W, x), formulas.step(loss, W, x, y)
    if loss.is_off(theta, y):
        return
    squared = formulas.squared_norm(formulas.gradient(loss, theta, x, y))
    drop = formulas.squared_norm(W) - formulas.squared_norm(after)
    at_zero = loss.phi(Fraction(0))
    assert drop / (2 * loss.eta) >= formulas.value(loss, theta, y) - at_zero - loss.eta / 2 * squared
