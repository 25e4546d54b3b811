"""Theorem 2 of van der Hoeven 2020: expected mistakes <= sum loss_t(U) + K^2 X^2 ||U||^2/(2 (K - 1))."""

from fractions import Fraction

import pytest

from gaptron.testing import Stream
from properties import bound_of, formulas

THEOREM = bound_of.theorem("gaptron/theorem2_hinge", "Theorem 2, hinge")
BEST = bound_of.theorem("gaptron/theorem2_thresholds", "Theorem 2, best threshold")
SHARP = (
    Stream.of(2, ["1", "1"], [1, 1]),
    Stream.of(3, ["1"] * 4, [1] * 4),
    Stream.of(5, ["1"] * 4, [1] * 4),
    Stream.of(2, ["1"] * 6, [1, 0, 1, 0, 1, 0]),
    Stream.of(4, ["5/13 12/13", *["3/5 4/5"] * 4, "5/13 12/13"] * 8, [0, 0, 2, 2, 2, 0] * 8),
)
ONE, ZERO = Fraction(1), Fraction(0)

test_mistake_bound = bound_of.mistake_bound_of(THEOREM, SHARP)
test_streams_have_power = bound_of.power_of(THEOREM)
test_mistake_bound_at_the_best_threshold = bound_of.property_of(BEST, SHARP)


def test_three_quarters_of_the_regret_are_needed() -> None:
    """K = 2, one point twice, U with margin 1: 3/4 mistakes, loss 0, regret 1."""
    U = [[-ONE / 2], [ONE / 2]]
    sides = bound_of.assert_bound(THEOREM, SHARP[0], U)
    assert (sides.mistakes, sides.comparator_loss, sides.regret) == (Fraction(3, 4), 0, 1)


@pytest.mark.parametrize("K", range(2, 8))
def test_the_gap_is_zero_at_top_margin_beta(K: int) -> None:
    loss, W = formulas.Hinge(K), [[Fraction(1, K)], *[[ZERO]] * (K - 1)]
    assert formulas.surrogate_gap(loss, W, [ONE], 0) == 0
    loss.eta *= Fraction(1001, 1000)
    assert formulas.surrogate_gap(loss, W, [ONE], 0) > 0


def test_the_cases_of_the_loss_are_those_of_the_learner() -> None:
    """With U's own top label and margin in equation (2) the bound is false: margin 3/5 > 1/K would cost nothing."""
    U = [[Fraction(-3, 10)], [Fraction(3, 10)]]
    sides = bound_of.assert_bound(THEOREM, Stream.of(2, ["1"], [1]), U)
    assert (sides.mistakes, sides.regret) == (Fraction(1, 2), Fraction(9, 25))
    assert formulas.Hinge(2).is_off([Fraction(-3, 10), Fraction(3, 10)], 1)
    assert sides.mistakes > sides.regret
