"""REFUTED: abstaining at a cost c, with a learning rate that forgets the cost."""

from sympy import Min, Piecewise, Rational

from gaptron import GapMap, MarginLoss, Parameter, Theorem
from gaptron.symbols import m

c = Parameter("c", 0, Rational(9, 10))

abstaining = Theorem(
    name="abstaining smooth hinge, too fast",
    loss=MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True))),
    gap_map=GapMap((1 - Min(1, m)) ** 2),
    abstention_cost=c,
    learning_rate=Rational(1, 8),
)
