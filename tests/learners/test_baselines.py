"""The baselines of Table 1: Perceptrons, Banditron, Newtron, online Newton step, aggregating algorithm."""

import inspect
import math
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

from gaptron.learners.aggregating import Aggregating
from gaptron.learners.banditron import Banditron
from gaptron.learners.learner import Learner
from gaptron.learners.newton_projection import project
from gaptron.learners.newtron import Newtron
from gaptron.learners.online_newton_step import OnlineNewtonStep
from gaptron.learners.perceptron import Perceptron
from gaptron.learners.rank_one import grown_inverse
from gaptron.learners.second_order_perceptron import SecondOrderPerceptron

MAKERS: dict[str, Callable[..., Learner]] = {
    "Perceptron": lambda seed=None: Perceptron(3, 2, seed=seed),
    "second-order": lambda seed=None: SecondOrderPerceptron(3, 2, a=0.5, seed=seed),
    "second-order diagonal": lambda seed=None: SecondOrderPerceptron(3, 2, diagonal=True, seed=seed),
    "Banditron": lambda seed=None: Banditron(3, 2, exploration=0.2, seed=seed),
    "Newtron": lambda seed=None: Newtron(3, 2, exploration=0.1, seed=seed),
    "PNewtron": lambda seed=None: Newtron(3, 2, exploration=0.1, diagonal=True, seed=seed),
    "ONS": lambda seed=None: OnlineNewtonStep(3, 2, radius=2, seed=seed),
    "ONS softmax": lambda seed=None: OnlineNewtonStep(3, 2, beta=0.5, decoder="softmax", seed=seed),
    "Aggregating": lambda seed=None: Aggregating(3, 1, grid=5, seed=seed),
    "Aggregating softmax": lambda seed=None: Aggregating(2, 1, radius=4, grid=7, decoder="softmax", seed=seed),
}
every_learner = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
seeds = st.integers(0, 2**32 - 1)


def stream(learner: Learner, n_rounds: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Normal features, labels that two in three times follow them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rounds, learner.n_features))
    y = (X @ rng.normal(size=(learner.n_features, learner.n_classes))).argmax(axis=1)
    return X, np.where(rng.random(n_rounds) < 2 / 3, y, rng.integers(learner.n_classes, size=n_rounds))


def state(learner: Learner) -> dict[str, np.ndarray]:
    return {name: np.copy(getattr(learner, name)) for name in learner.STATE}


def assert_same_state(left: Learner, right: Learner) -> None:
    for name, value in state(left).items():
        np.testing.assert_array_equal(value, getattr(right, name))


def play(learner: Learner, x: np.ndarray, label: int) -> int:
    drawn = learner.predict(x)
    if learner.feedback == "full":
        learner.update(x, int(label))
    else:
        learner.update(x, drawn, bool(drawn == label))
    return drawn


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores)
    return powers / powers.sum(axis=-1, keepdims=True)


# --- what every baseline keeps ----------------------------------------------------------------------


@pytest.mark.few(8)
@every_learner
@settings(max_examples=30)
@given(seed=seeds, magnitude=st.floats(-320, 308))
def test_the_distribution_is_valid_and_a_round_is_learned_or_refused_whole(
    make: Callable[..., Learner], seed: int, magnitude: float
) -> None:
    learner = make(seed)
    rng = np.random.default_rng(seed)
    for size in (1.0, 1.0, 10.0**magnitude, 10.0**magnitude, 10.0**magnitude):
        x = rng.uniform(-1, 1, learner.n_features) * size
        before = state(learner)
        try:
            play(learner, x, rng.integers(learner.n_classes))
        except OverflowError:
            for name, value in before.items():
                np.testing.assert_array_equal(value, getattr(learner, name))
        assert all(np.isfinite(value).all() for value in state(learner).values())
        probabilities = learner.predict_proba(x)
        assert probabilities.shape == (learner.n_classes,)
        assert probabilities.min() >= getattr(learner, "exploration", 0) / learner.n_classes
        assert probabilities.sum() == pytest.approx(1, abs=1e-12)


