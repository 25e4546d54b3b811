"""SOBA against its definition with explicit inverses, and the lemmas of its paper along every run; Algorithm 2."""

import math
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaptron.learners import SOBA, ExpConcaveBandit

CLOSE = {"rtol": 1e-7, "atol": 1e-9}


@dataclass
class Game:
    """A learner and the stream it meets."""

    learner: SOBA
    X: np.ndarray
    y: np.ndarray


@st.composite
def games(draw: st.DrawFn, diagonal: bool | None = None) -> Game:
    K, d, T = draw(st.integers(2, 4)), draw(st.integers(1, 3)), draw(st.integers(1, 20))
    entries = st.integers(-4, 4).map(lambda n: n / 2)
    X = draw(st.lists(st.lists(entries, min_size=d, max_size=d), min_size=T, max_size=T))
    y = draw(st.lists(st.integers(0, K - 1), min_size=T, max_size=T))
    adaptive = draw(st.booleans())
    learner = SOBA(
        K,
        d,
        exploration=None if adaptive else draw(st.sampled_from([0.0, 0.1, 0.5, 1.0])),
        regularizer=draw(st.sampled_from([0.5, 1, 4])),
        diagonal=draw(st.booleans()) if diagonal is None else diagonal,
        adaptive=adaptive,
        seed=draw(st.integers(0, 99)),
    )
    return Game(learner, np.array(X), np.array(y))


