"""SOBA on every outcome path: Lemmas 1 and 2 of Beygelzimer et al. 2017, the invariant, and Algorithm 1's rounds."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from gaptron.learners import SOBA
from properties import quoted_bounds as q
from properties.formulas import scores, squared_norm
from properties.quoted_second_order import Ridge, Round, State, soba, updated
from properties.strategies import Matrix, Stream

ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)
STREAMS = q.hostile_streams(5, 3)
RATES = st.sampled_from([Fraction(1, 10), HALF, ONE])
REGULARIZERS = st.sampled_from([Fraction(1, 4), ONE, Fraction(3)])
FLIP: Stream = (2, [[ONE]] * 4, [1, 1, -1, -1])
NEGATIVE_FIRST: Stream = (2, [[ONE], [HALF], [ONE], [-ONE]], [-1, -1, 0, 0])


def dot(left: list[Fraction], right: list[Fraction]) -> Fraction:
    return sum((u * v for u, v in zip(left, right, strict=True)), ZERO)


def flat(W: Matrix) -> list[Fraction]:
    return [w for row in W for w in row]


def final(a: Fraction, gamma: Fraction, stream: Stream) -> list[Round]:
    """The states after the stream."""
    return [*soba(a, gamma, *stream)][-1]


def all_rounds(a: Fraction, gamma: Fraction, stream: Stream) -> list[Round]:
    return [done for level in [*soba(a, gamma, *stream)][:-1] for done in level]


# --- one round ----------------------------------------------------------------------------------------------


@given(a=REGULARIZERS, gamma=RATES, stream=STREAMS)
@example(a=ONE, gamma=ONE, stream=FLIP)
@example(a=ONE, gamma=HALF, stream=NEGATIVE_FIRST)
def test_the_invariant_and_lemma_1_with_the_sign_of_algorithm_1(a: Fraction, gamma: Fraction, stream: Stream) -> None:
    """S >= 0; n_t = 1 whenever ytilde = y != yhat; E[n g] = h (e_ybar - e_y) (x) x; E[n z z'] = h v v'."""
    for done in all_rounds(a, gamma, stream):
        assert done.state.margins >= 0
        assert done.updates == done.h
        if done.updates:
            after = updated(done.state, done)
            step = (done.state.ridge.theta - after.ridge.theta).entries()
            assert [done.p * Fraction(int(g.p), int(g.q)) for g in step] == done.v
            assert after.margins >= 0
            growth = done.state.ridge.form(done.v) / done.p
            assert 1 - after.ridge.form(done.v) / done.p == 1 / (1 + growth)


def test_lemma_1_as_printed_has_the_other_sign() -> None:
    """One round, K = 2, x = 1, y = 1, gamma = 1: E[n g] = (1, -1), and the lemma says h (e_y - e_ybar) = (-1, 1)."""
    ((done,), _) = soba(ONE, ONE, 2, [[ONE]], [1])
    step = (done.state.ridge.theta - updated(done.state, done).ridge.theta).entries()
    assert [done.p * Fraction(int(g.p), int(g.q)) for g in step] == [1, -1]
    assert done.h


def test_the_printed_indicator_of_the_second_display_is_the_wrong_one() -> None:
    """One round with yhat = y: G_t is 1 when the draw is right, and 1[yhat != y] q_t = 0."""
    ((done,), _) = soba(ONE, ONE, 2, [[ONE]], [0])
    assert done.yhat == done.y
    assert done.updates
    assert dot(flat(q.two_rows(ONE, 1)), done.v) == 2 != 0


def test_without_exploration_the_expectation_of_the_update_is_zero() -> None:
    """gamma = 0 and yhat != y: p_y = 0, so n = 0 always, but h = 1 (Lemma 1 and the identities need gamma > 0)."""
    learner = SOBA(2, 1, exploration=0)
    assert learner.predict_proba([1.0]).tolist() == [1, 0]
    learner.run([[1.0]] * 50, [1] * 50)
    assert not learner.W.any()


@given(a=REGULARIZERS, gamma=RATES, stream=STREAMS)
def test_the_learner_is_the_algorithm(a: Fraction, gamma: Fraction, stream: Stream) -> None:
    """From the exact state, wherever doubles cannot mistake the order of the scores or the sign of S + m."""
    for done in all_rounds(a, gamma, stream):
        theta = sorted(map(float, scores(done.state.ridge.W, done.x)))
        close = min(np.diff(theta)) < 1e-9 or abs(done.state.margins + done.m) < 1e-9
        event("doubles might mistake it" if close else "compared")
        if close and squared_norm(done.state.ridge.W) > 0:
            continue
        learner = SOBA(stream[0], len(done.x), exploration=float(gamma), regularizer=float(a))
        set_state(learner, done.state)
        assert learner.predict_proba(done.x)[done.y] == pytest.approx(float(done.p))
        learner.update(done.x, done.y, True)
        compare(learner, updated(done.state, done) if done.updates else done.state)


def set_state(learner: SOBA, state: State) -> None:
    """The exact state in doubles."""
    learner.W = np.array(state.ridge.W, dtype=float)
    learner.P = np.array(state.ridge.inverse.tolist(), dtype=float)
    learner.theta = np.array(state.ridge.theta.entries(), dtype=float).reshape(learner.W.shape)
    learner.margin_sum, learner.quadratic_sum = float(state.margins), float(state.quadratic)


def compare(learner: SOBA, state: State) -> None:
    np.testing.assert_allclose(learner.W, np.array(state.ridge.W, dtype=float), atol=1e-9)
    np.testing.assert_allclose(learner.P, np.array(state.ridge.inverse.tolist(), dtype=float), atol=1e-9)
    found = [learner.margin_sum, learner.quadratic_sum]
    assert found == pytest.approx([float(state.margins), float(state.quadratic)], abs=1e-9)


# --- whole paths --------------------------------------------------------------------------------------------


def least_squares_excess(state: State, a: Fraction, V: list[Fraction]) -> Fraction:
    """Right side minus left side of Lemma 2 at U = V."""
    left = sum((-2 * dot(V, v) / p - dot(V, v) ** 2 / p for v, p in state.updates), ZERO)
    return a * dot(V, V) + state.quadratic_g - left


def distance(ridge: Ridge, V: list[Fraction]) -> Fraction:
    """||V - W||_A^2."""
    gap = [v - w for v, w in zip(V, flat(ridge.W), strict=True)]
    rows = [[Fraction(int(e.p), int(e.q)) for e in row] for row in ridge.A.tolist()]
    return dot(gap, [dot(row, gap) for row in rows])


@given(a=REGULARIZERS, gamma=RATES, stream=STREAMS, entries=st.lists(st.integers(-3, 3), min_size=9, max_size=9))
@example(a=ONE, gamma=ONE, stream=FLIP, entries=[1] * 9)
@example(a=ONE, gamma=HALF, stream=NEGATIVE_FIRST, entries=[1, -1] * 4 + [0])
def test_the_slack_of_lemma_2_is_the_invariant(a: Fraction, gamma: Fraction, stream: Stream, entries: list) -> None:
    """Exactly S + ||U - W_{T+1}||^2 in the norm of A_T: so the lemma is sharp at U = W_{T+1}, up to S >= 0."""
    for done in final(a, gamma, stream):
        ridge = done.state.ridge
        V = [Fraction(e) for e in entries[: len(flat(ridge.W))]]
        assert least_squares_excess(done.state, a, V) == done.state.margins + distance(ridge, V)
        assert least_squares_excess(done.state, a, flat(ridge.W)) == done.state.margins >= 0