@every_learner
def test_run_is_predict_and_update(make: Callable[..., Learner]) -> None:
    whole, single = make(3), make(3)
    X, y = stream(whole, 60, 0)
    done = whole.run(X, y)
    assert [play(single, x, label) != label for x, label in zip(X, y, strict=True)] == done.wrong.tolist()
    assert_same_state(whole, single)
    assert np.isfinite(done.loss).all()
    assert not done.off.any()


@every_learner
def test_constructor_arguments_and_state_are_all_there_is_to_resume(make: Callable[..., Learner]) -> None:
    learner = make(5)
    X, y = stream(learner, 60, 1)
    learner.run(X[:30], y[:30])
    names = [*inspect.signature(type(learner)).parameters]
    resumed = type(learner)(**{name: getattr(learner, name) for name in names if name != "seed"})
    for name, value in state(learner).items():
        setattr(resumed, name, value)
    resumed.rng = deepcopy(learner.rng)
    assert resumed.run(X[30:], y[30:]).loss.tolist() == learner.run(X[30:], y[30:]).loss.tolist()
    assert_same_state(learner, resumed)


@pytest.mark.parametrize(
    ("learner", "W", "x", "call"),
    [
        (Perceptron(2, 1), [[1e308], [1.7e308]], [1e308], (0,)),
        (Banditron(2, 1, exploration=0.5), None, [1e308], (1, True)),
        (SecondOrderPerceptron(2, 1), None, [1e200], (1,)),
        (SecondOrderPerceptron(2, 1, diagonal=True), None, [1e200], (1,)),
        (Newtron(2, 1, exploration=0.5), None, [1e200], (1, False)),
        (Newtron(2, 1, exploration=0.5, diagonal=True), None, [1e200], (1, False)),
        (OnlineNewtonStep(2, 1), None, [1e200], (1,)),
    ],
)
def test_overflow_is_refused_and_nothing_is_learned(learner: Learner, W: list | None, x: list, call: tuple) -> None:
    if W is not None:
        learner.W[:] = W
    before = deepcopy(learner)
    with pytest.raises(OverflowError, match="the weights overflow"):
        learner.update(x, *call)
    assert_same_state(before, learner)