@dataclass
class Reference:
    """Algorithm 1 by its text: A and theta summed, A inverted anew; told what was drawn and whether it updated."""

    K: int
    d: int
    a: float
    diagonal: bool
    A: np.ndarray = field(init=False)
    theta: np.ndarray = field(init=False)
    S: float = 0.0
    Q: float = 0.0
    updates: list[tuple[np.ndarray, np.ndarray, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.A = self.a * np.eye(self.K * self.d)
        self.theta = np.zeros(self.K * self.d)

    @property
    def w(self) -> np.ndarray:
        return np.linalg.inv(self.A) @ self.theta

    def round(self, x: np.ndarray, y: int, scores: np.ndarray, p: float) -> tuple[np.ndarray, np.ndarray, float]:
        """(z, g, m); ``scores`` decide the rival, so that rounding does not."""
        rival = max((k for k in range(self.K) if k != y), key=lambda k: (scores[k], -k))
        g = np.kron((np.eye(self.K)[rival] - np.eye(self.K)[y]) / p, x)
        z = math.sqrt(p) * g
        m = ((self.w @ z) ** 2 + 2 * self.w @ g) / (1 + z @ np.linalg.inv(self.A) @ z)
        return z, g, m

    def update(self, z: np.ndarray, g: np.ndarray, m: float) -> None:
        outer = np.outer(z, z)
        self.A += np.diag(np.diag(outer)) if self.diagonal else outer
        self.theta -= g
        self.S += m
        q = float(z @ np.linalg.inv(self.A) @ z)
        self.Q += q
        self.updates.append((z, g, float(g @ np.linalg.inv(self.A) @ g)))


def copies(learner: SOBA) -> dict[str, np.ndarray]:
    return {name: np.copy(getattr(learner, name)) for name in learner.STATE if name != "n_rounds"}


def unchanged(learner: SOBA, before: dict[str, np.ndarray]) -> bool:
    return all(np.array_equal(getattr(learner, name), value) for name, value in before.items())


def follow(game: Game) -> Reference:
    """Play the game, the reference beside the learner; every round is compared."""
    learner = game.learner
    reference = Reference(learner.n_classes, learner.n_features, learner.regularizer, learner.diagonal)
    for x, y in zip(game.X, game.y.tolist(), strict=True):
        before, scores, p = copies(learner), learner.W @ x, learner.predict_proba(x)
        drawn = learner.predict(x)
        learner.update(x, drawn, drawn == y)
        if drawn != y:
            assert unchanged(learner, before)
            continue
        z, g, m = reference.round(x, y, scores, p[y])
        updated = not unchanged(learner, before)
        if x.any() and abs(reference.S + m) > 1e-9:
            assert updated == (reference.S + m >= 0)
        if x.any() and y != scores.argmax():
            assert updated
        if updated:
            reference.update(z, g, m)
        compare(learner, reference)
    assert learner.n_rounds == len(game.y)
    return reference


def compare(learner: SOBA, reference: Reference) -> None:
    inverse = np.linalg.inv(reference.A)
    np.testing.assert_allclose(learner.P, np.diag(inverse) if learner.diagonal else inverse, **CLOSE)
    np.testing.assert_allclose(learner.theta.ravel(), reference.theta, **CLOSE)
    np.testing.assert_allclose(learner.W.ravel(), reference.w, **CLOSE)
    np.testing.assert_allclose([learner.margin_sum, learner.quadratic_sum], [reference.S, reference.Q], **CLOSE)


# --- Algorithm 1 --------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(games())
def test_every_round_is_that_of_algorithm_1_with_explicit_inverses(game: Game) -> None:
    follow(game)


@settings(deadline=None)
@given(games())
def test_the_sum_of_margins_is_never_negative(game: Game) -> None:
    for x, y in zip(game.X, game.y, strict=True):
        game.learner.run([x], [y])
        assert game.learner.margin_sum >= 0


@settings(deadline=None)
@given(games(diagonal=False))
def test_the_inverse_stays_symmetric_to_the_bit(game: Game) -> None:
    game.learner.run(game.X, game.y)
    assert np.array_equal(game.learner.P, game.learner.P.T)


@settings(deadline=None)
@given(games())
def test_every_label_has_at_least_its_share_of_the_exploration(game: Game) -> None:
    learner, K = game.learner, game.learner.n_classes
    for t, (x, y) in enumerate(zip(game.X, game.y, strict=True), 1):
        gamma = min(math.sqrt(K * (1 + learner.quadratic_sum) / t), 1) if learner.adaptive else learner.exploration
        p = learner.predict_proba(x)
        assert p.min() == pytest.approx(gamma / K)
        assert p.sum() == pytest.approx(1)
        assert p.argmax() == (learner.W @ x).argmax() or gamma == 1
        learner.run([x], [y])


@settings(deadline=None)
@given(games())
def test_run_is_predict_and_update(game: Game) -> None:
    twin = SOBA(
        game.learner.n_classes,
        game.learner.n_features,
        exploration=game.learner.exploration,
        regularizer=game.learner.regularizer,
        diagonal=game.learner.diagonal,
        adaptive=game.learner.adaptive,
    )
    twin.rng.bit_generator.state = game.learner.rng.bit_generator.state
    done = game.learner.run(game.X, game.y)
    wrong = []
    for x, y in zip(game.X, game.y, strict=True):
        drawn = twin.predict(x)
        wrong.append(drawn != y)
        twin.update(x, drawn, bool(drawn == y))
    assert done.wrong.tolist() == wrong
    assert all(np.array_equal(getattr(twin, name), getattr(game.learner, name)) for name in SOBA.STATE)


# --- the paper's lemmas, along a run ------------------------------------------------------------------------


@settings(deadline=None)
@given(games(), st.lists(st.integers(-3, 3), min_size=3, max_size=3), st.integers(0, 3))
def test_lemma_1_the_expected_update_is_the_perceptrons(game: Game, x: list[int], label: int) -> None:
    """With the sign that the definition of g gives: E[n g] = h (e_ybar - e_y) (x) x."""
    learner = game.learner
    learner.run(game.X, game.y)
    point, y = np.array(x[: learner.n_features], dtype=float), label % learner.n_classes
    p, scores, before = learner.predict_proba(point)[y], learner.W @ point, copies(learner)
    if p == 0:
        return
    learner.update(point, y, True)
    h = not unchanged(learner, before)
    assert h or y == scores.argmax() or not point.any()
    rival = max((k for k in range(learner.n_classes) if k != y), key=lambda k: (scores[k], -k))
    expected = np.outer(np.eye(learner.n_classes)[rival] - np.eye(learner.n_classes)[y], point)
    np.testing.assert_allclose(p * (before["theta"] - learner.theta), h * expected, **CLOSE)


@settings(deadline=None)
@given(games(diagonal=False), st.integers(0, 99))
def test_lemma_2_holds_on_every_run(game: Game, seed: int) -> None:
    reference = follow(game)
    U = np.random.default_rng(seed).normal(size=reference.theta.shape)
    left = sum(2 * U @ -g - (U @ z) ** 2 for z, g, _ in reference.updates)
    right = reference.a * U @ U + sum(quadratic for _, _, quadratic in reference.updates)
    assert left <= right + 1e-7 * (1 + abs(right))


@settings(deadline=None)
@given(games(diagonal=False))
def test_lemma_3_the_quadratic_sum_is_at_most_a_log_determinant(game: Game) -> None:
    reference = follow(game)
    n = len(reference.A)
    grown = np.linalg.slogdet(reference.A)[1] - n * math.log(reference.a)
    trace = sum(z @ z for z, _, _ in reference.updates)
    assert game.learner.quadratic_sum <= grown + 1e-7
    assert grown <= n * math.log1p(trace / (reference.a * n)) + 1e-7


def test_the_default_exploration_minimises_the_bound() -> None:
    K, d, T = 4, 3, 5000
    learner = SOBA(K, d, horizon=T)

    def excess(gamma: float) -> float:
        return d * K**2 * math.log(1 + 2 * T / (d * K)) / gamma + gamma * T

    assert all(excess(learner.exploration) < excess(learner.exploration * factor) for factor in (0.99, 1.01))
    assert SOBA(K, d, horizon=1).exploration == 1


def test_soba_learns_what_it_can_separate() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 4))
    y = (X @ rng.normal(size=(4, 3))).argmax(axis=1)
    for arguments in ({}, {"diagonal": True}):
        done = SOBA(3, 4, exploration=0.1, seed=0, **arguments).run(X, y)
        assert done.mistakes < 4000 * 0.25 < 4000 * 2 / 3
        assert done.wrong[2000:].mean() < done.wrong[:1000].mean()


