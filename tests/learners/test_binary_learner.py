"""BinaryGaptron: one weight vector, two labels."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from gaptron import BinaryGaptron, BinaryLoss, GapMap, Gaptron, MarginLoss, Theorem
from gaptron.symbols import m, z
from gaptron.theory import by_name

SQUARED = sp.Piecewise(((1 - z) ** 2, z < 1), (0, True))
WEIGHTED = Theorem(
    name="weighted",
    source="blog, Example 3",
    gap_map=GapMap((1 - sp.Min(1, m)) ** 2),
    learning_rate=sp.Rational(1, 16),
    loss=BinaryLoss(
        plus=sp.Piecewise((1 - 4 * z, z < 0), ((1 - z) ** 2, z <= 1), (0, True)),
        minus=sp.Piecewise((0, z < -1), ((1 + z) ** 2, z <= 0), (1 + 2 * z, True)),
    ),
)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_features": 0}, "n_features = 0 is not an integer >= 1"),
        ({"loss": "hinge"}, 'loss = \'hinge\' is not one of "smooth hinge", "squared hinge"'),
        ({"start": [1.0]}, r"start has shape \(1,\): it must have shape \(2,\)"),
        ({"feature_norm": -1}, "feature_norm = -1 is not a finite number > 0"),
        ({"learning_rate": "fast"}, "learning_rate = 'fast' is not a finite number > 0"),
        (
            {"loss": Theorem(name="two rows", loss=MarginLoss(1 - m), gap_map=GapMap(1))},
            'theorem "two rows" has a MarginLoss: use Gaptron',
        ),
        (
            {"loss": Theorem(name="no rate", loss=BinaryLoss(plus=SQUARED), gap_map=GapMap(1))},
            "learning_rate is missing",
        ),
    ],
)
def test_bad_arguments_are_named(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BinaryGaptron(**({"n_features": 2} | arguments))


@pytest.mark.parametrize("label", [-1, 2, 0.0, True])
def test_bad_labels_are_refused(label: object) -> None:
    with pytest.raises(ValueError, match=r"labels are the integers 0\.\.1"):
        BinaryGaptron(1).update([1.0], label)


def test_label_zero_is_predicted_at_zero_and_stands_for_plus_one() -> None:
    learner = BinaryGaptron(1)
    learner.w = [0.5]
    assert learner.predict_proba([0.0]).tolist() == [0.5, 0.5]
    np.testing.assert_allclose(learner.predict_proba([1.0]), [0.875, 0.125])
    np.testing.assert_allclose(learner.predict_proba([-1.0]), [0.125, 0.875])
    never_random = Theorem(name="sign", loss=BinaryLoss(plus=SQUARED), gap_map=GapMap(0), regret=2)
    assert BinaryGaptron(1, loss=never_random).predict_proba([1.0]).tolist() == [1, 0]


@pytest.mark.parametrize("loss", by_name.BINARY)
def test_a_round_by_hand(loss: str) -> None:
    """z = -1/4 and the label +1: smooth hinge 3/2 with slope -2, squared hinge 25/16 with slope -5/2."""
    value, slope = (Fraction(3, 2), -2) if loss == "smooth hinge" else (Fraction(25, 16), Fraction(-5, 2))
    for exact in (False, True):
        learner = BinaryGaptron(2, loss=loss, start=[Fraction(1, 2), 0], feature_norm=2, exact=exact)
        x = [Fraction(-1, 2), Fraction(1)]
        assert learner.learning_rate == Fraction(1, 16)
        assert learner.predict_proba(x).tolist() == [Fraction(9, 32), Fraction(23, 32)]
        assert learner.loss(x, 0) == value
        learner.update(x, 0)
        assert learner.w.tolist() == [Fraction(1, 2) - slope * x[0] / 16, -slope * x[1] / 16]


def test_a_theorem_with_two_sides() -> None:
    learner = BinaryGaptron(1, loss=WEIGHTED)
    scores = np.array([-1.0, 0.0])
    assert learner.surrogate.value(scores, 0) == 5
    assert learner.surrogate.value(scores, 1) == 0
    assert learner.surrogate.score_gradient(scores, 0).tolist() == [-4]
    assert learner.learning_rate == 1 / 16


@pytest.mark.parametrize("loss", [*by_name.BINARY, WEIGHTED])
def test_doubles_agree_with_fractions(loss: object) -> None:
    rng = np.random.default_rng(2)
    features, labels = rng.integers(-8, 9, size=(8, 2)) / 16, rng.integers(0, 2, size=8)
    exact, doubles = (BinaryGaptron(2, loss=loss, exact=flag, seed=0) for flag in (True, False))
    ours, theirs = exact.run(features, labels), doubles.run(features, labels)
    np.testing.assert_allclose(theirs.probability_wrong, ours.probability_wrong.astype(float), atol=1e-12)
    np.testing.assert_allclose(doubles.w, exact.w.astype(float), atol=1e-12)
    assert isinstance(ours.expected_mistakes, Fraction)


@pytest.mark.parametrize("loss", by_name.BINARY)
def test_the_mistake_bound_of_the_blog(loss: str) -> None:
    """Theorem 1 of the blog on noisy streams, for multiples of the last weights, exactly, from start != 0."""
    rng = np.random.default_rng(4)
    features = rng.integers(-11, 12, size=(40, 2)) / 16
    labels = (features @ [1, -1] + rng.integers(-1, 2, size=40) / 8 < 0).astype(int)
    start = [Fraction(-1, 2), Fraction(1, 4)]
    learner = BinaryGaptron(2, loss=loss, start=start, exact=True, seed=0)
    done = learner.run(features, labels)
    for scale in (0, Fraction(1, 2), 1, 2, 4):
        u = learner.w * scale
        losses = [
            learner.surrogate.value([Fraction(x[0]) * u[0] + Fraction(x[1]) * u[1], Fraction(0)], label)
            for x, label in zip(features.tolist(), labels, strict=True)
        ]
        assert done.expected_mistakes <= sum(losses) + 2 * sum((u - start) ** 2)


def test_two_rows_of_gaptron_are_one_vector_with_twice_the_rate() -> None:
    """W^1 - W^2 of the two-class learner moves by 2 eta: with half the rate it is the one vector."""
    rng = np.random.default_rng(5)
    features, labels = rng.normal(size=(50, 3)) / 3, rng.integers(0, 2, size=50)
    rows, vector = Gaptron(2, 3, learning_rate=0.1, seed=0), BinaryGaptron(3, learning_rate=0.2, seed=0)
    ours, theirs = vector.run(features, labels), rows.run(features, labels)
    np.testing.assert_allclose(rows.W[0] - rows.W[1], vector.w)
    np.testing.assert_allclose(ours.probability_wrong, theirs.probability_wrong)
    assert ours.mistakes == theirs.mistakes
