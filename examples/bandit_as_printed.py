"""REFUTED: Theorem 6 with the printed exploration rate; the lemma gives the bound for at most eleven classes."""

from sympy import Max, Min, Piecewise, sqrt

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import D, K, T, X, gamma, m

bandit_as_printed = Theorem(
    name="Theorem 6 as printed",
    loss=MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True))),
    gap_map=GapMap((1 - Min(1, m)) ** 2),
    feedback="bandit",
    exploration=Min(1, sqrt(4 * K**2 * X**2 * D**2 / T)),
    learning_rate=gamma / (4 * K**2 * X**2),
    regret=Max(4 * K**2 * X**2 * D**2, 2 * K * X * D * sqrt(2 * T)),
)
