"""PROVED for K = 2 only: the printed equation (3) is convex there, since the margin is then linear in W."""

from sympy import Min, Piecewise

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

two_classes = Theorem(
    name="smooth hinge as printed, two classes",
    loss=MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, True))),
    gap_map=GapMap((1 - Min(1, m)) ** 2),
    learning_rate=1 / (4 * K),
    classes=2,
)
