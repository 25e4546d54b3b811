"""RDUE on two classes: the estimates are unbiased, and a delay of 0 is one copy."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

from gaptron.instances import structured_bandit as bandit

W = (arb("0.3"), arb("-0.2"))
X = Fraction(1, 2)


@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize("estimate", [bandit.inverse_weighted, bandit.pseudo_inverse])
def test_estimates_are_unbiased(estimate: bandit.Estimate, label: int) -> None:
    chance = bandit.rdue(W, X, arb("0.25"))
    true = bandit.full(W, X, label, label, chance)
    for row in (0, 1):
        mean = sum((chance[drawn] * estimate(W, X, label, drawn, chance)[row] for drawn in (0, 1)), arb(0))
        assert mean.overlaps(true[row])
        assert mean.rad() < 1e-12


def test_rdue_gives_every_output_its_share() -> None:
    chance = bandit.rdue((arb(9), arb(-9)), Fraction(1), arb("0.25"))
    assert sum(chance, arb(0)).overlaps(arb(1))
    assert min(map(float, chance)) == pytest.approx(0.125, abs=1e-3)


def test_one_round_by_hand() -> None:
    """W = 0: both outputs have probability 1/2."""
    loss = bandit.expected_loss([(Fraction(1), 0)], arb(0), bandit.full, arb(1), (bandit.Copy(),))
    assert loss.overlaps(arb("0.5"))


def test_the_first_round_of_a_copy_knows_nothing() -> None:
    """Three rounds, three copies: none has learned from another one's round."""
    stream = [(Fraction(1), 0)] * 3
    loss = bandit.expected_loss(stream, arb(0), bandit.full, arb(4), (bandit.Copy(),) * 3)
    assert loss.overlaps(arb("1.5"))
    assert bandit.expected_loss(stream, arb(0), bandit.full, arb(4), (bandit.Copy(),)) < loss


@pytest.mark.parametrize(
    "draw",
    [
        bandit.inverse_weighted_sides,
        bandit.pseudo_inverse_sides,
        bandit.delayed_sides,
        bandit.delayed_bandit_sides,
        bandit.paying_sides,
        bandit.smaller_sides,
        bandit.adaptive_sides,
        bandit.averaged_sides,
    ],
)
def test_bounds_hold_on_random_streams(draw: Callable[[np.random.Generator], bandit.Sides]) -> None:
    rng = np.random.default_rng(20_261_122)
    assert all(regret < most for _, regret, most in (draw(rng) for _ in range(3)))


@pytest.mark.parametrize("weights", [(0.0, 0.0), (0.3, -0.2), (-2.0, 1.5), (0.01, 0.0)])
def test_a_decoder_that_pays_exists_and_pays(weights: tuple[float, float]) -> None:
    """P(wrong) <= S - ||g||^2 for both labels, with equality at the tie."""
    W = (arb(weights[0]), arb(weights[1]))
    chance = bandit.paying(W, Fraction(1), arb(0))
    for label in (0, 1):
        gradient = bandit.full(W, Fraction(1), label, label, chance)
        most = bandit.surrogate(W, Fraction(1), label) - sum((g * g for g in gradient), arb(0))
        assert 1 - chance[label] <= most + arb("1e-12")
        assert weights != (0.0, 0.0) or most.overlaps(arb("0.5"))
