"""PROVED: the hinge loss with bandit feedback, at a constant exploration rate."""

from sympy import Max, Piecewise, Rational

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import D, K, T, X, gamma, m

bandit_hinge = Theorem(
    name="bandit hinge, one round in ten explored",
    loss=MarginLoss(Max(1 - m, 0), off_above=1 / K),
    gap_map=GapMap(Piecewise((1 - m, m <= 1 / K), (0, True))),
    feedback="bandit",
    exploration=Rational(1, 10),
    learning_rate=gamma * (1 - 1 / K) / (K**2 * X**2),
    regret=5 * K**3 * X**2 * D**2 / (K - 1) + T / 10,
)
