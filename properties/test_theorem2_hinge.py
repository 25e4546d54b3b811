"""Theorem 2 of van der Hoeven 2020: expected mistakes <= sum loss_t(U) + K^2 X^2 ||U||^2/(2 (K - 1))."""

from fractions import Fraction

import pytest
from hypothesis import example, given

from properties import bounds, formulas, strategies

ONE, ZERO = Fraction(1), Fraction(0)


@given(item=strategies.streams_with_comparators())
@example(item=((2, [[ONE]] * 6, [1, 0, 1, 0, 1, 0]), [[[ZERO], [ZERO]]]))
@example(item=((3, [[ONE]] * 4, [0, 0, 0, 1]), [[[ONE], [ZERO], [ZERO]]]))
def test_mistake_bound(item: tuple) -> None:
    stream, given_weights = item
    assert bounds.slack(formulas.Hinge(stream[0]), stream, given_weights) >= 0


@pytest.mark.parametrize("K", range(2, 8))
def test_the_gap_is_zero_at_top_margin_beta(K: int) -> None:
    loss, W = formulas.Hinge(K), [[Fraction(1, K)], *[[ZERO]] * (K - 1)]
    assert bounds.first_round_gap(loss, W, [ONE], 0) == 0
    loss.eta *= Fraction(1001, 1000)
    assert bounds.first_round_gap(loss, W, [ONE], 0) > 0


@pytest.mark.parametrize("K", range(2, 8))
def test_the_bound_can_fail(K: int) -> None:
    """Half of the claimed regret is not enough: label 1 on every round, against multiples of a direction."""
    loss = formulas.Hinge(K)
    loss.regret /= 2
    stream = (K, [[ONE]] * 12, [1] * 12)
    U = [[ZERO], [ONE], *[[ZERO]] * (K - 2)]
    along = [[[v * scale / (4 * K) for v in row] for row in U] for scale in range(1, 17)]
    assert bounds.slack(loss, stream, along) < 0
