"""Gradient descent with gated exploration (notes, section 5) in fractions: Lemmas 5 to 10.

With B = ||W*||^2 <= K D^2 (W_1 = 0), L the sum of the losses of the right rounds, and any ||x|| <= 1:

    ||W_{t+1} - W*||^2 <= B - 3 L/8,  so  L <= 8 B/3  and  ||W_t - W*||_{M_t}^2 <= (8 B + 3)^2/96 <= 32 K^3 D^4,

because the loss is a square: <grad loss, W - W*> >= 2 loss(W). Also loss(W) <= 2 ||W - W*||_M^2 ||x||_{M^{-1}}^2.
"""

from fractions import Fraction

import numpy as np
from hypothesis import example, given, target
from hypothesis import strategies as st

from gaptron.learners import BanditGradientDescent
from gaptron.numbers.evaluate import ball
from properties import quoted_bounds as q
from properties.formulas import margin, scores, squared_norm, top
from properties.quoted_descent import ETA, difference, loss, start
from properties.strategies import Matrix, Vector, in_unit_ball, vectors

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
UNIT: list[tuple[Vector, int]] = [([ONE], 1)]


@st.composite
def games(draw: st.DrawFn) -> tuple[Matrix, list[tuple[Vector, int]]]:
    """(W*, right rounds) with ||x|| <= 1 and margin of W* at least 1."""
    K, d = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    star = draw(st.lists(vectors(d, st.integers(-4, 4).map(lambda n: Fraction(n, 2))), min_size=K, max_size=K))
    points = draw(st.lists(vectors(d).map(in_unit_ball), min_size=3, max_size=8))
    rounds = [(x, top(scores(star, x))) for x in points]
    return star, [(x, y) for x, y in rounds if margin(scores(star, x), y) >= 1]


def radius(star: Matrix) -> Fraction:
    """A D >= 2 that no row of W* and no row on the way exceeds."""
    return max(Fraction(2), 1 + squared_norm(star))


@given(game=games())
@example(game=(q.two_rows(HALF, 1), UNIT * 5))
@example(game=(q.two_rows(HALF, 2), [([ONE, ZERO], 1), ([ZERO, ONE], 1)] * 2))
def test_the_lemmas_with_their_sharp_constants(game: tuple) -> None:
    star, rounds = game
    K, d, B, D = len(star), len(star[0]), squared_norm(star), radius(star)
    state, used = start(K, d), 0.0
    for x, y in rounds:
        value, gradient = loss(state.W, x, y), squared_norm(difference(state.after(x, y).W, state.W)) / ETA**2
        assert gradient == 8 * value * sum(v * v for v in x) <= 8 * value
        assert value <= 2 * state.distance(star) * state.new_direction(x)
        state = state.after(x, y)
        left = squared_norm(difference(state.W, star))
        assert left <= B - Fraction(3, 8) * state.total
        assert not q.surely_above(left, ball(K * D * D) * (-ball(state.total / (32 * K * D * D))).exp())
        assert state.distance(star) <= (1 + state.total) * left <= (8 * B + 3) ** 2 / 96 <= 32 * K**3 * D**4
        used = max(used, float(state.distance(star) / ((8 * B + 3) ** 2 / 96)))
    target(used)


@given(game=games())
def test_the_learner_is_the_algorithm(game: tuple) -> None:
    star, rounds = game
    state = start(len(star), len(star[0]))
    learner = BanditGradientDescent(len(star), len(star[0]), W_star=star, radius=float(radius(star)))
    for x, y in rounds:
        theta = sorted(map(float, scores(state.W, x)))
        if len(theta) > 2 and theta[-2] - theta[-3] < 1e-9 and squared_norm(state.W) > 0:
            return  # doubles may take another rival
        learner._learn_correct(learner._prediction(np.array(x, dtype=float)), y, True, 1.0)
        state = state.after(x, y)
        np.testing.assert_allclose(learner.W, np.array(state.W, dtype=float), atol=1e-9)
        np.testing.assert_allclose(learner.P, np.array(state.M.inv().tolist(), dtype=float), atol=1e-9)


def test_the_descent_is_attained() -> None:
    """K = 2, d = 1, x = 1, W* = (-1/2, 1/2): every right round takes exactly 3/8 of its loss."""
    star, state = q.two_rows(HALF, 1), start(2, 1)
    for _ in range(6):
        state = state.after([ONE], 1)
        assert squared_norm(difference(state.W, star)) == HALF - Fraction(3, 8) * state.total


@given(game=games())
def test_a_gate_at_one_over_root_two_would_do(game: tuple) -> None:
    """||W - W*|| < 1/sqrt(2) gives margin > 1 - sqrt(2) ||W - W*|| ||x|| > 0.

    W = 0 and W* = (-1/2, 1/2) show that it is sharp."""
    star, rounds = game
    state = start(len(star), len(star[0]))
    for x, y in rounds * 4:
        if squared_norm(difference(state.W, star)) < HALF:
            assert margin(scores(state.W, x), y) > 0
        state = state.after(x, y)
