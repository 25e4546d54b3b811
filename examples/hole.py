"""REFUTED: a loss without a value beyond margin 1."""

from sympy import Min, Piecewise

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

hole = Theorem(
    name="hole",
    loss=MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1))),
    gap_map=GapMap((1 - Min(1, m)) ** 2),
    learning_rate=1 / (4 * K),
)
