"""REFUTED: with a cubic tail the squared gradient outgrows the loss, whatever the learning rate."""

from sympy import Max

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

loss = Max(1 - m, 0) ** 3

cubic_tail = Theorem(
    name="cubic tail",
    loss=MarginLoss(loss),
    gap_map=GapMap(loss),
    learning_rate=1 / (1000 * K),
)
