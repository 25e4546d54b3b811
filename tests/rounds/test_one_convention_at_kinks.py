"""At a kink the subgradient is the derivative from the right: in every kind of number, however the kink is written."""

from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Abs, Eq, Expr, Max, Min, Ne, Or, Piecewise, Rational

from gaptron import BinaryGaptron, BinaryLoss, GapMap, Gaptron, MarginLoss, Theorem
from gaptron.bounds.hindsight import HindsightLoss
from gaptron.door.reading import read
from gaptron.expectation import expected
from gaptron.language.slopes import left_slope, right_slope
from gaptron.numbers.arrays import array_function, scalar_function
from gaptron.numbers.compiled import compiled
from gaptron.numbers.evaluate import value_at
from gaptron.numbers.kinds import Balls, Doubles, Exact, Intervals, Kind, Rationals
from gaptron.symbols import m, z

HINGES: list[Expr] = [
    Piecewise((1 - m, m <= 1), (0, True)),
    Piecewise((1 - m, m < 1), (0, True)),
    Piecewise((0, m >= 1), (1 - m, True)),
    Piecewise((0, m > 1), (1 - m, True)),
    Piecewise((1 - m, Or(m < 1, Eq(m, 1))), (0, True)),
    Piecewise((1 - m, m < 1), (0, Ne(m, 7)), (0, True)),
    Piecewise((0, (m - 1) ** 3 >= 0), (1 - m, True)),
    Max(1 - m, 0),
    1 - Min(m, 1),
    (1 - m + Abs(1 - m)) / 2,
    Max(1 - m, 0, Rational(1, 2) - m),
    Max(Max(1 - m, 0), Min(1 - m, 0)),
]
POINTS = [F(n, 4) for n in range(-8, 9)]
KINDS: list[Kind] = [Rationals(), Exact(), Balls(), Intervals(), Doubles()]


def middle(number: Any) -> float:
    return float(number.mid) if hasattr(number, "delta") else float(number)


@pytest.mark.few(4)
@pytest.mark.parametrize("phi", HINGES, ids=str)
def test_every_kind_takes_the_slope_from_the_right(phi: Expr) -> None:
    slope = right_slope(read(phi), "m")
    for point in POINTS:
        expected_slope = -1.0 if point < 1 else 0.0
        found = [middle(compiled(slope, "m", kind)(kind.number(point))) for kind in KINDS]
        found += [
            scalar_function(slope, "m")(float(point)),
            float(array_function(slope, "m")(np.array([float(point)]))[0]),
        ]
        assert found == [expected_slope] * len(found), point
        assert value_at(left_slope(read(phi), "m"), {"m": point}) == (-1 if point <= 1 else 0)


def ends(phi: Expr, off_above: Any = None) -> list[list[list[float]]]:
    """W after four rounds x = 1, label 0 at the rate 1/2: exact, in doubles, and as ``expected`` walks them."""
    theorem = Theorem(
        name="kink",
        loss=MarginLoss(phi, off_above=off_above),
        gap_map=GapMap(Max(1 - m, 0)),
        learning_rate=Rational(1, 2),
    )
    found = []
    for exact in (True, False):
        learner = Gaptron(2, 1, loss=theorem, exact=exact)
        for _ in range(4):
            learner.update([1], 0)
        found.append(learner.W.astype(float).tolist())
    for arithmetic in ("rational", "ball", "interval", "float"):
        walked: list[Any] = []

        def stream(W: list[list[Any]], seen: list[Any] = walked) -> tuple[list[int], int]:
            seen.append([[middle(w) for w in row] for row in W])
            return [1], 0

        expected(Gaptron(2, 1, loss=theorem, exact=True), stream, arithmetic=arithmetic, n_rounds=5)
        found.append(walked[-1])
    return found


@pytest.mark.few(4)
@pytest.mark.parametrize("phi", HINGES, ids=str)
def test_all_learners_end_at_the_same_weights(phi: Expr) -> None:
    assert ends(phi) == [[[0.5], [-0.5]]] * 6


@pytest.mark.parametrize("plus", [h.subs(m, z) for h in HINGES[:2]], ids=str)
def test_one_weight_vector_too(plus: Expr) -> None:
    loss = BinaryLoss(plus=plus)
    theorem = Theorem(name="kink", loss=loss, gap_map=GapMap(Max(1 - m, 0)), learning_rate=Rational(1, 2))
    learners = [BinaryGaptron(1, loss=theorem, exact=exact) for exact in (True, False)]
    for learner in learners:
        learner.run([[1]] * 4, [0] * 4)
    assert [float(learner.w[0]) for learner in learners] == [1, 1]


@pytest.mark.parametrize("phi", HINGES, ids=str)
def test_the_comparators_loss_too(phi: Expr) -> None:
    loss = HindsightLoss(MarginLoss(phi), np.ones((1, 1)), np.array([0]), np.ones(1, dtype=bool), 2)
    assert loss(np.array([[0.5], [-0.5]]))[1].tolist() == [[0], [0]]
    assert loss(np.array([[0.25], [-0.5]]))[1].tolist() == [[-1], [1]]


@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=2, max_size=4), st.integers(-8, 8))
@settings(max_examples=40, deadline=None)
def test_a_maximum_of_lines_in_every_kind(lines: list[tuple[int, int]], quarters: int) -> None:
    phi, point = Max(*(a * m + Rational(b, 2) for a, b in lines), evaluate=False), F(quarters, 4)
    values = [a * point + F(b, 2) for a, b in lines]
    steepest = max(a for (a, _), v in zip(lines, values, strict=True) if v == max(values))
    slope = right_slope(read(phi), "m")
    found = [middle(compiled(slope, "m", kind)(kind.number(point))) for kind in KINDS]
    assert found == [steepest] * len(found)
    assert scalar_function(slope, "m")(float(point)) == steepest
