"""The notes' learners: what they promise on streams that fulfil their assumptions, and where the promise ends."""

import inspect
import math
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gaptron.learners import SOBA, BanditGradientDescent, BiasedHalving, Cone, ExpConcaveBandit
from gaptron.learners.gradient_descent import clipped, squared_hinge
from gaptron.learners.learner import Learner

SEEDS = st.integers(0, 9999)
IDENTITY = np.array([np.eye(2)])


def rounds(rng: np.random.Generator, W: np.ndarray, n: int, margin: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """At most n rounds in the unit ball that W labels with more than this margin."""
    X = rng.normal(size=(n, W.shape[1]))
    X /= np.maximum(np.linalg.norm(X, axis=1), 1)[:, None]
    scores = np.sort(X @ W.T, axis=1)
    X = X[scores[:, -1] - scores[:, -2] > margin]
    return X, (X @ W.T).argmax(axis=1)


def steps(learner: Learner, X: np.ndarray, y: np.ndarray) -> list[tuple[bool, bool]]:
    """(was it a guess, was it wrong) of every round, by predict and update."""
    record = []
    for x, label in zip(X, y.tolist(), strict=True):
        guess = learner.predict_proba(x).max() < 1
        drawn = learner.predict(x)
        learner.update(x, drawn, drawn == label)
        record.append((guess, drawn != label))
    return record


# --- all of them --------------------------------------------------------------------------------------------

MAKERS: dict[str, Callable[[], Learner]] = {
    "biased halving": lambda: BiasedHalving(
        3, 2, pool=np.random.default_rng(5).normal(size=(60, 3, 2)), alpha=0.3, seed=1
    ),
    "cone": lambda: Cone(3, 2, threshold=0.1, seed=1),
    "gradient descent": lambda: BanditGradientDescent(3, 2, W_star=np.ones((3, 2)), epsilon=0.3, seed=1),
    "SOBA": lambda: SOBA(3, 2, adaptive=True, seed=1),
    "SOBAdiag": lambda: SOBA(3, 2, exploration=0.3, diagonal=True, seed=1),
    "exp-concave": lambda: ExpConcaveBandit(3, 2, exploration=0.3, newton_rate=0.01, seed=1),
}
each = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def a_stream(n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    return rounds(rng, rng.normal(size=(3, 2)), n)


def state(learner: Learner) -> list[np.ndarray]:
    return [np.copy(getattr(learner, name)) for name in learner.STATE if name != "n_rounds"]


def same(left: list[np.ndarray], right: list[np.ndarray]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(left, right, strict=True))


@each
def test_run_is_predict_and_update(make: Callable[[], Learner]) -> None:
    X, y = a_stream()
    learner, twin = make(), make()
    done, record = learner.run(X, y), steps(twin, X, y)
    assert done.wrong.tolist() == [wrong for _, wrong in record]
    assert same(state(learner), state(twin))


@each
def test_arguments_and_state_are_all_that_a_learner_is(make: Callable[[], Learner]) -> None:
    X, y = a_stream()
    learner = make()
    learner.run(X[:30], y[:30])
    names = [name for name in inspect.signature(type(learner)).parameters if name != "seed"]
    twin = type(learner)(**{name: getattr(learner, name) for name in names})
    for name in learner.STATE:
        setattr(twin, name, np.copy(getattr(learner, name))[()])
    twin.rng.bit_generator.state = learner.rng.bit_generator.state
    assert learner.run(X[30:], y[30:]).wrong.tolist() == twin.run(X[30:], y[30:]).wrong.tolist()
    assert same(state(learner), state(twin))


@each
def test_a_wrong_guess_changes_nothing(make: Callable[[], Learner]) -> None:
    X, y = a_stream()
    learner, guesses = make(), 0
    for x, label in zip(X, y.tolist(), strict=True):
        before, p = state(learner), learner.predict_proba(x)
        drawn = learner.predict(x)
        learner.update(x, drawn, drawn == label)
        if drawn != label and p.max() < 1:
            guesses += 1
            assert same(before, state(learner))
    assert guesses > 0


@each
def test_probabilities_are_a_distribution_at_any_scale(make: Callable[[], Learner]) -> None:
    X, y = a_stream()
    learner = make()
    learner.run(X, y)
    for x in ([0.0, 0.0], [1e-308, 0.0], [1e308, -1e308], [3.0, 4.0]):
        p = learner.predict_proba(x)
        assert p.min() >= 0
        assert p.sum() == pytest.approx(1)


@each
@pytest.mark.parametrize("x", [[1.0], [1.0, math.nan], ["a", "b"]])
def test_bad_features_are_refused(make: Callable[[], Learner], x: list) -> None:
    learner = make()
    for call in (learner.predict_proba, learner.predict, lambda v: learner.update(v, 0, True)):
        with pytest.raises(ValueError, match="x"):
            call(x)


# --- biased halving -----------------------------------------------------------------------------------------


@settings(deadline=None)
@given(SEEDS, st.integers(1, 40), st.sampled_from([0.05, 0.2, 0.5, 0.8]))
def test_halving_keeps_the_true_classifier_and_the_notes_counts(seed: int, size: int, alpha: float) -> None:
    """Both counts are certain: a wrong favourite leaves at most alpha |Omega|, a right guess less than 1 - alpha."""
    rng = np.random.default_rng(seed)
    pool = rng.normal(size=(size, 3, 2))
    learner = BiasedHalving(3, 2, pool=pool, alpha=alpha, seed=seed)
    record = steps(learner, *rounds(rng, pool[0], 60))
    assert learner.alive[0]
    assert sum(wrong and not guess for guess, wrong in record) <= math.log(size) / -math.log(alpha) + 1e-9
    assert sum(guess and not wrong for guess, wrong in record) <= math.log(size) / -math.log1p(-alpha) + 1e-9


@settings(deadline=None)
@given(SEEDS, st.sampled_from([0.1, 0.4, 0.7]))
def test_halving_counts_the_members_that_output_a_label(seed: int, alpha: float) -> None:
    rng = np.random.default_rng(seed)
    pool = rng.integers(-1, 2, size=(12, 3, 2)).astype(float)
    learner = BiasedHalving(3, 2, pool=pool, alpha=alpha, seed=seed)
    alive = [*range(12)]
    for x, y in zip(rng.integers(-1, 2, size=(15, 2)).astype(float), rng.integers(3, size=15).tolist(), strict=True):
        members = [[n for n in alive if all((pool[n] @ x)[i] >= v for v in pool[n] @ x)] for i in range(3)]
        top = max(range(3), key=lambda i: (len(members[i]), -i))
        greedy = 0 < len(members[top]) >= (1 - alpha) * len(alive)
        assert learner.predict_proba(x).tolist() == pytest.approx(np.eye(3)[top] if greedy else np.full(3, 1 / 3))
        drawn = learner.predict(x)
        learner.update(x, drawn, drawn == y)
        if greedy and drawn != y:
            alive = [n for n in alive if n not in members[drawn]]
        if not greedy and drawn == y:
            alive = members[drawn]
        assert np.flatnonzero(learner.alive).tolist() == alive


def test_halving_may_drop_a_true_classifier_that_is_tied() -> None:
    """(1, 1) is on the boundary of the identity, which labels it 0 or 1."""
    learner = BiasedHalving(2, 2, pool=IDENTITY, alpha=0.5)
    learner.update([1.0, 1.0], 0, False)
    assert not learner.alive.any()
    assert learner.predict_proba([1.0, 0.0]).tolist() == [0.5, 0.5]


def test_the_default_alpha_is_the_balance_of_the_notes() -> None:
    assert BiasedHalving(2, 2, pool=np.zeros((100, 2, 2))).alpha == pytest.approx(math.exp(-math.sqrt(math.log(100))))
    assert BiasedHalving(2, 2, pool=IDENTITY).alpha == 0.5


def test_the_pool_is_a_copy() -> None:
    pool = IDENTITY.copy()
    learner = BiasedHalving(2, 2, pool=pool)
    pool[:] = 0
    assert learner.pool.any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"pool": []}, r"pool = \[\]: it must hold at least one member"),
        ({"pool": 3}, "pool = 3 is not a sequence"),
        ({"pool": np.zeros((2, 3, 2))}, r"pool has shape \(2, 3, 2\): it must have shape \(2, 2, 2\)"),
        ({"pool": np.full((1, 2, 2), np.nan)}, r"pool\[0, 0, 0\] = nan is not finite"),
        ({"alpha": 1}, r"alpha = 1\.0: it must be less than 1"),
        ({"alpha": 0}, "alpha = 0 is not a finite number > 0"),
    ],
)
def test_bad_arguments_of_halving_are_named(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BiasedHalving(2, 2, **({"pool": IDENTITY} | arguments))


# --- cones --------------------------------------------------------------------------------------------------


def distance(generators: np.ndarray, x: np.ndarray) -> float:
    """To their cone: the nearest point is a positive combination of at most d of them (Caratheodory)."""
    found = [float(np.linalg.norm(x))]
    for size in range(1, len(x) + 1):
        for chosen in combinations(generators, size):
            weights = np.linalg.lstsq(np.transpose(chosen), x, rcond=None)[0]
            if weights.min() >= 0:
                found.append(float(np.linalg.norm(weights @ chosen - x)))
    return min(found)


@settings(deadline=None)
@given(SEEDS)
def test_distances_are_those_to_the_nearest_face(seed: int) -> None:
    rng = np.random.default_rng(seed)
    learner = Cone(3, 2, threshold=0.01, seed=seed)
    points, labels = rng.normal(size=(6, 2)), rng.integers(2, size=6)
    for point, label in zip(points, labels.tolist(), strict=True):
        learner._learn_correct(learner._prediction(point), label, True, 1.0)
    x = 3 * rng.normal(size=2)
    expected = [distance(points[labels == k], x) if k in labels else np.inf for k in range(3)]
    np.testing.assert_allclose(learner.distances(x), expected, atol=1e-9)


def clearance(W: np.ndarray, x: np.ndarray, label: int) -> float:
    """The distance of x to the boundary of its label's region."""
    others = np.delete(W, label, axis=0) - W[label]
    return float(np.min(-others @ x / np.linalg.norm(others, axis=1)))


@settings(deadline=None)
@given(SEEDS, st.sampled_from([2, 3]))
def test_near_cones_are_right_under_the_margin_that_makes_them_sure(seed: int, K: int) -> None:
    """(W^y - W^k) x >= threshold ||W^y - W^k||; what is kept has its true label; what was right is right again."""
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(K, 3))
    X, y = rounds(rng, W, 30)
    sure = np.array([clearance(W, x, label) > 0.1 for x, label in zip(X, y, strict=True)], dtype=bool)
    assume(sure.any())
    learner = Cone(K, 3, threshold=0.1, seed=seed)
    for x, label in zip(X[sure], y[sure].tolist(), strict=True):
        p = learner.predict_proba(x)
        assert p[label] in (1, pytest.approx(1 / K))
        drawn = learner.predict(x)
        learner.update(x, drawn, drawn == label)
        if drawn == label:
            assert learner.predict_proba(2 * x)[label] == 1
    assert np.array_equal((learner.directions @ W.T).argmax(axis=1), learner.labels)


