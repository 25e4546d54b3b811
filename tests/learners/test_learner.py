"""Gaptron: arguments, distributions, feedback, parameters, and what it learns."""

import math
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from gaptron import BinaryLoss, GapMap, Gaptron, MarginLoss, SoftmaxLoss, Theorem
from gaptron.learners.surrogates import in_doubles
from gaptron.numbers.evaluate import UncertainError
from gaptron.symbols import D, K, T, X, gamma, m, p, z
from gaptron.theory.by_name import theorem as theorem_of

LOSSES = ("logistic", "hinge", "smooth hinge")
SQUARED = Theorem(
    name="squared hinge",
    loss=MarginLoss(sp.Piecewise(((1 - m) ** 2, m < 1), (0, True))),
    gap_map=GapMap((1 - sp.Min(1, m)) ** 2),
    learning_rate=1 / (8 * K),
)


def stream(n_rounds: int = 400, n_classes: int = 3, d: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """A separable stream with features of norm one."""
    rng = np.random.default_rng(7)
    features = rng.normal(size=(n_rounds, d))
    features /= np.linalg.norm(features, axis=1)[:, None]
    return features, (features @ rng.normal(size=(d, n_classes))).argmax(axis=1)


# --- arguments ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_classes": 1}, "n_classes = 1 is not an integer >= 2"),
        ({"n_classes": True}, "n_classes = True is not an integer >= 2"),
        ({"n_classes": 2.0}, r"n_classes = 2\.0 is not an integer >= 2"),
        ({"n_features": 0}, "n_features = 0 is not an integer >= 1"),
        ({"loss": "log"}, 'loss = \'log\' is not one of "logistic", "hinge", "smooth hinge"'),
        ({"loss": 3}, 'loss = 3 is neither one of "logistic"'),
        ({"feedback": "none"}, 'feedback = \'none\' is not one of "full", "bandit"'),
        ({"learning_rate": 0}, "learning_rate = 0 is not a finite number > 0"),
        ({"learning_rate": math.nan}, "learning_rate = nan is not a finite number > 0"),
        ({"learning_rate": True}, "learning_rate = True is not a finite number > 0"),
        ({"exploration": 1.5}, r"exploration = 1\.5 is not a number in \[0, 1\]"),
        ({"exploration": -0.1}, r"exploration = -0\.1 is not a number in \[0, 1\]"),
        ({"feature_norm": math.inf}, "feature_norm = inf is not a finite number > 0"),
        ({"radius": 0}, "radius = 0 is not a number > 0"),
        ({"horizon": 0}, "horizon = 0 is not an integer >= 1"),
        ({"seed": "x"}, "seed = 'x' is not None, an integer >= 0 or a numpy.random.Generator"),
        ({"seed": -1}, "seed = -1 is not None"),
        ({"exact": 1}, "exact = 1 is not True or False"),
        ({"feedback": "bandit"}, "radius = inf, horizon = None: without exploration, bandit feedback needs"),
        ({"feedback": "bandit", "exploration": 0}, "learning_rate is missing: with exploration = 0"),
    ],
)
def test_bad_arguments_are_named(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Gaptron(**({"n_classes": 3, "n_features": 2} | arguments))


@pytest.mark.parametrize("x", [[1.0], [[1.0, 2.0]], 1.0, ["a", "b"], [1.0, math.nan], [math.inf, 0.0], None])
@pytest.mark.parametrize("exact", [False, True])
def test_bad_features_are_refused_and_nothing_is_learned(x: object, exact: bool) -> None:
    learner = Gaptron(3, 2, exact=exact)
    for call in (learner.predict_proba, learner.predict, lambda v: learner.update(v, 0), lambda v: learner.loss(v, 0)):
        with pytest.raises(ValueError, match="x"):
            call(x)
    assert not learner.W.any()


@pytest.mark.parametrize("label", [-1, 3, 1.0, True, "0", np.int64(3)])
def test_bad_labels_are_refused(label: object) -> None:
    learner = Gaptron(3, 2)
    for call in (learner.update, learner.loss):
        with pytest.raises(ValueError, match=r"is not a label: labels are the integers 0\.\.2"):
            call([1.0, 0.0], label)


def test_update_speaks_of_its_feedback() -> None:
    full, bandit = Gaptron(3, 2), Gaptron(3, 2, feedback="bandit", exploration=0.5)
    for arguments in ((0, True), (), (None, None)):
        with pytest.raises(TypeError, match=r"update\(x, label\)"):
            full.update([1, 0], *arguments)
    with pytest.raises(TypeError, match=r"update\(x, predicted, correct\)"):
        bandit.update([1, 0], 0)
    with pytest.raises(ValueError, match="correct = 1 is not True or False"):
        bandit.update([1, 0], 0, 1)


@pytest.mark.parametrize(
    ("features", "labels", "message"),
    [
        ([[1.0]], [0], r"X has shape \(1, 1\): it must have shape \(1, 2\)"),
        (3, [0], "X = 3 is not a sequence of rounds"),
        ([[1.0, 0.0]], [0, 1], r"y has shape \(2,\): it must have shape \(1,\)"),
        ([[1.0, 0.0]], [3], r"y\[0\] = 3 is not a label"),
        ([[1.0, 0.0], [1.0, math.nan]], [0, 0], r"X\[1, 1\] = nan is not finite"),
    ],
)
def test_bad_streams_are_refused_and_nothing_is_learned(features: object, labels: list, message: str) -> None:
    learner = Gaptron(3, 2)
    with pytest.raises(ValueError, match=message):
        learner.run(features, labels)
    assert not learner.W.any()


# --- theorems -------------------------------------------------------------------------------------


def test_a_theorem_of_another_kind_is_refused() -> None:
    plus = sp.Piecewise(((1 - z) ** 2, z < 1), (0, True))
    binary = Theorem(name="b", loss=BinaryLoss(plus=plus), gap_map=GapMap((1 - sp.Min(1, m)) ** 2))
    with pytest.raises(ValueError, match='theorem "b" has a BinaryLoss: use BinaryGaptron'):
        Gaptron(2, 1, loss=binary)
    with pytest.raises(ValueError, match="learning_rate is missing"):
        Gaptron(3, 1, loss=Theorem(name="q", loss=SQUARED.loss, gap_map=SQUARED.gap_map))
    with pytest.raises(ValueError, match='n_classes = 3: theorem "two" is for 2 only'):
        Gaptron(3, 1, loss=Theorem(name="two", loss=SQUARED.loss, gap_map=SQUARED.gap_map, classes=2))


def test_a_theorem_of_ones_own() -> None:
    features, labels = stream()
    done = Gaptron(3, 4, loss=SQUARED, seed=1).run(features, labels)
    assert done.expected_mistakes < 250
    rational = np.round(features[:10] * 16) / 16
    exact, doubles = (Gaptron(3, 4, loss=SQUARED, exact=flag) for flag in (True, False))
    assert doubles.run(rational, labels[:10]).expected_mistakes == pytest.approx(
        float(exact.run(rational, labels[:10]).expected_mistakes)
    )
    assert isinstance(exact.W[0, 0], Fraction)


def test_a_softmax_theorem_of_ones_own_survives_underflow() -> None:
    absolute = Theorem(name="absolute", loss=SoftmaxLoss(2 * (1 - p)), gap_map=GapMap(2 - 2 * p), regret=K, classes=2)
    learner = Gaptron(2, 1, loss=absolute)
    learner.W[:] = [[800.0], [-800.0]]
    assert learner.loss([1.0], 1) == 2
    learner.update([1.0], 1)
    assert np.isfinite(learner.W).all()
    assert learner.learning_rate == 1 / 4


def test_a_bandit_theorem_brings_its_parameters() -> None:
    theorem = Theorem(
        name="bandit",
        loss=SQUARED.loss,
        gap_map=SQUARED.gap_map,
        feedback="bandit",
        exploration=K * X * D / sp.sqrt(T),
        learning_rate=gamma / (8 * K**2 * X**2),
    )
    learner = Gaptron(3, 2, loss=theorem, feedback="bandit", radius=1, horizon=900, feature_norm=2)
    assert learner.exploration == pytest.approx(1 / 5)
    assert learner.learning_rate == pytest.approx(1 / 5 / 288)
    with pytest.raises(ValueError, match='is for feedback="bandit"'):
        Gaptron(3, 2, loss=theorem)


def test_a_gap_map_outside_the_unit_interval_is_refused() -> None:
    steep = Theorem(name="steep", loss=SQUARED.loss, gap_map=GapMap(1 - m), regret=1)
    learner = Gaptron(2, 1, loss=steep)
    learner.W[0, 0] = 5.0
    with pytest.raises(ValueError, match=r"gap map = -4\.0"):
        learner.predict_proba([1.0])


# --- predictions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("scale", [0.0, 1e-300, 1.0, 1e3, 1e150, 1e300, 1.7e308])
@pytest.mark.parametrize("gamma_", [0.0, 0.3, 1.0])
def test_predictions_are_distributions_whatever_the_scores(loss: str, scale: float, gamma_: float) -> None:
    learner = Gaptron(4, 2, loss=loss, exploration=gamma_)
    learner.W[:] = scale * np.array([[1.0, 0.5], [-1.0, 1.0], [0.25, -1.0], [1.0, 0.5]])
    for x in ([1.0, 0.0], [0.0, 0.0], [1.0, 1.0], [-3.0, 2.0]):
        probabilities = learner.predict_proba(x)
        assert probabilities.min() >= gamma_ / 4
        assert probabilities.sum() == pytest.approx(1, abs=1e-15)
        assert learner.loss(x, 1) >= 0


def test_ties_go_to_the_lowest_index() -> None:
    learner = Gaptron(3, 1, loss="hinge")
    learner.W[:] = [[0.0], [1.0], [1.0]]
    assert in_doubles(theorem_of("hinge"), 3).gap(np.zeros(3)) == 1
    assert learner.predict_proba([1.0]).tolist() == [1 / 3, 1 / 3, 1 / 3]
    learner.W[2] = 0.9
    assert learner.predict_proba([1.0]).argmax() == 1


@pytest.mark.parametrize("n_tied", [2, 3])
def test_fair_ties_share_what_the_top_label_has(n_tied: int) -> None:
    learner = Gaptron(4, 2, loss="logistic", ties="fair", exploration=0.2, seed=0)
    learner.W[:n_tied] = [9.0, 0.0]
    expected = Gaptron(4, 2, loss="logistic", exploration=0.2)
    expected.W[:n_tied] = [9.0, 0.0]
    lowest, fair = expected.predict_proba([1, 0]), learner.predict_proba([1, 0])
    assert fair.sum() == pytest.approx(1)
    assert fair[:n_tied] == pytest.approx(np.full(n_tied, lowest[:n_tied].mean()))
    assert fair[n_tied:] == pytest.approx(lowest[n_tied:])
    drawn = np.bincount([learner.predict([1, 0]) for _ in range(4000)], minlength=4) / 4000
    assert np.abs(drawn - fair).max() < 0.04


def test_fair_ties_matter_for_two_classes_and_not_without_a_tie() -> None:
    fair, lowest = (Gaptron(2, 1, loss="logistic", ties=ties, seed=0) for ties in ("fair", "lowest"))
    assert (fair.predict_proba([1]).tolist(), lowest.predict_proba([1]).tolist()) == ([0.5, 0.5], [0.75, 0.25])
    for learner in (fair, lowest):
        learner.update([1], 1)
    assert fair.predict_proba([1]).tolist() == lowest.predict_proba([1]).tolist()
    with pytest.raises(ValueError, match='ties = "fair": with exact = True'):
        Gaptron(2, 1, ties="fair", exact=True)
    with pytest.raises(ValueError, match="ties = 'odd' is not one of"):
        Gaptron(2, 1, ties="odd")


def test_draws_follow_the_distribution_and_the_seed() -> None:
    learner, same = (Gaptron(3, 1, seed=5) for _ in range(2))
    learner.W[:] = same.W[:] = [[0.5], [0.0], [0.25]]
    draws = [learner.predict([1.0]) for _ in range(4000)]
    assert draws == [same.predict([1.0]) for _ in range(4000)]
    frequencies = np.bincount(draws, minlength=3) / 4000
    np.testing.assert_allclose(frequencies, learner.predict_proba([1.0]), atol=0.03)
    assert Gaptron(3, 1, seed=(rng := np.random.default_rng(1))).rng is rng


@pytest.mark.parametrize("radius", [1, 1e10])
def test_weights_whose_norm_no_double_holds_are_projected_like_others(radius: float) -> None:
    learner = Gaptron(2, 2, loss="hinge", learning_rate=1, radius=radius, seed=0)
    learner.update([1.5e308, 1.5e308], 0)
    np.testing.assert_allclose(learner.W, radius * np.array([[0.5, 0.5], [-0.5, -0.5]]))


def test_overflowing_weights_are_refused() -> None:
    squared = Gaptron(2, 1, loss=SQUARED)
    squared.W[:] = [[1e200], [-1e200]]
    with pytest.raises(OverflowError, match="overflow: lower learning_rate"):
        squared.update([1e200], 1)
    assert np.isfinite(squared.W).all()


# --- updates --------------------------------------------------------------------------------------


def test_smooth_hinge_is_zero_above_margin_one() -> None:
    surrogate = in_doubles(theorem_of("smooth hinge"), 3)
    assert surrogate.value(np.array([3.0, 0.0, 0.0]), 0) == 0
    assert not surrogate.score_gradient(np.array([3.0, 0.0, 0.0]), 0).any()
    assert surrogate.value(np.array([0.5, 0.0, 0.0]), 0) == 0.25
    assert surrogate.value(np.array([0.5, 0.0, 0.0]), 1) == 2


def test_hinge_is_off_on_right_rounds_above_beta_only() -> None:
    surrogate = in_doubles(theorem_of("hinge"), 4)
    assert surrogate.is_off(np.array([0.5, 0.0, 0.0, 0.0]), 0)
    assert not surrogate.is_off(np.array([0.25, 0.0, 0.0, 0.0]), 0)
    assert not surrogate.is_off(np.array([0.5, 0.0, 0.0, 0.0]), 1)
    assert surrogate.value(np.array([0.5, 0.0, 0.0, 0.0]), 0) == 0
    assert surrogate.value(np.array([0.25, 0.0, 0.0, 0.0]), 0) == 0.75
    assert surrogate.gap(np.array([0.5, 0.0, 0.0, 0.0])) == 0


def test_margin_losses_change_two_rows() -> None:
    learner = Gaptron(4, 2)
    learner.W[:] = before = np.array([[0.1, 0.0], [0.0, 0.0], [0.3, 0.0], [0.2, 0.0]])
    learner.update([1.0, 0.5], 1)
    changed = (before != learner.W).any(axis=1)
    assert changed.tolist() == [False, True, True, False]


@pytest.mark.parametrize("loss", LOSSES)
def test_gradient_is_the_slope_of_the_loss(loss: str) -> None:
    surrogate, rng = in_doubles(theorem_of(loss), 4), np.random.default_rng(3)
    for label in range(4):
        scores, step = rng.normal(size=4) / 4, 1e-6
        ends = [[surrogate.value(scores + sign * step * e, label) for sign in (1, -1)] for e in np.eye(4)]
        slopes = [(up - down) / (2 * step) for up, down in ends]
        np.testing.assert_allclose(surrogate.score_gradient(scores, label), slopes, atol=1e-5)


def test_projection_keeps_the_radius() -> None:
    learner = Gaptron(3, 4, loss="hinge", radius=0.1, seed=0)
    learner.run(*stream(50))
    assert np.linalg.norm(learner.W) == pytest.approx(0.1)


def test_rates_scale_with_the_feature_norm() -> None:
    assert Gaptron(3, 2, feature_norm=2).learning_rate == 1 / 48
    assert Gaptron(3, 2, loss="logistic").learning_rate == pytest.approx(math.log(2) / 6)
    assert Gaptron(3, 2, feature_norm=2, learning_rate=0.5).learning_rate == 0.5
    assert Gaptron(3, 2, loss="hinge", exact=True, feature_norm=2).learning_rate == Fraction(1, 18)


# --- bandit feedback ------------------------------------------------------------------------------


def test_hinge_bandit_parameters_are_those_of_theorem_5() -> None:
    n, norm, radius, rounds = 5, 2.0, 3.0, 10**6
    learner = Gaptron(n, 1, loss="hinge", feedback="bandit", feature_norm=norm, radius=radius, horizon=rounds)
    beta = 1 / n
    printed = min(1, math.sqrt(n**3 * norm**2 * radius**2 / (2 * (1 - beta) * (n - 1) * rounds)))
    assert learner.exploration == pytest.approx(printed)
    assert learner.learning_rate == pytest.approx(printed * (1 - beta) / (n**2 * norm**2))


@pytest.mark.parametrize("loss", LOSSES)
def test_default_exploration_minimises_the_excess(loss: str) -> None:
    learner = Gaptron(4, 1, loss=loss, feedback="bandit", radius=2, horizon=10**5)

    def excess(rate: float) -> float:
        return 4 * 2**2 / (2 * rate * learner.surrogate.learning_rate) + rate * 10**5 * 3 / 4

    best = learner.exploration
    assert 0 < best < 1
    assert excess(best) < min(excess(best * 1.01), excess(best / 1.01))


def test_bandit_step_is_importance_weighted() -> None:
    full = Gaptron(3, 2, learning_rate=0.1)
    bandit = Gaptron(3, 2, feedback="bandit", exploration=0.5, learning_rate=0.1, seed=2)
    x = [1.0, 0.5]
    drawn = bandit.predict(x)
    bandit.update(x, drawn, False)
    assert not bandit.W.any()
    bandit.update(x, predicted=drawn, correct=True)
    full.update(x, drawn)
    np.testing.assert_allclose(bandit.W, 3 * full.W)


def test_bandit_remembers_the_probability_of_its_draw() -> None:
    x, changed = [1.0], [[0.75], [0.0]]

    def learned(drawn_here: bool) -> np.ndarray:
        learner = Gaptron(2, 1, feedback="bandit", exploration=0.1, learning_rate=0.1, seed=0)
        drawn = learner.predict(x)
        learner.W[:] = changed
        learner.update(x, drawn if drawn_here else 1 - drawn, True)
        return learner.W - changed

    def expected(label: int, probability: float) -> np.ndarray:
        gradient = in_doubles(theorem_of("smooth hinge"), 2).score_gradient(np.array([0.75, 0.0]), label)
        return -0.1 / probability * gradient[:, None]

    drawn = Gaptron(2, 1, feedback="bandit", exploration=0.1, learning_rate=0.1, seed=0).predict(x)
    np.testing.assert_allclose(learned(True), expected(drawn, 0.5))
    at_change = [0.95, 0.05]
    np.testing.assert_allclose(learned(False), expected(1 - drawn, at_change[1 - drawn]))


def test_an_impossible_prediction_is_refused() -> None:
    learner = Gaptron(2, 1, feedback="bandit", exploration=0, learning_rate=0.1)
    learner.W[:] = [[2.0], [0.0]]
    with pytest.raises(ValueError, match="predicted = 1 has probability 0"):
        learner.update([1.0], 1, True)


def test_bandit_estimate_is_unbiased() -> None:
    """The mean step over the draws, weighted with their probabilities, is the full-information step."""
    x, label, exploration = [Fraction(1, 2)], 1, Fraction(1, 4)
    full = Gaptron(3, 1, exact=True, learning_rate=Fraction(1, 10))
    full.update(x, label)
    mean = 0
    for drawn in range(3):
        bandit = Gaptron(3, 1, exact=True, feedback="bandit", exploration=exploration, learning_rate=Fraction(1, 10))
        probability = bandit.predict_proba(x)[drawn]
        bandit.update(x, drawn, drawn == label)
        mean = mean + probability * bandit.W
    assert mean.tolist() == full.W.tolist()


# --- streams --------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("feedback", ["full", "bandit"])
def test_run_is_predict_and_update(loss: str, feedback: str) -> None:
    features, labels = stream(60)
    exploration = 0.2 if feedback == "bandit" else None
    arguments = {"loss": loss, "feedback": feedback, "exploration": exploration, "seed": 3}
    whole, single = Gaptron(3, 4, **arguments), Gaptron(3, 4, **arguments)
    done = whole.run(features, labels)
    for t, (x, label) in enumerate(zip(features, labels, strict=True)):
        assert done.label_probability[t] == single.predict_proba(x)[label]
        assert done.loss[t] == single.loss(x, label)
        drawn = single.predict(x)
        assert done.wrong[t] == (drawn != label)
        single.update(x, *((label,) if feedback == "full" else (drawn, bool(drawn == label))))
    np.testing.assert_array_equal(whole.W, single.W)
    assert done.mistakes == done.wrong.sum()
    assert done.expected_mistakes == pytest.approx(done.probability_wrong.sum())
    assert isinstance(done.mistakes, int)
    assert done.off.any() == (loss == "hinge")


@pytest.mark.parametrize("loss", LOSSES)
def test_it_learns_a_separable_stream(loss: str) -> None:
    done = Gaptron(3, 4, loss=loss, seed=0).run(*stream(2000))
    assert done.probability_wrong[-500:].mean() < 0.7 * done.probability_wrong[:500].mean()


def test_an_empty_stream() -> None:
    done = Gaptron(3, 2).run(np.empty((0, 2)), np.empty(0, dtype=int))
    assert (done.mistakes, done.expected_mistakes, done.loss.shape) == (0, 0, (0,))


def test_exact_runs_are_fractions() -> None:
    done = Gaptron(3, 1, loss="hinge", exact=True, seed=0).run([[Fraction(1, 2)], [1]], [1, 1])
    assert isinstance(done.expected_mistakes, Fraction)
    assert done.probability_wrong[0] == Fraction(2, 3)


def test_balls_that_cannot_settle_a_tie_say_so() -> None:
    learner = Gaptron(2, 2, loss="logistic", exact=True)
    learner.update([1, 1], 0)
    with pytest.raises(UncertainError):
        learner.predict_proba([Fraction(1, 3), Fraction(-1, 3)])


def test_balls_of_certain_predictions_are_distributions() -> None:
    learner = Gaptron(3, 1, loss="logistic", exact=True)
    learner.W[0, 0] = learner.surrogate.arithmetic.number(500)
    assert learner.predict_proba([1]).astype(float).tolist() == pytest.approx([1, 0, 0], abs=1e-50)


@pytest.mark.slow
def test_a_learner_loads_neither_prover_nor_computer_algebra_nor_what_long_streams_need() -> None:
    code = (
        "import sys; from gaptron import Gaptron, BinaryGaptron; Gaptron(3, 2).update([1, 0], 1); "
        "BinaryGaptron(2).update([1, 0], 1); Gaptron(2, 1).run([[1.0]] * 100, [0] * 100); "
        "print({'gaptron.prove', 'sympy', 'z3', 'numba', 'scipy'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True)
    assert done.stdout == "set()\n"
