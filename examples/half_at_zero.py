"""REFUTED: a loss with value 1/2 at margin 0 is too small to pay for a guess."""

from sympy import Max, Rational

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

half_at_zero = Theorem(
    name="half at zero",
    loss=MarginLoss(Max(Rational(1, 2) - m, 0)),
    gap_map=GapMap(Max(1 - m, 0)),
    learning_rate=1 / (4 * K),
)
