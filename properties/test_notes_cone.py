"""The cone algorithm (notes, section 3) in the plane, with exact distances."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from gaptron.learners import Cone
from properties.formulas import margin, scores, top
from properties.strategies import Matrix, Vector

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
UNIT_ROWS = [[ZERO, ONE], [ZERO, -ONE], [ONE, ZERO], [-ONE, ZERO], [Fraction(3, 5), Fraction(4, 5)]]
QUARTERS = st.integers(-12, 12).map(lambda n: Fraction(n, 4))
ROUNDING = 1e-9
TRAP = [([ONE, HALF], 0), ([ZERO, -HALF], 1)]
Cones = dict[int, list[Vector]]


def dot(left: Vector, right: Vector) -> Fraction:
    return left[0] * right[0] + left[1] * right[1]


def cross(left: Vector, right: Vector) -> Fraction:
    return left[0] * right[1] - left[1] * right[0]


def squared_distance(x: Vector, generators: list[Vector]) -> Fraction:
    """To the conic hull: 0 inside a sector of two generators, else to the nearest ray or the apex."""
    for u in generators:
        for v in generators:
            if cross(u, v) > 0 and cross(u, x) >= 0 and cross(x, v) >= 0:
                return ZERO
    along = [max(dot(u, x), ZERO) ** 2 / dot(u, u) for u in generators]
    return dot(x, x) - max(along, default=ZERO)


def nearest(x: Vector, cones: Cones) -> tuple[Fraction, int] | None:
    """The least squared distance and its label."""
    found = [(squared_distance(x, generators), label) for label, generators in sorted(cones.items())]
    return min(found) if found else None


@st.composite
def games(draw: st.DrawFn) -> tuple[Matrix, Fraction, list[tuple[Vector, int]]]:
    """(W with unit rows, gamma, rounds): every label has margin >= gamma, the first one exactly."""
    W = draw(st.lists(st.sampled_from(UNIT_ROWS), min_size=2, max_size=4, unique_by=tuple))
    points = draw(st.lists(st.tuples(QUARTERS, QUARTERS).map(list), min_size=4, max_size=10))
    rounds = [(x, top(scores(W, x))) for x in points]
    margins = [v for x, y in rounds if (v := margin(scores(W, x), y)) > 0]
    gamma = draw(st.sampled_from(margins)) if margins else ONE
    return W, gamma, [(x, y) for x, y in rounds if margin(scores(W, x), y) >= gamma]


@given(game=games())
@example(game=([[ZERO, ONE], [ZERO, -ONE]], ONE, [([Fraction(10), HALF], 0), ([Fraction(10), -HALF], 1)]))
@example(game=([[ZERO, ONE], [ZERO, -ONE]], ONE, TRAP))
def test_half_the_margin_of_unit_rows_makes_near_cones_sure(game: tuple) -> None:
    """And with all examples kept, whatever the guesses would have been."""
    _, gamma, rounds = game
    cones: Cones = {}
    learner = Cone(5, 2, threshold=float(gamma / 2) * (1 - ROUNDING))
    for x, label in rounds:
        near = nearest(x, cones)
        sure = near is not None and near[0] < (gamma / 2) ** 2
        event("near" if sure else "far")
        assert not sure or near[1] == label
        predicted = learner.predict_proba(x)
        assert predicted.max() < 1 or predicted[label] == 1
        expected = [float(squared_distance(x, cones[k])) ** 0.5 if k in cones else np.inf for k in range(5)]
        np.testing.assert_allclose(learner.distances(x), expected, atol=1e-6)
        learner.update(x, label, True)
        cones.setdefault(label, []).append(x)


def test_the_printed_threshold_errs_on_two_rounds_and_half_the_margin_is_sharp() -> None:
    """W = ((0, 1), (0, -1)) has unit rows and margin 1 on both points, which are sqrt(2) apart: gamma = 1 by either
    reading of Assumption 2. The second point is 1/2 from the cone of the first, at its apex: every threshold above
    gamma/2 predicts the wrong label there, "for sure"."""
    W = [[ZERO, ONE], [ZERO, -ONE]]
    (first, _), (second, label) = TRAP
    assert [margin(scores(W, x), y) for x, y in TRAP] == [1, 1]
    assert dot([ONE, ONE], [ONE, ONE]) > 1
    assert nearest(second, {0: [first]}) == (Fraction(1, 4), 0)
    for threshold, wrong in ((1.0, True), (0.5001, True), (0.5, False)):
        learner = Cone(2, 2, threshold=threshold)
        learner.update(first, 0, True)
        assert (learner.predict_proba(second)[label] == 0) == wrong


@pytest.mark.parametrize("n", [10, 10**6])
def test_assumption_2_as_stated_gives_no_threshold_at_all(n: int) -> None:
    """Points of different labels more than 1 apart, separated by x_2: still the second is nearer than 2/n to the cone
    of the first, which contains points that never were examples."""
    first, second = [Fraction(2), Fraction(2, n)], [ONE, Fraction(-1, n)]
    gap = [u - v for u, v in zip(first, second, strict=True)]
    assert dot(gap, gap) > 1
    assert first[1] > 0 > second[1]
    assert nearest(second, {0: [first]})[0] <= Fraction(4, n * n)
