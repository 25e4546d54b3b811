"""PROVED: the base-2 logistic loss of the margin; its tail has no slack, and is closed at infinity."""

from sympy import exp, log

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

loss = log(1 + exp(-m), 2)

margin_logistic = Theorem(
    name="logistic loss of the margin",
    loss=MarginLoss(loss),
    gap_map=GapMap(loss),
    learning_rate=log(2) / (2 * K),
    regret=K / log(2),
)
