"""REFUTED: a loss that is not convex in the margin."""

from sympy import Max, Min

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

not_convex = Theorem(
    name="capped hinge",
    loss=MarginLoss(Min(Max(1 - m, 0), 2)),
    gap_map=GapMap(Max(1 - m, 0)),
    learning_rate=1 / (8 * K),
)
