"""Randomized decoding by hand: its mean loss on small sets of outputs, and what it is made of."""

from fractions import Fraction

import pytest

from gaptron.instances.decoding import decoding, distances, l1, mean

HALF = Fraction(1, 2)
LINE = [[Fraction(0)], [Fraction(1)]]
SQUARE = [[Fraction(a), Fraction(b)] for a in (0, 1) for b in (0, 1)]


def largest(z: list[Fraction]) -> Fraction:
    return max(map(abs, z))


@pytest.mark.parametrize(
    ("v", "expected"),
    [(Fraction(0), Fraction(0)), (Fraction(1, 4), Fraction(1, 8)), (HALF, HALF), (Fraction(1), Fraction(1))],
)
def test_on_a_line_it_errs_with_probability_2_v_squared(v: Fraction, expected: Fraction) -> None:
    """nu = 1: p = 2 v, and the random output is 1 with probability v, as long as 0 is nearest."""
    assert decoding(LINE, [1 - v, v], Fraction(1))[1] == expected


def test_it_is_a_distribution_and_random_far_from_every_output() -> None:
    weights = [Fraction(1, 4)] * 4
    assert decoding(SQUARE, weights, Fraction(1)) == weights
    mixed = decoding(SQUARE, [Fraction(7, 8), Fraction(1, 8), Fraction(0), Fraction(0)], Fraction(1))
    assert sum(mixed) == 1
    assert mixed == [Fraction(31, 32), Fraction(1, 32), 0, 0]


def test_another_norm_is_another_distance() -> None:
    weights = [Fraction(3, 4), Fraction(0), Fraction(0), Fraction(1, 4)]
    assert mean(SQUARE, weights) == [Fraction(1, 4)] * 2
    assert distances(SQUARE, weights, l1)[0] == HALF
    assert distances(SQUARE, weights, largest)[0] == Fraction(1, 4)
    assert decoding(SQUARE, weights, Fraction(1), largest)[0] == HALF + HALF * Fraction(3, 4)
