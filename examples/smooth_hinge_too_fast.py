"""REFUTED: Theorem 3 with a learning rate one percent larger."""

from sympy import Min, Piecewise

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

too_fast = Theorem(
    name="smooth hinge, too fast",
    loss=MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True))),
    gap_map=GapMap((1 - Min(1, m)) ** 2),
    learning_rate=1.01 / (4 * K),
)
