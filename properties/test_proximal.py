"""Proximal updates with the optimal constants: no stream breaks the bound, and one round attains it."""

from dataclasses import replace
from fractions import Fraction

import pytest
from sympy import Max

from gaptron import PairwiseLoss, SeparableLoss, Theorem
from gaptron.bounds.sides import Game
from gaptron.numbers.evaluate import enclosure
from gaptron.symbols import m, z
from gaptron.testing import Stream
from gaptron.theory.named import named_binary_proximal_theorem, named_proximal_theorem
from properties import bound_of

HINGE, SMOOTH, LOGISTIC = (named_proximal_theorem(name) for name in ("hinge", "smooth hinge", "logistic"))
BINARY = named_binary_proximal_theorem("squared hinge")

WESTON_WATKINS = Theorem(name="hinges", loss=PairwiseLoss(Max(1 - m, 0)), update="proximal", regret=1)
ONE_VERSUS_ALL = Theorem(
    name="one versus all",
    loss=SeparableLoss(own=Max(1 - z, 0), other=Max(1 + z, 0)),
    update="proximal",
    regret=Fraction(1, 4),
)

SHARP = (
    Stream.of(2, ["1"], [1]),
    Stream.of(3, ["1 0", "0 1"], [1, 2]),
    Stream.of(2, ["1 0", "-5/13 12/13"], [0, 0]),
    Stream.of(3, ["1"] * 5, [2] * 5),
    Stream.of(3, ["1 0", "1/3 0", "0 0", "0 1/2"], [0, 1, 2, 0]),
    Stream.of(2, ["1"], [0], feature_norm=3),
)
SHARP_BINARY = tuple(stream for stream in SHARP if stream.n_classes == 2)

test_hinge = bound_of.property_of(HINGE, SHARP)
test_smooth_hinge = bound_of.property_of(SMOOTH, SHARP)
test_logistic = pytest.mark.slow(bound_of.property_of(LOGISTIC, SHARP, examples=25))
test_weston_watkins = pytest.mark.slow(bound_of.property_of(WESTON_WATKINS, SHARP))
test_one_versus_all = pytest.mark.slow(bound_of.property_of(ONE_VERSUS_ALL, SHARP))
test_one_weight_vector = bound_of.property_of(BINARY, SHARP_BINARY)


@pytest.mark.parametrize("n_classes", range(2, 9))
def test_one_round_attains_the_bound_of_the_hinge(n_classes: int) -> None:
    """A uniform guess errs with probability (K - 1)/K, and the U of margin 2/K on the last label pays as much."""
    high, low = Fraction(2 * (n_classes - 1), n_classes**2), -Fraction(2, n_classes**2)
    sides = Game(HINGE, n_classes).sides([[1]], [n_classes - 1], [[low]] * (n_classes - 1) + [[high]])
    assert sides.mistakes == sides.comparator_loss + sides.regret == Fraction(n_classes - 1, n_classes)


def test_one_round_almost_attains_the_bound_of_the_logistic_loss_with_two_labels() -> None:
    half = Fraction(72960, 100000)  # the margin that binds is 1.4592
    low, high = enclosure(Game(LOGISTIC, 2).sides([[1]], [0], [[half], [-half]], arithmetic="ball").ratio)
    assert 1 - Fraction(1, 10**6) < low <= high <= 1


def test_a_smaller_constant_is_broken() -> None:
    mutant = replace(HINGE, regret=HINGE.regret * Fraction(999, 1000))
    with pytest.raises(ValueError, match=r"is too large \(c = 999/1000 is too small\) for the hinge"):
        Game(mutant, 2).sides([[1]], [0], [[1], [0]])
