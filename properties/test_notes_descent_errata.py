"""What the notes, section 5, say of gradient descent, as printed, against exact rounds."""

from fractions import Fraction

import pytest

from gaptron.learners import BanditGradientDescent
from gaptron.numbers.evaluate import ball
from properties import quoted_bounds as q
from properties.formulas import margin, scores, squared_norm, top
from properties.quoted_descent import difference, loss, start

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
FAR, D = q.two_rows(Fraction(2), 1), Fraction(2)


def printed_epsilon_squared(K: int, D: Fraction) -> Fraction:
    """1/(4D)^2/(32 K^3 D^4)."""
    return 1 / (16 * D**2 * 32 * K**3 * D**4)


def test_lemma_6_as_printed_lacks_its_factor() -> None:
    """W* = (-2, 2), D = 2: ||W_1 - W*||^2 = 8 > exp(0); after one right round 49/8 > 1 > exp(-1/128...)."""
    after = start(2, 1).after([ONE], 1)
    assert squared_norm(FAR) == 8 > 1
    assert squared_norm(difference(after.W, FAR)) == Fraction(49, 8) > 1


def test_the_exponential_of_lemma_8_fails_below_its_crossing() -> None:
    """exp(-x) <= 1/(1 + x)^2 fails at 1 and at 5/2, and holds at 13/5."""
    for x, holds in ((ONE, False), (Fraction(5, 2), False), (Fraction(13, 5), True)):
        left, right = (-ball(x)).exp(), ball(1 / (1 + x) ** 2)
        assert q.surely_above(right, left) if holds else q.surely_above(left, right)


def test_the_gradient_of_lemma_9_can_be_larger_in_the_set_w() -> None:
    """W = (2, -2), y = 1, x = 1: ||grad Phi||^2 = 8 (1 + 4)^2 = 200 > (4D)^2 = 64; at most 8 (1 + 2D)^2 in general."""
    assert 8 * loss([[D], [-D]], [ONE], 1) == 200 > (4 * D) ** 2


def test_a_loss_of_one_does_not_make_the_prediction_right() -> None:
    """W = 0, y = 1: loss 1 and yhat = 0. A loss less than 1 does, and Lemma 9 has one: 2 (8B + 3)^2/96 eps^2 < 1."""
    assert loss([[ZERO], [ZERO]], [ONE], 1) == 1
    assert top([ZERO, ZERO]) != 1
    for K in range(2, 9):
        for D in range(2, 9):
            assert 2 * Fraction((8 * K * D * D + 3) ** 2, 96) * printed_epsilon_squared(K, Fraction(D)) < 1


def test_the_printed_gate_stops_exploring_before_anything_is_learned() -> None:
    """W* = (-1/2, 1/2), ||W_1 - W*||^2 = 1/2 < 1: no exploration, yhat = 0, wrong for ever."""
    learner = BanditGradientDescent(2, 1, W_star=[[-0.5], [0.5]])
    assert learner.run([[1.0]] * 200, [1] * 200).mistakes == 200
    assert margin(scores(q.two_rows(HALF, 1), [ONE]), 1) == 1


@pytest.mark.parametrize("T", [10, 400])
def test_exploration_need_not_end(T: int) -> None:
    """W* = (-2, 2), x = 1: W stays within margin 1, so ||W - W*||^2 >= 9/2, and ||x||_{M^{-1}}^2 >= 3/7: every round
    is a guess, T/2 expected mistakes."""
    learner = BanditGradientDescent(2, 1, W_star=[[-2.0], [2.0]])
    for _ in range(T):
        assert learner.predict_proba([1.0]).tolist() == [0.5, 0.5]
        learner.update([1.0], 1, True)
    state = start(2, 1)
    for _ in range(8):
        state = state.after([ONE], 1)
        assert squared_norm(difference(state.W, FAR)) >= Fraction(9, 2)
        assert state.new_direction([ONE]) >= Fraction(3, 7) > printed_epsilon_squared(2, D)


@pytest.mark.parametrize("T", [1, 2, 9])
def test_the_last_step_of_lemma_10_fails_on_a_basis(T: int) -> None:
    """x_t = e_t, all right: every loss and every ||x||_{M^{-1}}^2 is 1, so the sum is T > max(1/loss) ln T."""
    state, total = start(2, T), ZERO
    for x in q.basis(T):
        assert loss(state.W, x, 1) == 1
        total, state = total + state.new_direction(x), state.after(x, 1)
    assert total == T
    assert q.surely_above(total, q.ln(Fraction(T)))


def test_the_criterion_of_the_discussion_has_its_power_inverted() -> None:
    """loss ||x||_{M^{-1}}^2 >= 1/eps^2 never holds: the loss is at most (1 + 2D)^2 < 1/eps^2. Without exploration
    label 1 at W = 0 is wrong for ever; with eps^2 in its place the round above explores."""
    for K in range(2, 9):
        for bound in range(2, 9):
            assert (1 + 2 * bound) ** 2 < 1 / printed_epsilon_squared(K, Fraction(bound))
    assert loss(start(2, 1).W, [ONE], 1) * start(2, 1).new_direction([ONE]) >= printed_epsilon_squared(2, D)
