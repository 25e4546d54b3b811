"""Adversaries play by their rules, and do to learners what the documents say they do."""

import math
from itertools import islice, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaptron import BinaryGaptron, Gaptron
from gaptron.learners import SOBA, Perceptron
from gaptron.learners.learner import Learner
from properties.adversaries import greedy, half_circle, lower_bound, play, slack

SEEDS = st.integers(0, 9999)
CORNERS = np.array([[1.0, 0.0], [0.6, 0.8], [-0.5, 0.5]])


def learners(seed: int) -> list[Learner]:
    """Two classes, two features."""
    return [
        Gaptron(2, 2, seed=seed),
        Gaptron(2, 2, loss="logistic", feedback="bandit", radius=2, horizon=50, seed=seed),
        SOBA(2, 2, exploration=0.2, seed=seed),
        Perceptron(2, 2, seed=seed),
    ]


# --- play ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", range(4))
def test_playing_is_running_on_the_stream_that_was_played(which: int) -> None:
    player, twin = learners(7)[which], learners(7)[which]
    X, y, done = play(player, greedy(player, CORNERS), 30)
    again = twin.run(X, y)
    assert X.shape == (30, 2)
    assert done.wrong.tolist() == again.wrong.tolist()
    assert done.off.tolist() == again.off.tolist()
    assert done.mistakes == again.mistakes
    for name in ("probability_wrong", "label_probability", "loss", "expected_mistakes"):
        np.testing.assert_allclose(getattr(done, name), getattr(again, name), atol=1e-12)
    np.testing.assert_allclose(player.W, twin.W, atol=1e-12)


def test_an_adversary_may_end_before_the_game() -> None:
    rounds = ((x, 0) for x in CORNERS)
    X, y, done = play(Perceptron(2, 2), rounds, 10)
    assert (X.tolist(), y.tolist(), done.mistakes) == (CORNERS.tolist(), [0, 0, 0], 0)
    with pytest.raises(ValueError, match="adversary has no rounds left"):
        play(Perceptron(2, 2), rounds, 10)


def test_exact_learners_play_too() -> None:
    learner = Gaptron(2, 2, exact=True, seed=0)
    _, _, done = play(learner, greedy(learner, [[1.0, 0.0], [0.5, 0.5]]), 4)
    assert done.expected_mistakes == sum(done.probability_wrong.tolist())


# --- the lower bound ----------------------------------------------------------------------------------------


@settings(deadline=None)
@given(SEEDS, st.integers(0, 3), st.integers(1, 12))
def test_the_lower_bound_follows_its_rules(seed: int, which: int, size: int) -> None:
    """Rounds are repeated until right, points come in order, and at most one has the label 1, the last."""
    learner, pool = learners(seed)[which], half_circle(size)
    X, y, done = play(learner, lower_bound(learner, pool, 60, seed=seed), 60)
    first = {tuple(x): t for t, x in reversed([*enumerate(X)])}
    visits = sorted(first.values())
    assert X[visits].tolist() == pool[: len(visits)].tolist()
    assert y[visits].tolist() in ([0] * len(visits), [0] * (len(visits) - 1) + [1])
    assert all(y[t] == y[first[tuple(X[t])]] for t in range(60))
    repeated = np.flatnonzero(done.wrong[:-1])
    assert np.array_equal(X[repeated], X[repeated + 1])


@settings(deadline=None)
@given(SEEDS, st.sampled_from([0.05, 0.3, 1.0]))
def test_a_learner_from_right_rounds_errs_with_probability_epsilon(seed: int, exploration: float) -> None:
    """Lemmas 3 and 4 round by round, for SOBA with a fixed gamma, which fulfils Assumption 1."""
    size, horizon = 30, 60
    learner = SOBA(2, 2, exploration=exploration, seed=seed)
    X, y, done = play(learner, lower_bound(learner, half_circle(size), horizon, seed=seed), horizon)
    epsilon = max(1 / math.sqrt(size), 1 / math.sqrt(horizon))
    first = {tuple(x): t for t, x in reversed([*enumerate(X)])}
    used_up = max(first.values())
    second = sorted(first.values())[1] if len(first) > 1 else horizon
    assert (done.probability_wrong[second : used_up + 1] >= epsilon - 1e-12).all()
    same = np.flatnonzero(done.wrong[:-1])
    np.testing.assert_array_equal(done.probability_wrong[same], done.probability_wrong[same + 1])
    assert 1 not in y[:used_up]


@given(st.integers(1, 40), st.data())
def test_every_prefix_of_the_half_circle_is_realizable(size: int, data: st.DataObject) -> None:
    points = half_circle(size)
    first = data.draw(st.integers(0, size))
    angle = math.pi * first / size
    scores = points @ [math.sin(angle), -math.cos(angle)]
    assert (scores[:first] >= math.sin(math.pi / (2 * size)) - 1e-12).all()
    assert (scores[first:] <= -math.sin(math.pi / (2 * size)) + 1e-12).all()


