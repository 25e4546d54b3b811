"""PROVED: a smooth hinge of any width w from 1/2 to 2, with the learning rate that goes with it."""

from sympy import Min, Piecewise

from gaptron import GapMap, MarginLoss, Parameter, Theorem
from gaptron.symbols import K, m

w = Parameter("w", 0.5, 2)

any_width = Theorem(
    name="smooth hinge of width w",
    loss=MarginLoss(Piecewise((1 - 2 * m / w, m <= 0), ((1 - m / w) ** 2, m < w), (0, True))),
    gap_map=GapMap((1 - Min(1, m / w)) ** 2),
    learning_rate=w**2 / (4 * K),
    regret=2 * K / w**2,
)
