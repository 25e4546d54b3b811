"""Gaptron that abstains, Gaptron by FTRL and AdaHedge that abstains: their bounds, and rounds by hand."""

import math
from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import sparse

from gaptron import BinaryGaptron, BinaryLoss, GapMap, Gaptron, Theorem
from gaptron.learners import AbstainingAdaHedge, AbstainingGaptron, FTRLGaptron
from gaptron.symbols import z
from gaptron.theory.named import MULTICLASS

Array = NDArray[np.float64]
ROUNDING = 1e-9
COSTS = (0.0, 0.25, 0.5, 0.9)
LEARNERS = (lambda: AbstainingGaptron(3, 2), lambda: FTRLGaptron(2), lambda: AbstainingAdaHedge(2))


def stream(seed: int, n_rounds: int, n_classes: int, scale: float = 1.0) -> tuple[Array, NDArray[np.int64]]:
    """Features in the ball of radius ``scale``, labels that a linear rule explains except for one in five."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rounds, 3))
    X *= scale / np.maximum(np.linalg.norm(X, axis=1), 1)[:, None]
    y = (X @ rng.normal(size=(3, n_classes))).argmax(axis=1)
    noisy = rng.random(n_rounds) < 0.2
    return X, np.where(noisy, rng.integers(n_classes, size=n_rounds), y)


def comparators(last: Array) -> list[Array]:
    return [scale * last for scale in (0, 0.3, 1, 3, 10)]


def multiclass_loss(name: str, scores: Array, label: int) -> float:
    """Equations (1)-(3) of van der Hoeven 2020; the hinge loss is never off."""
    if name == "logistic":
        return float(np.logaddexp.reduce(scores) - scores[label]) / math.log(2)
    m = scores[label] - np.delete(scores, label).max()
    if name == "hinge":
        return float(max(1 - m, 0))
    return float(1 - 2 * m if m <= 0 else max(1 - m, 0) ** 2)


# --- a uniform guess replaced by abstaining -----------------------------------------------------------------


@pytest.mark.parametrize("loss", MULTICLASS)
@given(seed=st.integers(0, 10**6), n_classes=st.integers(2, 5), cost=st.sampled_from(COSTS))
@settings(max_examples=15)
def test_the_expected_cost_of_abstaining_is_within_the_bound(loss: str, seed: int, n_classes: int, cost: float) -> None:
    X, y = stream(seed, 60, n_classes)
    learner = AbstainingGaptron(n_classes, 3, loss=loss, abstention_cost=cost, seed=0)
    done = learner.run(X, y)
    for U in comparators(learner.W):
        losses = [multiclass_loss(loss, U @ x, k) for x, k in zip(X, y, strict=True)]
        bound = sum(np.where(done.off, 0, losses)) + learner.surrogate.regret * (U**2).sum()
        assert done.expected_cost <= bound + ROUNDING


@pytest.mark.parametrize("loss", MULTICLASS)
@given(seed=st.integers(0, 10**6), n_classes=st.integers(2, 4), cost=st.sampled_from(COSTS))
@settings(max_examples=40)
def test_the_gap_of_every_round_with_abstention_is_at_most_zero(
    loss: str, seed: int, n_classes: int, cost: float
) -> None:
    rng = np.random.default_rng(seed)
    learner = AbstainingGaptron(n_classes, 1, loss=loss, abstention_cost=cost)
    learner.W = rng.normal(size=(n_classes, 1)) * rng.choice([0.01, 0.3, 2])
    assert round_gap(learner, int(rng.integers(n_classes))) <= ROUNDING


def round_gap(learner: AbstainingGaptron, label: int) -> float:
    """Cost minus loss plus (eta/2) ||g||^2 on the round x = 1."""
    p = learner.predict_proba([1.0])
    cost = 1 - p[label] - p[-1] + learner.abstention_cost * p[-1]
    gradient = learner.surrogate.score_gradient(learner.W[:, 0], label)
    return float(cost - learner.loss([1.0], label) + learner.learning_rate / 2 * (gradient**2).sum())


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("loss", ["hinge", "smooth hinge"])
def test_no_larger_learning_rate_would_do_with_abstention(loss: str, cost: float) -> None:
    """The round of Contact in proofs/slides/abstention_losses.py: right, at margin beta or 0."""
    margin = (1 - cost) / (2 - cost) if loss == "hinge" else 0.0
    for faster, sign in ((1, 0), (1.001, 1)):
        learner = AbstainingGaptron(3, 1, loss=loss, abstention_cost=cost)
        learner.learning_rate *= faster
        learner.W[:, 0] = [margin, 0, -1]
        gap = round_gap(learner, 0)
        assert gap > 0 if sign else abs(gap) < 1e-12


def test_at_the_cost_of_a_guess_the_learning_rates_are_those_of_the_paper() -> None:
    for n_classes in (2, 3, 7):
        for loss in ("logistic", "smooth hinge"):
            cost = (n_classes - 1) / n_classes
            abstaining = AbstainingGaptron(n_classes, 1, loss=loss, abstention_cost=cost, feature_norm=3)
            assert abstaining.learning_rate == pytest.approx(
                Gaptron(n_classes, 1, loss=loss, feature_norm=3).learning_rate
            )


def test_a_round_of_abstention_by_hand() -> None:
    """Smooth hinge, scores (1/2, 0, 0): a = 1/4; the label 2 has margin -1/2, loss 2 and slope -2."""
    learner = AbstainingGaptron(3, 2, learning_rate=0.125)
    learner.W[0] = [0.5, 0]
    assert learner.predict_proba([1, 1]).tolist() == [0.75, 0, 0, 0.25]
    assert learner.loss([1, 1], 2) == 2
    learner.update([1, 1], 2)
    assert learner.W.tolist() == [[0.25, -0.25], [0, 0], [0.25, 0.25]]


def test_abstention_is_the_last_prediction_and_never_a_label() -> None:
    learner = AbstainingGaptron(3, 2, seed=1)
    assert learner.predict_proba([1.0, 0.0]).tolist() == [0, 0, 0, 1]
    assert learner.predict([1.0, 0.0]) == learner.abstain == 3
    with pytest.raises(ValueError, match=r"label = 3 is not a label: labels are the integers 0\.\.2"):
        learner.update([1.0, 0.0], learner.abstain)


@pytest.mark.parametrize("cost", [1, 1.5, -0.1, math.nan, True, "free"])
def test_an_abstention_cost_out_of_range_is_named(cost: object) -> None:
    with pytest.raises(ValueError, match=r"abstention_cost = .* is not a number in \[0, 1\)"):
        AbstainingGaptron(2, 1, abstention_cost=cost)
    with pytest.raises(ValueError, match=r"abstention_cost = .* is not a number in \[0, 0.5\)"):
        AbstainingAdaHedge(2, abstention_cost=cost)


def test_a_run_counts_wrong_labels_and_abstentions_apart() -> None:
    X, y = stream(3, 200, 3)
    done = AbstainingGaptron(3, 3, abstention_cost=0.3, seed=4).run(X, y)
    assert 0 < done.mistakes == done.wrong.sum() < len(y)
    assert 0 < done.abstained.sum() < len(y)
    assert not (done.wrong & done.abstained).any()
    assert done.cost == pytest.approx(done.mistakes + 0.3 * done.abstained.sum())
    np.testing.assert_allclose(done.label_probability + done.probability_wrong + done.abstain_probability, 1)
    assert done.expected_mistakes == pytest.approx(done.probability_wrong.sum())
    spread = math.sqrt((done.abstain_probability * (1 - done.abstain_probability)).sum())
    assert abs(done.abstained.sum() - done.abstain_probability.sum()) < 4 * spread


def test_the_weights_do_not_depend_on_the_abstentions() -> None:
    X, y = stream(5, 50, 3)
    first, second = (AbstainingGaptron(3, 3, seed=seed) for seed in (1, 2))
    drawn = [learner.run(X, y).abstained for learner in (first, second)]
    assert (first.W == second.W).all()
    assert (drawn[0] != drawn[1]).any()


@pytest.mark.parametrize("new", LEARNERS)
def test_a_run_is_its_rounds(new: Callable[[], AbstainingGaptron]) -> None:
    whole, single = new(), new()
    rng = np.random.default_rng(0)
    X, y = rng.uniform(-1, 1, size=(40, 2)), rng.integers(2, size=40)
    whole.run(sparse.csr_array(X), y)
    for x, label in zip(X, y, strict=True):
        assert single.predict_proba(x).sum() == pytest.approx(1)
        single.update(x, int(label))
    for name in whole.STATE:
        np.testing.assert_array_equal(getattr(whole, name), getattr(single, name))
    assert whole.run(np.zeros((0, 2)), []).expected_mistakes == 0


# --- FTRL ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loss", ["smooth hinge", "squared hinge"])
@given(seed=st.integers(0, 10**6), scale=st.sampled_from([1e-3, 1.0, 50.0]), far=st.booleans())
@settings(max_examples=20)
def test_the_expected_mistakes_of_ftrl_are_within_the_bound_of_exercise_1(
    loss: str, seed: int, scale: float, far: bool
) -> None:
    """Nothing is told about the size of the features, which grows along the stream."""
    X, y = stream(seed, 60, 2, scale)
    X *= np.geomspace(0.01, 1, len(X))[:, None]
    start = np.full(3, 0.5 / scale) * far
    learner = FTRLGaptron(3, loss=loss, start=start, seed=0)
    done = learner.run(X, y)
    largest = np.linalg.norm(X, axis=1).max()
    for step in comparators(learner.weights(X[-1]) - start):
        losses = [learner.surrogate.value([(start + step) @ x, 0.0], k) for x, k in zip(X, y, strict=True)]
        assert done.expected_mistakes <= sum(losses) + 2 * largest**2 * (step**2).sum() + ROUNDING


def test_ftrl_minimises_its_objective() -> None:
    """By hand from the gradients: start - theta/(4 max ||x_i||^2), s = 2, this round's x included."""
    X, y = stream(2, 30, 2)
    learner = FTRLGaptron(3, start=[1, 0, -1])
    theta, largest = np.zeros(3), 0.0
    for x, label in zip(X, y, strict=True):
        largest = max(largest, float(x @ x))
        w = np.array([1, 0, -1]) - theta / (4 * largest)
        np.testing.assert_allclose(learner.weights(x), w, rtol=1e-12)
        signed = (x @ w) * (1 - 2 * label)
        learner.update(x, int(label))
        theta += (1 - 2 * label) * (-2 if signed <= 0 else -2 * max(1 - signed, 0)) * x


