"""Input error: the learning rate divides by zero at K = 3."""

from sympy import Max

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

vanishing = Theorem(
    name="vanishing denominator",
    loss=MarginLoss(Max(1 - m, 0) ** 2),
    gap_map=GapMap(Max(1 - m, 0) ** 2),
    learning_rate=1 / (4 * (K - 3) ** 2),
)
