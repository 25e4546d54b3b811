"""Theorem 5 of van der Hoeven 2020: E[mistakes] <= E[sum loss_t(U)] + max{K^3 X^2 D^2/(K - 1), 2 K X D sqrt(T/2)}."""

from fractions import Fraction

from gaptron.testing import Stream
from properties import adaptive, bound_of

THEOREM = bound_of.theorem("gaptron/theorem5_bandit_hinge", "Theorem 5, bandit hinge")
SHARP = (
    Stream.of(2, ["1"] * 8, [1] * 8, radius=1),
    Stream.of(3, ["1"] * 8, [1] * 8, radius=1),
    Stream.of(2, ["1"] * 32, [1] * 32, radius="1/2"),
    Stream.of(2, ["1 0", "0 1"] * 3, [1, 1, 0, 1, 1, 0], radius="1/4"),
)

test_mistake_bound = bound_of.mistake_bound_of(THEOREM, SHARP)
test_streams_have_power = bound_of.power_of(THEOREM)
test_adaptive_mistake_bound = adaptive.property_of(THEOREM)


def test_pure_guessing() -> None:
    """gamma = 1 for D = 1, K = 2, T = 8: four mistakes on average, U without loss, and a bound of eight."""
    U = [[-Fraction(1, 2)], [Fraction(1, 2)]]
    sides = bound_of.assert_bound(THEOREM, SHARP[0], U)
    assert (sides.mistakes, sides.comparator_loss, sides.regret) == (4, 0, 8)


def test_parameters_are_fractions_where_they_are_rational() -> None:
    game = Stream.of(2, ["1"] * 8, [1] * 8, radius="1/4").game(THEOREM)
    assert (game.exploration, game.learning_rate) == (Fraction(1, 4), Fraction(1, 32))