def test_ftrl_is_gradient_descent_while_the_norm_stays_the_same() -> None:
    X, y = stream(7, 50, 2)
    X *= 2 / np.linalg.norm(X, axis=1)[:, None]
    ftrl, descent = FTRLGaptron(3), BinaryGaptron(3, feature_norm=2)
    np.testing.assert_allclose(ftrl.run(X, y).probability_wrong, descent.run(X, y).probability_wrong)


def test_ftrl_predicts_the_same_whatever_the_unit_of_the_features() -> None:
    X, y = stream(8, 40, 2)
    expected = FTRLGaptron(3).run(X, y).probability_wrong
    for unit in (1e-160, 1e-30, 1e150):
        np.testing.assert_allclose(FTRLGaptron(3).run(X * unit, y).probability_wrong, expected, rtol=1e-6)


def test_ftrl_stays_at_its_start_while_the_features_are_zero() -> None:
    learner = FTRLGaptron(2, start=[3, 4])
    learner.update([0, 0], 1)
    assert learner.weights([0, 0]).tolist() == [3, 4]
    assert learner.predict_proba([0, 0]).tolist() == [0.5, 0.5]
    assert learner.predict_proba([1, 0]).tolist() == [1, 0]


def test_a_prediction_of_ftrl_changes_nothing() -> None:
    learner = FTRLGaptron(2)
    learner.update([1, 0], 0)
    before = learner.predict_proba([1, 0]).tolist()
    learner.predict_proba([100, 0])
    assert (learner.largest_norm, learner.predict_proba([1, 0]).tolist()) == (1, before)


