"""REFUTED: on independent labels no algorithm has less than 0.186452 X^2 ||U||^2 for the logistic loss, for any K."""

from sympy import Rational, log

from gaptron import SoftmaxLoss, Theorem
from gaptron.symbols import p

logistic = Theorem(
    name="logistic, less than any algorithm has",
    loss=SoftmaxLoss(-log(p, 2)),
    decoder="best",
    update="proximal",
    regret=Rational(1864, 10000),
    classes=range(3, 1001),
)
