"""REFUTED: the same with a learning rate that is one percent too large."""

from sympy import Max

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

loss = Max(1 - m, 0) ** 2

too_fast = Theorem(
    name="squared hinge, too fast",
    loss=MarginLoss(loss),
    gap_map=GapMap(loss),
    learning_rate=1.01 / (4 * K),
)