@pytest.mark.parametrize(
    ("kind", "arguments", "message"),
    [
        (Perceptron, {"n_classes": 1}, "n_classes = 1 is not an integer >= 2"),
        (Perceptron, {"n_features": 0}, "n_features = 0 is not an integer >= 1"),
        (Perceptron, {"seed": -1}, "seed = -1 is not None"),
        (SecondOrderPerceptron, {"a": 0}, "a = 0 is not a finite number > 0"),
        (SecondOrderPerceptron, {"diagonal": 1}, "diagonal = 1 is not True or False"),
        (Banditron, {}, "exploration = None, horizon = None: one of them must be given"),
        (Banditron, {"exploration": 1.5}, r"exploration = 1\.5 is not a number in \[0, 1\]"),
        (Banditron, {"horizon": 0}, "horizon = 0 is not an integer >= 1"),
        (Banditron, {"horizon": 9, "radius": math.inf}, "radius = inf is not a finite number > 0"),
        (Banditron, {"horizon": 9, "feature_norm": 0}, "feature_norm = 0 is not a finite number > 0"),
        (Newtron, {"exploration": None}, r"exploration = None is not a number in \[0, 1\]"),
        (Newtron, {"exploration": 0.1, "alpha": -1}, "alpha = -1 is not a finite number > 0"),
        (Newtron, {"exploration": 0.1, "beta": math.nan}, "beta = nan is not a finite number > 0"),
        (Newtron, {"exploration": 0.1, "radius": "big"}, "radius = 'big' is not a finite number > 0"),
        (Newtron, {"exploration": 0.1, "diagonal": None}, "diagonal = None is not True or False"),
        (OnlineNewtonStep, {"radius": math.inf}, "radius = inf is not a finite number > 0"),
        (OnlineNewtonStep, {"beta": 0}, "beta = 0 is not a finite number > 0"),
        (OnlineNewtonStep, {"radius": 260}, r"radius = 260\.0: \(2 beta radius\)\^2 leaves the range of doubles"),
        (OnlineNewtonStep, {"decoder": "best"}, 'decoder = \'best\' is not one of "top", "softmax"'),
        (Aggregating, {"n_features": 2}, r"n_classes \* n_features = 6 is not <= 3: the grid would be too large"),
        (Aggregating, {"grid": 1}, "grid = 1 is not an integer >= 2"),
        (Aggregating, {"radius": 0}, "radius = 0 is not a finite number > 0"),
        (Aggregating, {"decoder": None}, "decoder = None is not one of"),
    ],
)
def test_bad_arguments_are_named(kind: type, arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        kind(**({"n_classes": 3, "n_features": 1} | arguments))


@every_learner
def test_bad_rounds_are_refused_and_nothing_is_learned(make: Callable[..., Learner]) -> None:
    learner, fresh = make(), make()
    feedback = (7,) if learner.feedback == "full" else (7, True)
    with pytest.raises(ValueError, match="= 7 is not a label"):
        learner.update(np.ones(learner.n_features), *feedback)
    with pytest.raises(ValueError, match="is not finite"):
        learner.update(np.full(learner.n_features, math.nan), *(0, *feedback[1:]))
    with pytest.raises(ValueError, match="x has shape"):
        learner.predict([1.0] * 5)
    assert_same_state(learner, fresh)


# --- Perceptron -------------------------------------------------------------------------------------


def test_perceptron_rounds_by_hand() -> None:
    learner = Perceptron(3, 2)
    learner.update([1.0, 2.0], 0)
    assert not learner.W.any()
    assert learner.run([[1.0, 2.0], [0.0, 1.0]], [2, 0]).loss.tolist() == [1, 5]
    assert learner.W.tolist() == [[-1, -1], [0, 0], [1, 1]]
    assert learner.predict_proba([1.0, 0.0]).tolist() == [0, 0, 1]


def margins(U: np.ndarray, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    scores = X @ U.T
    right = scores[np.arange(len(y)), y]
    scores[np.arange(len(y)), y] = -math.inf
    return right - scores.max(axis=1)


@given(seed=seeds, K=st.integers(2, 4), d=st.integers(1, 4))
def test_perceptron_on_separable_streams(seed: int, K: int, d: int) -> None:
    """At most 2 X^2 ||U||^2 mistakes, U scaled to margin 1."""
    rng = np.random.default_rng(seed)
    X, U = rng.normal(size=(80, d)), rng.normal(size=(K, d))
    y = (X @ U.T).argmax(axis=1)
    U /= margins(U, X, y).min()
    mistakes = Perceptron(K, d).run(X, y).mistakes
    assert mistakes <= 2 * (X**2).sum(axis=1).max() * (U**2).sum() * (1 + 1e-9)


@given(seed=seeds, size=st.floats(0, 5))
def test_perceptron_on_any_stream(seed: int, size: float) -> None:
    """Beygelzimer, Orabona, Zhang 2017, Theorem 1, its consequences for q = 1 and q = 2."""
    learner = Perceptron(3, 2)
    X, y = stream(learner, 30, seed)
    U = np.random.default_rng(seed).normal(size=(3, 2)) * size
    hinge = np.maximum(1 - margins(U, X, y), 0)
    reach = math.sqrt(2 * (X**2).sum(axis=1).max() * (U**2).sum())
    mistakes = learner.run(X, y).mistakes
    assert mistakes <= hinge.sum() + reach**2 + reach * math.sqrt(hinge.sum()) + 1e-9
    assert mistakes <= (hinge**2).sum() + reach**2 + 2 * reach * math.sqrt((hinge**2).sum()) + 1e-9


def test_the_exact_perceptron_reports_fractions() -> None:
    run = Perceptron(2, 1, exact=True).run([[1], [1]], [1, 1])
    assert isinstance(run.expected_mistakes, Fraction)
    assert run.expected_mistakes == 1


def test_the_perceptron_bound_quoted_after_theorem_2_fails_in_one_round() -> None:
    """M_T <= L + X^2 ||U||^2 + 2 X ||U|| sqrt(2 L) (van der Hoeven 2020): 1 > 0 + 1/2 + 0."""
    U = np.array([[-0.5], [0.5]])
    X, y = np.array([[1.0]]), np.array([1])
    assert margins(U, X, y).tolist() == [1]
    assert (U**2).sum() == 0.5
    assert Perceptron(2, 1).run(X, y).mistakes == 1


# --- second-order Perceptron ------------------------------------------------------------------------


@pytest.mark.parametrize("diagonal", [False, True])
@given(seed=seeds, a=st.floats(0.1, 10))
def test_second_order_perceptron_inverts_its_matrix(diagonal: bool, seed: int, a: float) -> None:
    learner = SecondOrderPerceptron(3, 2, a=a, diagonal=diagonal)
    A, theta = a * np.eye(6), np.zeros(6)
    for x, label in zip(*stream(learner, 30, seed), strict=True):
        top = int((learner.W @ x).argmax())
        assert learner.predict_proba(x)[top] == 1
        learner.update(x, int(label))
        if top != label:
            z = np.kron(np.eye(3)[top] - np.eye(3)[label], x)
            A, theta = A + np.outer(z, z), theta - z
            W = np.linalg.inv(A * np.eye(6) if diagonal else A) @ theta
            np.testing.assert_allclose(learner.W.ravel(), W, rtol=1e-8, atol=1e-10)
    np.testing.assert_array_equal(learner.P, learner.P.T)


def test_second_order_perceptron_for_two_classes_is_the_binary_one() -> None:
    """w_t = A^{-1} theta for signs; then W = (-w, w)/sqrt(2) on x/sqrt(2)."""
    learner = SecondOrderPerceptron(2, 3, a=2)
    w, A_inverse, mistakes = np.zeros(3), np.eye(3) / 2, 0
    for x, label in zip(*stream(learner, 60, 4), strict=True):
        sign, predicted = 2 * label - 1, 1 if w @ x > 0 else -1
        learner.update(x / math.sqrt(2), int(label))
        if sign != predicted:
            mistakes += 1
            u = A_inverse @ x / (1 + x @ A_inverse @ x)
            w, A_inverse = w + (1 - sign * (w @ x)) * sign * u, A_inverse - np.outer(u, A_inverse @ x)
        np.testing.assert_allclose(learner.W, np.array([-w, w]) / math.sqrt(2), atol=1e-10)
    assert mistakes > 10


@given(seed=seeds, weight=st.floats(0, 100))
def test_the_inverse_grows_with_the_matrix(seed: int, weight: float) -> None:
    rng = np.random.default_rng(seed)
    M, z = rng.normal(size=(4, 4)), rng.normal(size=4)
    P, product = grown_inverse(np.linalg.inv(M @ M.T + np.eye(4)), z, weight)
    np.testing.assert_allclose(P @ (M @ M.T + np.eye(4) + weight * np.outer(z, z)), np.eye(4), atol=1e-9)
    np.testing.assert_allclose(product, P @ z, atol=1e-9)
    P, product = grown_inverse(np.array([0.5, 2.0]), np.array([3.0, 1.0]), weight)
    np.testing.assert_allclose(1 / P, [2 + 9 * weight, 1 / 2 + weight])
    np.testing.assert_allclose(product, P * [3, 1])


# --- Banditron --------------------------------------------------------------------------------------


@given(seed=seeds, gamma=st.floats(0.01, 1))
def test_banditron_updates_like_the_perceptron_in_expectation(seed: int, gamma: float) -> None:
    rng = np.random.default_rng(seed)
    W, x, label = rng.normal(size=(4, 2)), rng.normal(size=2), int(rng.integers(4))
    full = Perceptron(4, 2)
    full.W[:] = W
    full.update(x, label)
    expected = np.zeros_like(W)
    for r in range(4):
        learner = Banditron(4, 2, exploration=gamma)
        learner.W[:] = W
        probability = learner.predict_proba(x)[r]
        learner.update(x, r, r == label)
        expected += probability * (learner.W - W)
    np.testing.assert_allclose(expected, full.W - W, atol=1e-9)


def test_banditron_by_hand() -> None:
    """gamma = 3/10 and K = 3: the top label has probability 8/10, the others 1/10."""
    learner = Banditron(3, 1, exploration=0.3)
    learner.update([1.0], 2, True)
    np.testing.assert_allclose(learner.W, [[-1], [0], [10]])
    learner.update([1.0], 2, True)
    np.testing.assert_allclose(learner.W, [[-1], [0], [10.25]])
    learner.update([1.0], 1, False)
    np.testing.assert_allclose(learner.W, [[-1], [0], [9.25]])


def test_banditron_default_exploration_minimises_its_two_terms() -> None:
    K, T, D, X = 4, 3000, 2.0, 1.5
    learner = Banditron(K, 1, horizon=T, radius=D, feature_norm=X)
    gammas = learner.exploration * np.array([0.99, 1, 1.01])
    terms = gammas * T + D * X * np.sqrt(K * T / gammas)
    assert terms.argmin() == 1
    assert Banditron(K, 1, horizon=1).exploration == 1
    assert Banditron(K, 1, exploration=0, horizon=T).exploration == 0


# --- Newtron ----------------------------------------------------------------------------------------


def newtron_gradient(p: np.ndarray, sampled: np.ndarray, x: np.ndarray, r: int, label: int) -> np.ndarray:
    """The estimate, from the formulas of the docstring."""
    K = len(p)
    ones, e = np.ones(K) / K, np.eye(K)
    if r == label:
        return np.kron((1 - p[r]) / sampled[r] * (ones - e[r]), x)
    return np.kron(p[r] / sampled[r] * (e[r] - ones), x)


@pytest.mark.parametrize("diagonal", [False, True])
@given(seed=seeds, gamma=st.floats(0.05, 1), alpha=st.floats(0.1, 3), beta=st.floats(0.01, 1))
def test_newtron_minimises_its_objective(diagonal: bool, seed: int, gamma: float, alpha: float, beta: float) -> None:
    """The gradient of the objective of the docstring vanishes at W, for a fresh linear system every round."""
    learner = Newtron(3, 2, exploration=gamma, alpha=alpha, beta=beta, radius=2, diagonal=diagonal, seed=seed)
    hessian, linear = np.eye(6) / 2, np.zeros(6)
    for x, label in zip(*stream(learner, 8, seed), strict=True):
        p = softmax(alpha * learner.W @ x)
        sampled = (1 - gamma) * p + gamma / 3
        np.testing.assert_allclose(learner.predict_proba(x), sampled, rtol=1e-9)
        w = learner.W.ravel().copy()
        r = play(learner, x, label)
        g = newtron_gradient(p, sampled, x, r, label)
        curvature = beta * (sampled[r] if r == label else 1) * np.outer(g, g)
        if diagonal:
            curvature = np.diag(np.diag(curvature))
        hessian, linear = hessian + curvature, linear + g - curvature @ w
        np.testing.assert_allclose(learner.W.ravel(), np.linalg.solve(hessian, -linear), rtol=1e-6, atol=1e-8)


@given(seed=seeds, gamma=st.floats(0.01, 1))
def test_newtron_estimates_the_gradient_without_bias(seed: int, gamma: float) -> None:
    """Read off the first step of a learner whose squared terms are negligible: W - D g."""
    rng = np.random.default_rng(seed)
    W, x, label = rng.normal(size=(3, 2)), rng.normal(size=2), int(rng.integers(3))
    expected = np.zeros((3, 2))
    for r in range(3):
        learner = Newtron(3, 2, exploration=gamma, alpha=1, beta=1e-300)
        learner.W[:] = W
        probability = learner.predict_proba(x)[r]
        learner.update(x, r, r == label)
        expected += probability * (W - learner.W)
    np.testing.assert_allclose(expected, np.outer(softmax(W @ x) - np.eye(3)[label], x), atol=1e-9)


def test_newtron_defaults_are_those_of_the_experiments() -> None:
    learner = Newtron(3, 2, exploration=0.1)
    assert (learner.alpha, learner.beta, learner.radius, learner.diagonal) == (10, 0.01, 1, False)
    np.testing.assert_allclose(learner.label_probabilities([1.0, 2.0]), 1 / 3)
    with pytest.raises(TypeError, match="exploration"):
        Newtron(3, 2)


# --- online Newton step -----------------------------------------------------------------------------


@given(seed=seeds, radius=st.floats(0.1, 3), beta=st.none() | st.floats(0.01, 2))
def test_online_newton_step_follows_its_definition(seed: int, radius: float, beta: float | None) -> None:
    learner = OnlineNewtonStep(3, 2, radius=radius, beta=beta)
    A = np.eye(6) / (2 * learner.beta * radius) ** 2
    for x, label in zip(*stream(learner, 8, seed), strict=True):
        g = np.kron(softmax(learner.W @ x) - np.eye(3)[label], x)
        A = A + np.outer(g, g)
        stepped = learner.W.ravel() - np.linalg.inv(A) @ g / learner.beta
        learner.update(x, int(label))
        np.testing.assert_allclose(learner.A, A, rtol=1e-9)
        np.testing.assert_allclose(learner.P @ A, np.eye(6), atol=1e-6)
        np.testing.assert_allclose(learner.W.ravel(), project(stepped, A, radius), rtol=1e-5, atol=1e-7 * radius)
        assert np.linalg.norm(learner.W) <= radius * (1 + 1e-12)
    assert np.linalg.eigvalsh(learner.A)[0] > 0


@given(seed=seeds, radius=st.floats(0.1, 2))
def test_online_newton_step_regret(seed: int, radius: float) -> None:
    """sum f(W_t) - f(U) <= sum g'A^{-1}g/(2 beta) + (beta/2) U'A_0 U on the ball, f = -ln p_y and ||x|| <= 1."""
    learner = OnlineNewtonStep(3, 2, radius=radius)
    X, y = stream(learner, 20, seed)
    X /= np.linalg.norm(X, axis=1).max()
    beta, A_0 = learner.beta, learner.A.copy()
    U = np.random.default_rng(seed).normal(size=(3, 2))
    U *= radius / np.linalg.norm(U)
    bound = beta / 2 * U.ravel() @ A_0 @ U.ravel()
    excess = 0.0
    for x, label in zip(X, y, strict=True):
        p = softmax(learner.W @ x)
        excess += math.log(softmax(U @ x)[label]) - math.log(p[label])
        learner.update(x, int(label))
        g = np.kron(p - np.eye(3)[label], x)
        bound += g @ np.linalg.inv(learner.A) @ g / (2 * beta)
    assert excess <= bound + 1e-9


@given(seed=seeds, K=st.integers(2, 5), radius=st.floats(0.1, 3), X=st.floats(0.1, 2))
def test_online_newton_step_knows_the_exp_concavity(seed: int, K: int, radius: float, X: float) -> None:
    """The Hessian dominates 2 beta g g' on the ball, and 2 beta <= 1/(8 G D)."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=K)
    scores *= radius * X / np.linalg.norm(scores)
    p = softmax(scores)
    g = p - np.eye(K)[scores.argmin()]
    alpha = 2 * OnlineNewtonStep(K, 1, radius=radius, feature_norm=X).beta
    assert alpha <= 1 / (8 * math.sqrt(2) * radius * X)
    assert np.linalg.eigvalsh(np.diag(p) - np.outer(p, p) - alpha * np.outer(g, g))[0] >= -1e-12


def test_online_newton_step_learns_and_its_loss_bounds_the_mistakes() -> None:
    for decoder, limit in (("top", 0.1), ("softmax", 0.2)):
        learner = OnlineNewtonStep(3, 2, radius=10, beta=0.1, decoder=decoder, seed=0)
        X, _ = stream(learner, 400, 0)
        y = (X @ np.random.default_rng(1).normal(size=(2, 3))).argmax(axis=1)
        done = learner.run(X, y)
        assert done.probability_wrong[200:].mean() < limit
        assert (done.probability_wrong <= done.loss + 1e-12).all()
    np.testing.assert_allclose(learner.predict_proba(X[0]), learner.label_probabilities(X[0]))


# --- the projection ---------------------------------------------------------------------------------


@given(
    seed=seeds,
    n=st.integers(1, 5),
    spread=st.floats(0, 12),
    scale=st.floats(-100, 100),
    distance=st.floats(-6, 100),
    radius=st.floats(1e-3, 1e3),
)
@example(seed=128, n=4, spread=9.0, scale=0.0, distance=-5.0, radius=1.0)
def test_the_projection_satisfies_the_optimality_conditions(
    seed: int, n: int, spread: float, scale: float, distance: float, radius: float
) -> None:
    """||v|| = radius, and in the eigenvectors of A: lambda_i (w - v)_i = mu v_i for one mu >= 0."""
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.normal(size=(n, n)))
    eigenvalues = 10.0 ** (scale + spread * rng.random(n))
    w = rng.normal(size=n)
    w *= radius * (1 + 10.0**distance) / np.linalg.norm(w)
    v = project(w, (Q * eigenvalues) @ Q.T, radius)
    assert math.hypot(*v) == pytest.approx(radius, rel=1e-12)
    moved = np.abs(w - v).max()
    pull = (Q * (eigenvalues / eigenvalues.max())) @ (Q.T @ ((w - v) / moved))
    mu = (pull @ v) / radius**2
    rounding = 8 * np.finfo(float).eps * np.linalg.norm(w) / moved  # of w - v, where lambda is largest
    assert mu > -rounding / radius
    assert np.linalg.norm(pull - mu * v) <= 1e-3 * abs(mu) * radius + rounding


def test_the_projection_is_nearest_among_many() -> None:
    rng = np.random.default_rng(0)
    A, w = np.array([[2.0, 0.9], [0.9, 0.5]]), np.array([3.0, -1.0])
    v = project(w, A, 1.5)
    others = rng.normal(size=(2000, 2))
    others *= 1.5 * np.sqrt(rng.random(2000))[:, None] / np.linalg.norm(others, axis=1)[:, None]
    assert ((others - w) @ A * (others - w)).sum(axis=1).min() >= (v - w) @ A @ (v - w)


def test_the_projection_of_simple_points() -> None:
    np.testing.assert_allclose(project([3.0, 4.0], np.eye(2), 1), [0.6, 0.8])
    np.testing.assert_allclose(project(np.full(4, 1e300), 7 * np.eye(4), 1), np.full(4, 0.5))
    np.testing.assert_allclose(project([3.0, 4.0], np.diag([1.0, 1e14]), 4.5)[1], 4.0, rtol=1e-6)
    for inside in ([0.6, 0.8], [0.0, 0.0], [-0.1, 0.2]):
        assert project(inside, np.eye(2), 1).tolist() == inside
    assert project([3.0, 4.0], np.eye(2), math.inf).tolist() == [3, 4]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([3.0, 4.0], np.eye(2), 0), "radius = 0 is not a number > 0"),
        (([3.0, 4.0], np.eye(3), 1), r"A has shape \(3, 3\): it must have shape \(2, 2\)"),
        (([[3.0, 4.0]], np.eye(2), 1), r"w has shape \(1, 2\): it must have shape \(2,\)"),
        (([1.7e308, 1.7e308], np.eye(2), 1), "w has the norm inf: it must be finite"),
        (([3.0, math.nan], np.eye(2), 1), r"w\[1\] = nan is not finite"),
        (([3.0, 4.0], np.diag([1.0, -1.0]), 1), r"A has the eigenvalue -1\.0: it must be positive definite"),
        (([3.0, 4.0], np.zeros((2, 2)), 1), r"A has the eigenvalue 0\.0: it must be positive definite"),
    ],
)
def test_bad_projections_are_refused(arguments: tuple, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        project(*arguments)


# --- the aggregating algorithm ----------------------------------------------------------------------


@pytest.mark.parametrize("K", [2, 3])
@settings(max_examples=30)
@given(seed=seeds, radius=st.floats(0.1, 5))
def test_aggregating_is_the_bayesian_mixture(K: int, seed: int, radius: float) -> None:
    """Against the products of likelihoods, point by point; its loss is within log2 N of the best point's."""
    learner = Aggregating(K, 1, radius=radius, grid=5)
    X, y = stream(learner, 6, seed)
    likelihoods = np.ones(len(learner.points))
    total = 0.0
    for x, label in zip(X, y, strict=True):
        p = softmax(learner.points[:, :, 0] * x)
        mixture = likelihoods @ p / likelihoods.sum()
        np.testing.assert_allclose(learner.label_probabilities(x), mixture, rtol=1e-9)
        assert mixture[learner.predict_proba(x).argmax()] >= mixture.max() - 1e-9
        total += learner.run([x], [label]).loss.item()
        likelihoods *= p[:, label]
    best = -math.log2(likelihoods.max())
    assert best <= total <= best + math.log2(len(likelihoods)) + 1e-9
    np.testing.assert_allclose(np.exp(learner.log_weights), likelihoods / likelihoods.sum(), rtol=1e-9)


def test_aggregating_approaches_the_uniform_prior_on_the_ball() -> None:
    """For K = 2, (U_1 - U_0)/sqrt(2) has the density sqrt(D^2 - s^2) up to a factor: a one-dimensional integral."""
    X, y, D = [1.0, -2.0, 0.5], [1, 1, 0], 3.0
    learner = Aggregating(2, 1, radius=D, grid=201)
    learner.run(np.array(X)[:, None], y)

    def likelihood(s: float, rounds: list[tuple[float, int]]) -> float:
        z = [(2 * label - 1) * math.sqrt(2) * s * x for x, label in rounds]
        return math.sqrt(D**2 - s**2) * math.prod(1 / (1 + math.exp(-v)) for v in z)

    past = [*zip(X, y, strict=True)]
    evidence = [quad(likelihood, -D, D, args=(rounds,))[0] for rounds in (past, [*past, (0.7, 1)])]
    assert learner.label_probabilities([0.7])[1] == pytest.approx(evidence[1] / evidence[0], abs=1e-4)


def test_aggregating_keeps_the_ball() -> None:
    learner = Aggregating(3, 1, radius=2, grid=9)
    assert np.linalg.norm(learner.points, axis=(1, 2)).max() == pytest.approx(2)
    assert len(learner.points) < 9**3
    assert np.exp(learner.log_weights).sum() == pytest.approx(1)
