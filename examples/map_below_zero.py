"""REFUTED: a gap map that leaves [0, 1]."""

from sympy import Max

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

below_zero = Theorem(
    name="gap map below zero",
    loss=MarginLoss(Max(1 - m, 0) ** 2),
    gap_map=GapMap(1 - m / 2),
    learning_rate=1 / (4 * K),
)
