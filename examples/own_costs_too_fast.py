"""REFUTED: the same with a learning rate one percent larger: a distribution of the label leaves no decoder."""

from sympy import Rational

from gaptron import StructuredTheorem
from gaptron.structured import Classes, Cost, SquaredNorm

own_costs_too_fast = StructuredTheorem(
    name="three classes, own costs, too fast",
    outputs=Classes(),
    target=Cost([[0, 1, 3], [2, 0, 1], [1, 1, 0]]),  # [predicted][true]
    entropy=SquaredNorm(),
    learning_rate=Rational(101, 200),
    coefficient=8,
)
