"""REFUTED: importance weighting makes E ||g||^2 too large for three times Theorem 6's learning rate."""

from sympy import Min, Piecewise, sqrt

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import D, K, T, X, gamma, m

bandit_too_fast = Theorem(
    name="bandit smooth hinge, too fast",
    loss=MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True))),
    gap_map=GapMap((1 - Min(1, m)) ** 2),
    feedback="bandit",
    exploration=Min(1, sqrt(2 * K**2 * X**2 * D**2 / T)),
    learning_rate=3 * gamma / (4 * K**2 * X**2),
)
