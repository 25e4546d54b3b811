"""PROVED: errors on the label +1 cost twice as much; not smooth at 0, and every subgradient counts."""

from sympy import Min, Piecewise, Rational

from gaptron import BinaryLoss, GapMap, Theorem
from gaptron.symbols import m, z

weighted = Theorem(
    name="weighted smooth hinge, one weight vector",
    source="blog, Example 3",
    loss=BinaryLoss(
        plus=Piecewise((1 - 4 * z, z < 0), ((1 - z) ** 2, z <= 1), (0, True)),
        minus=Piecewise((1 + 2 * z, z > 0), ((1 + z) ** 2, z >= -1), (0, True)),
    ),
    gap_map=GapMap((1 - Min(1, m)) ** 2),
    learning_rate=Rational(1, 16),
    regret=8,
)