# --- greedy -------------------------------------------------------------------------------------------------


def surrogate_gap(learner: Gaptron, x: np.ndarray, y: int) -> float:
    """By its definition, the gradient of the learner's loss by differences."""
    p, loss, W = learner.predict_proba(x)[y], learner.loss(x, y), learner.W.copy()
    squared = 0.0
    for where in np.ndindex(*W.shape):
        ends = []
        for step in (1e-6, -1e-6):
            learner.W[where] = W[where] + step
            ends.append(learner.loss(x, y))
        learner.W[where] = W[where]
        squared += ((ends[0] - ends[1]) / 2e-6) ** 2
    expected = squared / p if learner.feedback == "bandit" else squared
    return 1 - p - loss + learner.learning_rate / 2 * expected


@settings(deadline=None)
@given(SEEDS, st.sampled_from(["smooth hinge", "logistic"]), st.booleans())
def test_slack_is_the_surrogate_gap_and_never_positive(seed: int, loss: str, bandit: bool) -> None:
    rng = np.random.default_rng(seed)
    arguments = {"feedback": "bandit", "radius": 5, "horizon": 100} if bandit else {}
    learner = Gaptron(3, 2, loss=loss, **arguments)
    learner.W[:] = rng.normal(size=(3, 2))
    x, y = rng.normal(size=2), int(rng.integers(3))
    x /= max(1, np.linalg.norm(x))
    assert slack(learner, x, y) == pytest.approx(surrogate_gap(learner, x, y), abs=1e-5)
    bandit_cost = 2 / 3 * learner.exploration if bandit else 0  # Lemma 1 has it outside of the gap
    assert slack(learner, x, y) <= bandit_cost + 1e-12


def test_slack_is_the_probability_of_a_mistake_without_a_surrogate() -> None:
    learner = SOBA(2, 2, exploration=0.2)
    assert slack(learner, [1.0, 0.0], 0) == pytest.approx(0.1)
    assert slack(learner, [1.0, 0.0], 1) == pytest.approx(0.9)


def test_slack_knows_the_one_vector_of_the_binary_learner() -> None:
    """z = 1/4, label -1: P(wrong) = 1 - a/2, a = (3/4)^2, loss 3/2, gradient 2 in z."""
    learner = BinaryGaptron(2)
    learner.w = [0.25, 0.0]
    expected = 1 - 0.5625 / 2 - 1.5 + learner.learning_rate / 2 * 4
    assert slack(learner, [1.0, 0.0], 1) == pytest.approx(expected)


@settings(deadline=None)
@given(SEEDS, st.integers(0, 3))
def test_the_greedy_adversary_picks_the_largest_slack(seed: int, which: int) -> None:
    learner = learners(seed)[which]
    adversary = greedy(learner, CORNERS)
    for x, y in islice(adversary, 8):
        slacks = {(tuple(c), k): slack(learner, c, k) for c in CORNERS for k in range(2)}
        assert slacks[tuple(x), y] == max(slacks.values())
        learner.run([x], [y])


def test_the_greedy_adversary_makes_a_perceptron_err_on_every_round() -> None:
    learner = Perceptron(2, 2)
    assert play(learner, greedy(learner, CORNERS), 50)[2].mistakes == 50


def test_soba_keeps_its_invariant_on_every_small_stream() -> None:
    """K = 2, T = 3, two points, and an exploration that makes every prediction a guess."""
    for X, y in product(product(CORNERS[:2], repeat=3), product(range(2), repeat=3)):
        learner = SOBA(2, 2, exploration=1.0, seed=0)
        learner.run(X, y)
        assert learner.margin_sum >= 0


# --- arguments ----------------------------------------------------------------------------------------------


def test_bad_arguments_are_named() -> None:
    two, three = Perceptron(2, 2), Perceptron(3, 2)
    for message, call in {
        "learner has n_classes = 3: this adversary needs 2": lambda: lower_bound(three, CORNERS, 5),
        r"pool has shape \(1, 3\): it must have shape \(1, 2\)": lambda: lower_bound(two, [[1.0, 2.0, 3.0]], 5),
        r"pool = \[\]: it must hold at least one point": lambda: lower_bound(two, [], 5),
        "horizon = 0 is not an integer >= 1": lambda: lower_bound(two, CORNERS, 0),
        r"points\[0, 1\] = nan is not finite": lambda: greedy(two, [[1.0, math.nan]]),
        "points = 3 is not a sequence": lambda: greedy(two, 3),
        "n_rounds = 0 is not an integer >= 1": lambda: play(two, greedy(two, CORNERS), 0),
        "n_points = 0 is not an integer >= 1": lambda: half_circle(0),
        "label = 2 is not a label": lambda: slack(two, [1.0, 0.0], 2),
    }.items():
        with pytest.raises(ValueError, match=message):
            call()