# --- arguments and extremes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("diagonal", [False, True])
def test_overflow_is_refused_and_nothing_is_learned(diagonal: bool) -> None:
    learner = SOBA(3, 2, exploration=0.5, diagonal=diagonal, seed=0)
    learner.run([[1.0, 2.0], [0.5, -1.0], [1.0, 0.0]] * 5, [0, 1, 2] * 5)
    before = copies(learner)
    with pytest.raises(OverflowError, match="overflow"):
        learner.update([1e200, -1e200], 0, True)
    assert unchanged(learner, before)
    assert learner.n_rounds == 15


def test_huge_weights_give_a_distribution() -> None:
    learner = SOBA(3, 2, exploration=0.3)
    learner.W[:] = [[1e308, 1e308], [-1e308, 1e308], [1e308, -1e308]]
    p = learner.predict_proba([1e308, 1e308])
    assert p.tolist() == pytest.approx([0.8, 0.1, 0.1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "exploration = None, horizon = None: without adaptive = True, one of them must be given"),
        ({"exploration": 2}, r"exploration = 2 is not a number in \[0, 1\]"),
        ({"exploration": 0.1, "adaptive": True}, r"exploration = 0\.1: with adaptive = True it must be None"),
        ({"regularizer": 0}, "regularizer = 0 is not a finite number > 0"),
        ({"diagonal": 1}, "diagonal = 1 is not True or False"),
        ({"adaptive": "yes"}, "adaptive = 'yes' is not True or False"),
        ({"horizon": 0}, "horizon = 0 is not an integer >= 1"),
        ({"n_classes": 1}, "n_classes = 1 is not an integer >= 2"),
        ({"n_features": 0}, "n_features = 0 is not an integer >= 1"),
        ({"exploration": 0.1, "seed": "x"}, "seed = 'x' is not None"),
    ],
)
def test_bad_arguments_are_named(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SOBA(**({"n_classes": 3, "n_features": 2} | arguments))


# --- Algorithm 2 --------------------------------------------------------------------------------------------


def eta_loss(m: float, eta: float) -> float:
    """Equation (2), as printed but for the clipping, which is at m > 1."""
    return 1 - 2 / (2 - eta) * m + eta / (2 - eta) * m**2


def loss_sent(W: np.ndarray, x: np.ndarray, y: int, eta: float, p: float) -> float:
    scores = W @ x
    return eta_loss(scores[y] - np.delete(scores, y).max(), eta) / p


def bandit(**arguments: object) -> ExpConcaveBandit:
    return ExpConcaveBandit(3, 2, **({"exploration": 0.3, "radius": 2, "newton_rate": 0.01, "seed": 0} | arguments))


@settings(deadline=None)
@given(st.integers(0, 999), st.integers(1, 15))
def test_the_oracle_takes_online_newton_steps_on_the_losses_sent(seed: int, n_rounds: int) -> None:
    """The gradient is found by differences; the step within the ball by an explicit inverse."""
    learner, rng = bandit(seed=seed), np.random.default_rng(seed)
    for _ in range(n_rounds):
        x, y = rng.normal(size=2), int(rng.integers(3))
        W, A, p = learner.W.copy(), learner.A.copy(), learner.predict_proba(x)
        drawn = learner.predict(x)
        learner.update(x, drawn, drawn == y)
        assert np.linalg.norm(learner.W) <= 2 * (1 + 1e-9)
        if drawn != y or y == p.argmax():
            assert np.array_equal(learner.W, W)
            assert np.array_equal(learner.A, A)
            continue
        steps = 1e-6 * np.eye(6).reshape(6, 3, 2)
        eta = learner.loss_parameter
        g = [(loss_sent(W + h, x, y, eta, p[y]) - loss_sent(W - h, x, y, eta, p[y])) / 2e-6 for h in steps]
        if W.any():  # at W = 0 every rival is tied, and there is no gradient to find by differences
            np.testing.assert_allclose(learner.A - A, np.outer(g, g), rtol=1e-4, atol=1e-4)
            moved = W.ravel() - np.linalg.inv(learner.A) @ g / learner.newton_rate
            if np.linalg.norm(moved) < 2:
                np.testing.assert_allclose(learner.W.ravel(), moved, rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(learner.P @ learner.A, np.eye(6), atol=1e-6)


@given(st.floats(-0.999, 0.999), st.sampled_from([0.25, 1.0, 3.0]), st.floats(0.01, 1))
def test_the_constants_of_claim_1_hold_and_so_do_the_sharper_ones(share: float, D: float, fraction: float) -> None:
    """At X = 1: abs(f') times the norm of the margin's gradient is at most G, and f'' >= beta f'^2."""
    eta, M = fraction / max(2 * D, 1), math.sqrt(2) * D
    m = share * M
    slope, curvature = 2 * (eta * m - 1) / (2 - eta), 2 * eta / (2 - eta)
    sharp_gradient, sharp_beta = (
        2 * math.sqrt(2) * (1 + eta * M) / (2 - eta),
        eta * (2 - eta) / (2 * (1 + eta * M) ** 2),
    )
    assert abs(slope) * math.sqrt(2) <= sharp_gradient <= 16
    assert curvature >= sharp_beta * slope**2
    assert eta / 32 <= sharp_beta


@pytest.mark.parametrize(("x", "y"), [([0.5, 0.25], 0), ([0.5, 0.25], 2), ([1.5, -1.0], 0)])
def test_run_reports_the_loss_of_equation_2(x: list[float], y: int) -> None:
    learner = bandit(loss_parameter=0.2)
    learner.W[:] = [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
    m = (learner.W @ x)[y] - np.delete(learner.W @ x, y).max()
    expected = eta_loss(m, 0.2) if m <= 1 else 0
    assert learner.run([x], [y]).loss[0] == pytest.approx(expected)


def test_defaults_are_those_of_theorem_7_and_claim_1() -> None:
    learner = ExpConcaveBandit(3, 2, radius=2, feature_norm=1.5, horizon=4000)
    eta, gamma = 1 / 6, math.sqrt(9 * 2 * math.log(4000) / (4000 / 6))
    G, beta = 3 / gamma * 16 * 1.5, gamma / 3 * eta / 32
    assert learner.loss_parameter == pytest.approx(eta)
    assert learner.exploration == pytest.approx(gamma)
    assert learner.newton_rate == pytest.approx(min(1 / (8 * G * 2), beta) / 2)
    assert learner.A[0, 0] == pytest.approx(1 / (4 * learner.newton_rate**2 * 4))


def test_algorithm_2_refuses_what_overflows() -> None:
    learner = bandit(exploration=1.0)
    with pytest.raises(OverflowError, match="overflow"):
        learner.update([1e200, 1e200], 1, True)
    assert not learner.W.any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"exploration": 0}, "exploration = 0: it must be more than 0"),
        ({"exploration": None}, "exploration = None, horizon = None: one of them must be given"),
        ({"loss_parameter": 0.3}, r"loss_parameter = 0\.3: it must be at most 1/max\(2XD, 1\) = 0\.25"),
        ({"loss_parameter": 0}, "loss_parameter = 0 is not a finite number > 0"),
        ({"radius": math.inf}, "radius = inf is not a finite number > 0"),
        ({"newton_rate": -1}, "newton_rate = -1 is not a finite number > 0"),
        ({"newton_rate": 1e-170}, r"radius = 2\.0: \(2 newton_rate radius\)\^2 leaves the range of doubles"),
        ({"newton_rate": 1e170}, r"radius = 2\.0: \(2 newton_rate radius\)\^2 leaves the range of doubles"),
        ({"horizon": 1}, "horizon = 1 is not an integer >= 2"),
    ],
)
def test_bad_arguments_of_algorithm_2_are_named(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bandit(**arguments)
