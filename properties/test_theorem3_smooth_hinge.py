"""Theorem 3 of van der Hoeven 2020: expected mistakes <= sum loss_t(U) + 2 K X^2 ||U||^2."""

from fractions import Fraction

import pytest
from hypothesis import example, given

from properties import bounds, formulas, strategies

ONE, ZERO = Fraction(1), Fraction(0)


@given(item=strategies.streams_with_comparators())
@example(item=((2, [[ONE]] * 6, [1, 0, 1, 0, 1, 0]), [[[ZERO], [ZERO]]]))
@example(item=((4, [[ONE]], [1]), [[[ZERO], [ZERO], [ZERO], [ZERO]]]))
def test_mistake_bound(item: tuple) -> None:
    stream, given_weights = item
    assert bounds.slack(formulas.SmoothHinge(stream[0]), stream, given_weights) >= 0


@pytest.mark.parametrize("K", range(2, 8))
def test_the_gap_is_zero_at_weights_zero(K: int) -> None:
    loss, W = formulas.SmoothHinge(K), [[ZERO]] * K
    assert bounds.first_round_gap(loss, W, [ONE], 1) == 0
    loss.eta *= Fraction(1001, 1000)
    assert bounds.first_round_gap(loss, W, [ONE], 1) > 0


@pytest.mark.parametrize("K", range(2, 8))
def test_the_bound_can_fail(K: int) -> None:
    """A small part of the claimed regret is not enough."""
    loss = formulas.SmoothHinge(K)
    loss.regret /= 8
    stream = (K, [[ONE]] * 12, [1] * 12)
    U = [[ZERO], [ONE], *[[ZERO]] * (K - 2)]
    along = [[[v * Fraction(scale, 8) for v in row] for row in U] for scale in range(1, 9)]
    assert bounds.slack(loss, stream, along) < 0