def test_points_of_different_labels_being_far_apart_is_not_enough() -> None:
    """Assumption 2 with gamma = 1: separated by the sign of x_2, and 1 apart; still the near cone is wrong."""
    learner = Cone(2, 2, threshold=1)
    learner.update([10.0, 0.5], 0, True)
    assert learner.predict_proba([10.0, -0.5]).tolist() == [1, 0]


def test_the_printed_threshold_is_twice_what_unit_rows_make_sure() -> None:
    """W = ((0, 1), (0, -1)) has unit rows and margin 1 on both points: gamma = 1 errs, gamma/2 does not."""
    W, X = np.array([[0.0, 1.0], [0.0, -1.0]]), np.array([[10.0, 0.5], [10.0, -0.5]])
    assert np.abs((W[0] - W[1]) @ X.T).tolist() == [1, 1]
    for threshold, expected in ((1, [1, 0]), (0.5, [0.5, 0.5])):
        learner = Cone(2, 2, threshold=threshold)
        learner.update(X[0], 0, True)
        assert learner.predict_proba(X[1]).tolist() == expected


def test_a_direction_is_kept_once_and_zero_never() -> None:
    learner = Cone(2, 2, threshold=0.1)
    for x in ([3.0, 4.0], [6.0, 8.0], [0.0, 0.0]):
        learner.update(x, 1, True)
    np.testing.assert_allclose(learner.directions, [[0.6, 0.8]])
    assert learner.labels.tolist() == [1]


