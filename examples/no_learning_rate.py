"""UNDECIDED: neither a learning rate nor a regret is claimed, so there is no gap to bound yet."""

from sympy import Max

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import m

no_learning_rate = Theorem(
    name="no learning rate",
    loss=MarginLoss(Max(1 - m, 0) ** 2),
    gap_map=GapMap(Max(1 - m, 0) ** 2),
)