def test_ftrl_takes_s_from_a_theorem() -> None:
    squared = BinaryLoss(plus=(1 - z) ** 2)
    learner = FTRLGaptron(1, loss=Theorem(name="slow", loss=squared, gap_map=GapMap(1), learning_rate=1 / 16))
    learner.update([2.0], 0)
    assert learner.weights([2.0]).tolist() == [2 * 2 / 16 / 4]
    with pytest.raises(ValueError, match="states neither learning_rate nor regret"):
        FTRLGaptron(1, loss=Theorem(name="none", loss=squared, gap_map=GapMap(1)))


def test_features_beyond_the_doubles_leave_ftrl_unchanged() -> None:
    learner = FTRLGaptron(2)
    learner.update([1.0, 0.0], 0)
    with pytest.raises(OverflowError, match="scale the features"):
        learner.update([1.7e308, 1.7e308], 0)
    assert (learner.theta.tolist(), learner.largest_norm) == ([-2, 0], 1)


# --- AdaHedge -----------------------------------------------------------------------------------------------


def experts(seed: int, n_rounds: int, n_experts: int) -> tuple[Array, NDArray[np.int64]]:
    """Experts of several kinds: certain, cautious, right most of the time or never."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n_rounds)
    skill, caution = rng.uniform(0.1, 0.95, n_experts), rng.choice([0.3, 1], n_experts)
    right = np.where(rng.random((n_rounds, n_experts)) < skill, 1, -1)
    return right * caution * (1 - 2 * y)[:, None], y


@pytest.mark.slow
@given(seed=st.integers(0, 10**6), n_experts=st.integers(1, 8), cost=st.sampled_from([0, 0.1, 0.4]))
@settings(max_examples=40)
def test_the_expected_cost_of_adahedge_is_within_the_bound_of_the_slides(
    seed: int, n_experts: int, cost: float
) -> None:
    X, y = experts(seed, 80, n_experts)
    done = AbstainingAdaHedge(n_experts, abstention_cost=cost, seed=0).run(X, y)
    best = ((1 - (1 - 2 * y)[:, None] * X) / 2).sum(axis=0).min()
    log_d = math.log(n_experts)
    assert done.expected_cost <= best + log_d / (1 - 2 * cost) + 4 / 3 * log_d + 2 + ROUNDING


@pytest.mark.slow
@given(seed=st.integers(0, 10**6), n_experts=st.integers(2, 6))
@settings(max_examples=30)
def test_the_regret_of_adahedge_is_within_its_own_bounds(seed: int, n_experts: int) -> None:
    """De Rooij et al. 2014: at most 2 Delta, and at most 2 sqrt(V ln N) + (4/3) ln N + 2."""
    X, y = experts(seed, 80, n_experts)
    learner, variance, suffered = AbstainingAdaHedge(n_experts), 0.0, 0.0
    losses = (1 - (1 - 2 * y)[:, None] * X) / 2
    for x, label, loss in zip(X, y, losses, strict=True):
        suffered += learner.p @ loss
        variance += learner.p @ (loss - learner.p @ loss) ** 2
        learner.update(x, int(label))
    regret, log_n = suffered - losses.sum(axis=0).min(), math.log(n_experts)
    assert regret <= 2 * learner.Delta + ROUNDING
    assert regret <= 2 * math.sqrt(variance * log_n) + 4 / 3 * log_n + 2


def test_adahedge_is_the_published_one() -> None:
    """Against cumulative mix losses with 60 digits."""
    X, y = experts(11, 60, 4)
    X[:5] = [[1, 1, -1, -1]]  # leaders that stay tied, while Delta is 0 at first
    learner = AbstainingAdaHedge(4)
    with mpmath.workdps(60):
        L, Delta = [mpmath.mpf(0)] * 4, mpmath.mpf(0)
        for x, label in zip(X, y, strict=True):
            p, before = hedge(L, Delta)
            np.testing.assert_allclose(learner.p, [float(v) for v in p], rtol=1e-9, atol=1e-12)
            losses = [(1 - (1 - 2 * int(label)) * mpmath.mpf(float(v))) / 2 for v in x]
            L = [a + b for a, b in zip(L, losses, strict=True)]
            Delta += mpmath.fdot(p, losses) - (hedge(L, Delta)[1] - before)
            learner.update(x, int(label))
        assert learner.Delta == pytest.approx(float(Delta), rel=1e-12)


def hedge(L: list[mpmath.mpf], Delta: mpmath.mpf) -> tuple[list[mpmath.mpf], mpmath.mpf]:
    """The weights, and the cumulative mix loss -ln(mean of exp(-eta L))/eta; at Delta = 0 their limits."""
    if Delta == 0:
        leaders = [mpmath.mpf(value == min(L)) for value in L]
        return [v / sum(leaders) for v in leaders], min(L)
    eta = mpmath.log(len(L)) / Delta
    weights = [mpmath.exp(-eta * value) for value in L]
    return [w / sum(weights) for w in weights], -mpmath.log(sum(weights) / len(L)) / eta


def test_a_round_of_adahedge_by_hand() -> None:
    """Uniform weights: v = 1/2; the label -1 costs the first expert 1 and the second 1/2, mix loss 1/2."""
    learner = AbstainingAdaHedge(2)
    assert learner.predict_proba([1.0, 0.0]).tolist() == [0.5, 0, 0.5]
    assert learner.predict_proba([-1.0, 0.0]).tolist() == [0, 0.5, 0.5]
    assert learner.predict_proba([1.0, -1.0]).tolist() == [0, 0, 1]
    learner.update([1.0, 0.0], 1)
    assert (learner.L.tolist(), learner.Delta) == ([0.5, 0], 0.25)
    assert learner.eta == pytest.approx(4 * math.log(2))
    np.testing.assert_allclose(learner.p, [0.2, 0.8])


@pytest.mark.parametrize("Delta", [0.0, 5e-324, 1e-300, 1e-17, 1e17])
def test_adahedge_survives_extreme_learning_rates(Delta: float) -> None:
    learner = AbstainingAdaHedge(3)
    learner.L, learner.Delta = np.array([1e6, 0.0, 2e-13]), Delta
    for label in (0, 1, 1):
        p = learner.predict_proba([1.0, -1.0, 0.3])
        assert p.min() >= 0
        assert p.sum() == pytest.approx(1)
        learner.update([1.0, -1.0, 0.3], label)
    assert Delta <= learner.Delta <= Delta + 3


def test_an_expert_outside_of_one_is_named_before_anything_is_learned() -> None:
    learner = AbstainingAdaHedge(2)
    X = [[1.0, -1.0], [0.0, 1.5]]
    for rounds in (X, sparse.csr_array(X)):
        with pytest.raises(ValueError, match=r"X\[1, 1\] = 1.5 is not an expert's prediction in \[-1, 1\]"):
            learner.run(rounds, [0, 0])
    with pytest.raises(ValueError, match=r"x\[0\] = -2.0 is not an expert's prediction"):
        learner.predict([-2.0, 0.0])
    assert learner.L.tolist() == [0, 0]
