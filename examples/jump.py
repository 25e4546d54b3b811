"""REFUTED: a loss that jumps is not convex."""

from sympy import Min, Piecewise

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

jump = Theorem(
    name="jump",
    loss=MarginLoss(Piecewise((2 - m, m < 0), (1 - m, m < 1), (0, True))),
    gap_map=GapMap(1 - Min(1, m)),
    learning_rate=1 / (8 * K),
)