@pytest.mark.parametrize("threshold", [0, -1, math.inf, True, "wide"])
def test_bad_thresholds_are_named(threshold: object) -> None:
    with pytest.raises(ValueError, match=r"threshold = .* is not a finite number > 0"):
        Cone(2, 2, threshold=threshold)


# --- gradient descent ---------------------------------------------------------------------------------------

STAR = 2 * np.array([[1.0, 0.0], [-0.5, math.sqrt(3) / 2], [-0.5, -math.sqrt(3) / 2]])


@settings(deadline=None)
@given(SEEDS)
def test_the_distance_to_the_comparator_falls_by_an_eighth_of_the_loss(seed: int) -> None:
    """The step of Lemma 6 that its proof does give; and M by its definition."""
    rng = np.random.default_rng(seed)
    learner = BanditGradientDescent(3, 2, W_star=STAR, epsilon=0.3, seed=seed)
    M = np.eye(2)
    for x, y in zip(*rounds(rng, STAR, 40, margin=1), strict=True):
        before, loss = learner.W.copy(), squared_hinge(learner.W @ x).value(y)
        right = not learner.run([x], [y]).wrong[0]
        assert right or np.array_equal(before, learner.W)
        fall = np.sum((before - STAR) ** 2) - np.sum((learner.W - STAR) ** 2)
        assert fall >= right * loss / 8 - 1e-9
        assert np.linalg.norm(learner.W, axis=1).max() <= 2 * (1 + 1e-12)
        M += right * loss * np.outer(x, x)
        np.testing.assert_allclose(learner.P, np.linalg.inv(M), atol=1e-9)


