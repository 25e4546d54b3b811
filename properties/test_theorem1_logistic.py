"""Theorem 1 of van der Hoeven 2020: expected mistakes <= sum loss_t(U) + K X^2 ||U||^2/ln 2, on balls."""

from fractions import Fraction

import flint
import numpy as np
from hypothesis import example, given

from gaptron import Gaptron
from gaptron.numbers.evaluate import ball
from gaptron.testing import Stream
from properties import bound_of, formulas, strategies

THEOREM = bound_of.theorem("gaptron/theorem1_logistic", "Theorem 1, logistic")
LARGEST = bound_of.theorem("gaptron/theorem1_largest_rate", "Theorem 1, largest learning rate")
SHARP = (
    Stream.of(2, ["1"], [1]),
    Stream.of(3, ["1"] * 12, [1] * 12),
    Stream.of(2, ["1 0", "0 1", "1 0", "0 1"], [1, 1, 0, 0]),
)
ONE, ZERO = Fraction(1), Fraction(0)

test_mistake_bound = bound_of.mistake_bound_of(THEOREM, SHARP)
test_streams_have_power = bound_of.power_of(THEOREM)
test_mistake_bound_at_the_largest_rate = bound_of.property_of(LARGEST, SHARP)


def certainly_at_most(left: flint.arb, right: flint.arb) -> bool:
    """left <= right for all numbers in the balls."""
    return bool(left.upper() <= right.lower())


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
