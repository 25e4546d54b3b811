"""Theorem 6 of van der Hoeven 2020: E[mistakes] <= E[sum loss_t(U)] + max{4 K^2 X^2 D^2, 2 K X D sqrt(2 T)}.

With the gamma that gives it for every K, and with the printed one, whose square is twice as large, for which Lemma 1
gives it for K <= 11 only: the last property tries more classes.
"""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Min, sqrt

from gaptron.bounds.sides import Game
from gaptron.numbers.evaluate import ball
from gaptron.symbols import D, K, T, X
from gaptron.testing import Stream
from properties import adaptive, bound_of

THEOREM = bound_of.theorem("gaptron/theorem6_bandit_smooth_hinge", "Theorem 6, bandit smooth hinge")
PRINTED = replace(THEOREM, name="Theorem 6, as printed", exploration=Min(1, sqrt(4 * K**2 * X**2 * D**2 / T)))
SHARP = (
    Stream.of(2, ["1"] * 4, [1] * 4, radius="1/2"),
    Stream.of(3, ["1"] * 8, [1] * 8, radius="1/2"),
    Stream.of(2, ["1 0", "0 1"] * 3, [1, 1, 0, 1, 1, 0], radius="1/4"),
    Stream.of(2, ["1", "1"], [0, 1], radius="3/4", counts=[5, 45]),  # gamma = 3/10: fractions of 2^50 digits
)

test_mistake_bound = bound_of.mistake_bound_of(THEOREM, SHARP)
test_streams_have_power = bound_of.power_of(THEOREM)
test_mistake_bound_as_printed = pytest.mark.slow(bound_of.property_of(PRINTED, SHARP))
test_adaptive_mistake_bound = adaptive.property_of(THEOREM)


def test_what_the_lemma_gives_is_more_than_the_printed_bound_at_twelve_classes() -> None:
    """D^2/(2 eta) + gamma T (K - 1)/K = 136 at K = 12, X D = 1/3, T = 144; the bound is 135.76."""
    game = Game(PRINTED, 12, 144, Fraction(1, 3))
    lemma = game.radius**2 / (2 * game.learning_rate) + game.exploration * 144 * Fraction(11, 12)
    assert lemma == 136
    assert game.regret([[0]]) < ball(136)


@pytest.mark.slow
@settings(max_examples=settings().max_examples // 4)
@given(
    n_classes=st.integers(12, 40),
    n_rounds=st.integers(1, 5),
    label=st.integers(0, 11),
    radius=st.sampled_from(["1/3", "1"]),
)
def test_the_printed_bound_on_one_point_for_more_classes(
    n_classes: int, n_rounds: int, label: int, radius: str
) -> None:
    bound_of.check(PRINTED, Stream.of(n_classes, ["1"] * n_rounds, [label] * n_rounds, radius=radius))
