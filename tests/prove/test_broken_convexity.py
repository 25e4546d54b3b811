"""Points at which a loss is not convex: found whatever kinds of numbers its values are."""

from fractions import Fraction

from sympy import Max, sqrt

from gaptron import BinaryLoss, GapMap, Theorem
from gaptron.prove.broken_convexity import not_convex
from gaptron.symbols import m, z


def test_a_root_that_is_rational_at_some_of_the_points_is_compared_with_one_that_is_not() -> None:
    theorem = Theorem(
        name="root", loss=BinaryLoss(plus=sqrt(1 - z)), gap_map=GapMap(Max(1 - m, 0) ** 2), learning_rate=Fraction(1, 4)
    )
    found = list(not_convex(theorem, {z: Fraction(0)}))
    kinds = {frozenset(type(value) for value in witness["values"]) for witness in found}
    assert any(len(together) == 2 for together in kinds), "a rational beside an enclosure"
    for witness in found:
        (low, _), (middle, _), (high, _) = ([Fraction(v) for v in row] for row in witness["points"])
        assert middle == Fraction(witness["weight"]) * low + (1 - Fraction(witness["weight"])) * high
