"""REFUTED: equation (3) as printed; max{(1 - m)^2, 0} increases beyond m = 1, so it is not convex in W for K >= 3."""

from sympy import Max, Min, Piecewise

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

as_printed = Theorem(
    name="smooth hinge as printed",
    source="van der Hoeven 2020, equation (3)",
    loss=MarginLoss(Piecewise((Max(1 - 2 * m, 0), m <= 0), (Max((1 - m) ** 2, 0), True))),
    gap_map=GapMap((1 - Min(1, m)) ** 2),
    learning_rate=1 / (4 * K),
    regret=2 * K,
)