@settings(deadline=None)
@given(SEEDS)
def test_it_explores_where_the_features_are_new_and_the_comparator_is_far(seed: int) -> None:
    rng = np.random.default_rng(seed)
    learner = BanditGradientDescent(3, 2, W_star=STAR, epsilon=0.3, seed=seed)
    for x, y in zip(*rounds(rng, STAR, 40, margin=1), strict=True):
        explores = x @ learner.P @ x >= 0.09 and np.linalg.norm(learner.W - STAR) >= 1
        expected = np.full(3, 1 / 3) if explores else np.eye(3)[(learner.W @ x).argmax()]
        assert learner.predict_proba(x).tolist() == pytest.approx(expected)
        learner.run([x], [y])


def test_without_a_gate_the_comparator_is_not_used() -> None:
    X, y = rounds(np.random.default_rng(1), STAR, 80, margin=1)
    near, far = (BanditGradientDescent(3, 2, W_star=W, epsilon=0.3, gate=None, seed=2) for W in (STAR, -STAR))
    assert near.run(X, y).wrong.tolist() == far.run(X, y).wrong.tolist()
    assert np.array_equal(near.W, far.W)


@given(st.lists(st.floats(-3, 3), min_size=3, max_size=3), st.integers(0, 2))
def test_the_squared_hinge_gradient_is_its_slope(scores: list[float], label: int) -> None:
    at = np.array(scores)
    others = np.sort(np.delete(at, label))
    assume(others[1] - others[0] > 1e-3)
    loss, gradient = squared_hinge(at).value(label), squared_hinge(at).slopes(label)
    assert loss == pytest.approx(max(1 - at[label] + others[1], 0) ** 2)
    around = [[squared_hinge(at + h).value(label) for h in (step, -step)] for step in 1e-5 * np.eye(3)]
    slopes = [(above - below) / 2e-5 for above, below in around]
    np.testing.assert_allclose(gradient, slopes, atol=1e-3)


def test_rows_are_clipped_one_by_one() -> None:
    np.testing.assert_allclose(
        clipped(np.array([[3.0, 4.0], [0.3, 0.4], [0.0, 0.0]]), 1), [[0.6, 0.8], [0.3, 0.4], [0, 0]]
    )


def test_the_printed_epsilon_is_the_default() -> None:
    """1/(4D sqrt(32 K^3 D^4)) = 1/512 for K = D = 2."""
    learner = BanditGradientDescent(2, 1, W_star=[[1.0], [-1.0]])
    assert learner.epsilon == pytest.approx(1 / 512)
    assert (learner.radius, learner.gate, learner.learning_rate) == (2, 1, 1 / 8)


def test_gradient_descent_refuses_what_overflows() -> None:
    learner = BanditGradientDescent(2, 2, W_star=np.eye(2))
    with pytest.raises(OverflowError, match="overflow"):
        learner.update([1e200, 1e200], 1, True)
    assert not learner.W.any()
    assert np.array_equal(learner.P, np.eye(2))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"W_star": [[3.0, 0.0], [0.0, 0.0]]}, r"W_star has a row of norm 3\.0: it must be at most radius = 2\.0"),
        ({"W_star": [[1.0, 0.0]]}, r"W_star has shape \(1, 2\): it must have shape \(2, 2\)"),
        ({"epsilon": 0}, "epsilon = 0 is not a finite number > 0"),
        ({"gate": 0}, "gate = 0 is not a finite number > 0"),
        ({"learning_rate": math.nan}, "learning_rate = nan is not a finite number > 0"),
        ({"radius": -2}, "radius = -2 is not a finite number > 0"),
    ],
)
def test_bad_arguments_of_gradient_descent_are_named(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BanditGradientDescent(2, 2, **({"W_star": np.eye(2)} | arguments))
