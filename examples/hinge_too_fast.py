"""REFUTED: Theorem 2 with a learning rate one percent larger."""

from sympy import Max, Piecewise

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

too_fast = Theorem(
    name="hinge, too fast",
    loss=MarginLoss(Max(1 - m, 0), off_above=1 / K),
    gap_map=GapMap(Piecewise((1 - m, m <= 1 / K), (0, True))),
    learning_rate=1.01 * (1 - 1 / K) / K,
)
