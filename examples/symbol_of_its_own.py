"""Input error: a symbol named K that is not the one of gaptron.symbols."""

from sympy import Max, Symbol

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import m

stranger = Theorem(
    name="a symbol of its own",
    loss=MarginLoss(Max(1 - m, 0) ** 2),
    gap_map=GapMap(Max(1 - m, 0) ** 2),
    learning_rate=1 / (4 * Symbol("K")),
)
