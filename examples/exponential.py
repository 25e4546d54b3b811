"""REFUTED: so it is with the exponential loss."""

from sympy import exp

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

exponential = Theorem(
    name="exponential",
    loss=MarginLoss(exp(-m)),
    gap_map=GapMap(exp(-m)),
    learning_rate=1 / (1000 * K),
)
