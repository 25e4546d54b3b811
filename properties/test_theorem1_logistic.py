"""Theorem 1 of van der Hoeven 2020: expected mistakes <= sum loss_t(U) + K X^2 ||U||^2/ln 2.

Both sides are balls that contain the true numbers; the bound holds if the upper end of the left-hand side is
at most the lower end of the right-hand side.
"""

from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import example, given

from gaptron import Gaptron
from gaptron.evaluate import UncertainError, ball
from properties import formulas, strategies

ONE, ZERO = Fraction(1), Fraction(0)


def run(stream: strategies.Stream) -> tuple[Gaptron, flint.arb, strategies.Stream]:
    """The learner after the stream, its expected mistakes, and the rounds it took.

    As it sees every label, its weights do not depend on its draws. Where balls cannot tell a tie of two
    classes from a lead the stream ends: the theorem holds for every beginning of a stream.
    """
    K, X, y = stream
    learner, expected = Gaptron(K, len(X[0]), loss="logistic", exact=True, seed=0), ball(0)
    for t in range(len(X)):
        try:
            expected += learner.run(X[t : t + 1], y[t : t + 1]).expected_mistakes
        except UncertainError:
            return learner, expected, (K, X[:t], y[:t])
    return learner, expected, stream


def bound(stream: strategies.Stream, U: strategies.Matrix) -> flint.arb:
    """sum loss_t(U) + K ||U||^2/ln 2."""
    K, X, y = stream
    loss = Gaptron(K, 1, loss="logistic", exact=True).surrogate
    total = sum((loss.value(formulas.scores(U, x), label) for x, label in zip(X, y, strict=True)), ball(0))
    return total + loss.regret * ball(formulas.squared_norm(U))


def certainly_at_most(left: flint.arb, right: flint.arb) -> bool:
    """left <= right for all numbers in the balls."""
    return bool(left.upper() <= right.lower())


def rational(W: np.ndarray) -> strategies.Matrix:
    """A matrix of fractions near a matrix of balls."""
    return [[Fraction(float(w)) for w in row] for row in W]


@given(item=strategies.streams_with_comparators())
@example(item=((2, [[ONE]] * 6, [1, 0, 1, 0, 1, 0]), [[[ZERO], [ZERO]]]))
@example(item=((3, [[ONE]] * 6, [1, 1, 1, 1, 0, 1]), [[[ZERO], [ONE], [ZERO]]]))
def test_mistake_bound(item: tuple) -> None:
    stream, given_weights = item
    learner, expected, taken = run(stream)
    assert len(taken[1]) > 0
    for U in (*given_weights, rational(learner.W), rational(2 * learner.W)):
        assert certainly_at_most(expected, bound(taken, U))


@given(item=strategies.rounds())
@example(item=([[ZERO], [ZERO]], [ONE], 1))
def test_gap_is_at_most_zero_in_the_unit_ball(item: tuple) -> None:
    W, x, y = item
    assert certainly_at_most(gap(W, strategies.in_unit_ball(x), y, ball(1)), ball(0))


def test_the_gap_can_be_positive() -> None:
    """Three times the learning rate, at a tie of two classes and a wrong label."""
    assert certainly_at_most(ball(0), gap([[ZERO], [ZERO]], [ONE], 1, ball(3)))


def gap(W: strategies.Matrix, x: list[Fraction], y: int, factor: flint.arb) -> flint.arb:
    """P(wrong) - loss + (eta/2) ||g||^2 with eta = ``factor`` times the theorem's."""
    learner = Gaptron(len(W), len(x), loss="logistic", exact=True)
    learner.W = np.array([[ball(w) for w in row] for row in W], dtype=object)
    gradient = learner.surrogate.score_gradient(formulas.scores(W, x), y)
    squared = sum(slope**2 for slope in gradient) * ball(sum(v * v for v in x))
    wrong, loss = 1 - learner.predict_proba(x)[y], learner.loss(x, y)
    return wrong - loss + factor * learner.learning_rate / 2 * squared


@pytest.mark.parametrize("K", [2, 3, 5])
def test_the_bound_can_fail(K: int) -> None:
    """Without the regret term, the comparator that is right on every round is certainly better."""
    stream = (K, [[ONE]] * 5, [1] * 5)
    _, expected, _ = run(stream)
    U = [[ZERO], [Fraction(20)], *[[ZERO]] * (K - 2)]
    without_regret = bound(stream, U) - ball(formulas.squared_norm(U)) * K / flint.arb(2).log()
    assert certainly_at_most(without_regret, expected)
    assert not certainly_at_most(expected, without_regret)
