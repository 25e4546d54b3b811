"""A loss is written once; its NumPy and its exact forms are held against each other and against hand computation."""

from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
from sympy import ITE, Abs, Eq, Expr, Max, Min, Piecewise, Rational, exp, log, piecewise_fold, sqrt, true

from gaptron import BinaryLoss, MarginLoss, SoftmaxLoss
from gaptron.door.reading import read
from gaptron.guesses.computer_algebra import SympyGuesses, seems_nonnegative
from gaptron.language.slopes import right_slope
from gaptron.numbers.arrays import on_arrays
from gaptron.numbers.evaluate import UncertainError, ball, enclosure, evaluate, is_less, truth_at, value_at
from gaptron.obligations.coverage import Coverage
from gaptron.rounds import gap, score_gradient, value
from gaptron.symbols import K, m, p, z

LOSSES: list[Expr] = [
    Max(1 - m, 0),
    Max(1 - m, 0) ** 2,
    Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True)),
    Abs(m) + Min(m, 1 / K),
    Piecewise((m, (m > -1) & (m < 1)), (m**2, True)),
    sqrt(1 + m**2) - m,
    log(1 + exp(-m), 2),
    Piecewise((5, Eq(m, 0)), (1 - m, True)),
]
POINTS = [F(n, 4) for n in range(-12, 13)]


@pytest.mark.parametrize("phi", LOSSES, ids=str)
def test_the_numpy_form_has_the_exact_value(phi: Expr) -> None:
    exact = [evaluate(phi, {m: point, K: F(3)}) for point in POINTS]
    found = on_arrays(phi.subs(K, 3), m)([float(v) for v in POINTS])
    assert found == pytest.approx([float(v) for v in exact], abs=1e-14)


@pytest.mark.parametrize("phi", LOSSES, ids=str)
def test_exactly_the_pieces_that_hold_give_the_value(phi: Expr) -> None:
    for point in POINTS:
        at = {"m": point, "K": F(3)}
        pieces = Coverage(SympyGuesses({"m": m, "K": K})).pieces(read(phi))
        values = [value_at(piece.value, at) for piece in pieces if all(truth_at(c, at) for c in piece.conditions)]
        assert values
        expected = float(evaluate(phi, {m: point, K: F(3)}))
        assert all(float(value) == pytest.approx(expected) for value in values)


def test_the_margin_loss_of_a_round_by_hand() -> None:
    loss = MarginLoss(Max(1 - m, 0) ** 2)
    scores = [F(1, 2), F(0), F(-1, 3)]
    assert value(loss, scores, 1) == F(9, 4)
    assert score_gradient(loss, scores, 1) == [F(3), F(-3), F(0)]
    assert value(loss, scores, 0) == F(1, 4)
    assert score_gradient(loss, scores, 0) == [F(-1), F(1), F(0)]


def test_off_above_switches_right_rounds_off_strictly_above() -> None:
    loss = MarginLoss(Max(1 - m, 0), off_above=1 / K)
    assert value(loss, [F(1, 3), F(0), F(0)], 0) == F(2, 3)
    assert value(loss, [F(1, 2), F(0), F(0)], 0) == 0
    assert score_gradient(loss, [F(1, 2), F(0), F(0)], 0) == [0, 0, 0]
    assert value(loss, [F(1, 2), F(0), F(0)], 1) == F(3, 2)


def test_the_side_of_a_kink_is_chosen() -> None:
    loss = MarginLoss(Max(1 - m, 0))
    assert score_gradient(loss, [F(1), F(0)], 0, side=1) == [0, 0]
    assert score_gradient(loss, [F(1), F(0)], 0, side=-1) == [-1, 1]


def test_the_softmax_loss_encloses_the_float_value() -> None:
    loss = SoftmaxLoss(-log(p, 2))
    scores = [F(1, 2), F(0), F(-2)]
    weights = np.exp([0.5, 0.0, -2.0])
    low, high = enclosure(value(loss, scores, 1))
    expected = float(-np.log2(weights[1] / weights.sum()))
    assert float(low) == pytest.approx(expected)
    assert high - low < F(1, 10**40)
    gradient = [float(g) for g in score_gradient(loss, scores, 1)]
    assert gradient == pytest.approx((weights / weights.sum() - np.array([0, 1, 0])) / np.log(2))


def test_a_binary_loss_reads_z_as_a_difference_of_scores() -> None:
    loss = BinaryLoss(plus=Max(1 - z, 0), minus=2 * Max(1 + z, 0))
    assert value(loss, [F(1, 2), F(0)], 0) == F(1, 2)
    assert value(loss, [F(1, 2), F(0)], 1) == 3
    assert score_gradient(loss, [F(1, 2), F(0)], 1) == [2]


def test_the_gap_map_sees_the_top_margin_or_the_largest_probability() -> None:
    assert gap(read(1 - m), [F(0), F(1, 4)], MarginLoss(1 - m)) == F(3, 4)
    assert float(gap(read(1 - p), [F(0), F(0)], SoftmaxLoss(-log(p)))) == 0.5


@pytest.mark.parametrize(
    ("expr", "point"),
    [
        (1 / m, {m: F(0)}),
        (log(m), {m: F(0)}),
        (log(m), {m: F(-1)}),
        (sqrt(m), {m: F(-1)}),
        (Piecewise((1, m < 0)), {m: F(0)}),
    ],
)
def test_what_has_no_value_raises(expr: Expr, point: Any) -> None:
    with pytest.raises((ZeroDivisionError, ValueError)):
        evaluate(expr, point)


def test_rational_arithmetic_stays_rational() -> None:
    assert evaluate(sqrt(m) + exp(0 * m) + log(m / 4), {m: F(4)}) == 3


def test_overlapping_balls_are_not_compared() -> None:
    third = ball(F(1, 3))
    with pytest.raises(UncertainError):
        is_less(third, ball(F(1)) / ball(F(3)))


@pytest.mark.parametrize(
    ("expr", "strict", "expected"),
    [
        (K - 2, False, True),
        (K - 2, True, False),
        (K - 3, False, False),
        (1 / K, True, True),
        (Rational(1, 2) - 1 / K, False, True),
        ((K - 1) / (K + 1), True, True),
        (-1 / (1 - K), True, True),
        (K * (K - 5), False, False),
        (0 * K, False, True),
    ],
)
def test_a_sign_for_every_number_of_classes_is_claimed_only_if_certain(
    expr: Expr, strict: bool, expected: bool
) -> None:
    assert seems_nonnegative(expr, strict) is expected


@pytest.mark.parametrize("value", [F(1, 3), F(-1, 3), F(2, 7 * 10**30), F(-5, 10**40), F(10**30, 7), F(0), F(1)])
def test_the_text_of_a_ball_encloses_it_closely(value: F) -> None:
    from gaptron.prove.exact_text import exact

    low, high = map(F, exact(ball(value)))
    assert low <= value <= high
    assert high - low <= max(abs(value), F(1, 10**60)) / 10**20


def test_a_condition_that_sympy_folds_into_if_then_else() -> None:
    """As in examples/not_convex.py: a minimum inside a Piecewise."""
    capped = Min(1, Max(0, 1 - m))
    folded = Piecewise((1, ITE(m < 0, true, m > 5)), (2, True))
    for place, slope in ((-1, 0), (0, -1), (F(1, 2), -1), (1, 0), (2, 0)):
        assert value_at(right_slope(read(piecewise_fold(capped)), "m"), {"m": F(place)}) == slope
    assert [evaluate(folded, {m: F(v)}) for v in (-1, 0, 6)] == [1, 2, 1]
