"""Theorem 3 of van der Hoeven 2020: expected mistakes <= sum loss_t(U) + 2 K X^2 ||U||^2, for the truncated loss."""

from fractions import Fraction

import pytest

from gaptron.testing import Stream
from properties import bound_of, formulas

THEOREM = bound_of.theorem("gaptron/theorem3_smooth_hinge", "Theorem 3, smooth hinge")
SHARP = (
    Stream.of(2, ["1"], [1]),
    Stream.of(3, ["1", "1"], [1, 1]),
    Stream.of(5, ["1"] * 3, [1] * 3),
    Stream.of(2, ["1"] * 6, [1, 0, 1, 0, 1, 0]),
    Stream.of(4, ["0"], [1]),
)
ONE, ZERO = Fraction(1), Fraction(0)

test_mistake_bound = bound_of.mistake_bound_of(THEOREM, SHARP)
test_streams_have_power = bound_of.power_of(THEOREM)


@pytest.mark.parametrize("K", [2, 3, 5])
def test_half_of_the_regret_is_needed(K: int) -> None:
    """One round, U with margin 1/K: (K - 1)/K mistakes, loss (1 - 1/K)^2, regret twice the difference."""
    share = Fraction(1, K * K)
    U = [[(K - 1) * share if k == 1 else -share] for k in range(K)]
    sides = bound_of.assert_bound(THEOREM, Stream.of(K, ["1"], [1]), U)
    assert (sides.mistakes, sides.comparator_loss) == (1 - Fraction(1, K), (1 - Fraction(1, K)) ** 2)
    assert sides.ratio == Fraction(1, 2)


@pytest.mark.parametrize("K", range(2, 8))
def test_the_gap_is_zero_at_weights_zero(K: int) -> None:
    loss, W = formulas.SmoothHinge(K), [[ZERO]] * K
    assert formulas.surrogate_gap(loss, W, [ONE], 1) == 0
    loss.eta *= Fraction(1001, 1000)
    assert formulas.surrogate_gap(loss, W, [ONE], 1) > 0
