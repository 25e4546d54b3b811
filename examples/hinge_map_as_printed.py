"""REFUTED: Theorem 2's gap map as printed, 1 - max{1[m > beta], m}, is negative for margins above 1."""

from sympy import Max, Piecewise

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

as_printed = Theorem(
    name="hinge, gap map as printed",
    source="van der Hoeven 2020, Theorem 2",
    loss=MarginLoss(Max(1 - m, 0), off_above=1 / K),
    gap_map=GapMap(1 - Max(Piecewise((1, m > 1 / K), (0, True)), m)),
    learning_rate=(1 - 1 / K) / K,
    regret=K**2 / (2 * (K - 1)),
)
