"""The numbers of a theorem on a stream: of its data, rational wherever they are."""

from fractions import Fraction

import flint
import pytest
from sympy import Max, Min, log, sqrt

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.bounds import Game
from gaptron.symbols import D, K, T, X, gamma, m

SQUARED = Max(1 - m, 0) ** 2
EXPLORATION = sqrt(2) * sqrt(T / 4) / 2
HALF = Fraction(1, 2)


def bandit(exploration: object, regret: object = 2 * K * T) -> Theorem:
    rate = gamma / (4 * K**2 * X**2)
    given = {"exploration": exploration, "learning_rate": rate, "regret": regret}
    return Theorem(name="t", loss=MarginLoss(SQUARED), gap_map=GapMap(SQUARED), feedback="bandit", **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("exploration", "horizon", "expected"),
    [
        (EXPLORATION, 2, HALF),
        (EXPLORATION, 3, None),
        (Min(1, K * sqrt(T)), 2, Fraction(1)),
        (Min(1, D * X / sqrt(T)), 16, Fraction(3, 8)),
        (Min(1, log(K) / T), 2, None),
    ],
)
def test_roots_that_make_a_rational_number_are_one(
    exploration: object, horizon: int, expected: Fraction | None
) -> None:
    game = Game(bandit(exploration), 2, horizon, HALF, Fraction(3))
    assert game.learning_rate == game.exploration / (16 * 9) or expected is None
    assert (game.exploration == expected) == (expected is not None)
    assert isinstance(game.exploration, Fraction if expected is not None else flint.arb)


def test_a_theorem_and_its_data_have_the_same_sides() -> None:
    theorem = bandit(EXPLORATION, regret=sqrt(8) * sqrt(T) * D**2 * X**2)
    rounds, labels, U = [[1, 0], [0, 1]], [0, 1], [[HALF, 0], [0, HALF]]
    sides = [Game(one, 2, 2, Fraction(1)).sides(rounds, labels, U) for one in (theorem, theorem.data)]
    assert sides[0] == sides[1]
    assert sides[0].regret == 4
    assert isinstance(sides[0].regret, Fraction)
