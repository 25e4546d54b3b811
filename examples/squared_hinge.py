"""PROVED: the squared hinge loss, for every number of classes."""

from sympy import Max

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

loss = Max(1 - m, 0) ** 2

squared_hinge = Theorem(
    name="squared hinge",
    loss=MarginLoss(loss),
    gap_map=GapMap(loss),
    learning_rate=1 / (4 * K),
    regret=2 * K,
)
