"""PROVED: your own three-class cost matrix with the sparsemax loss, the regret constant the smallest by sharpen."""

from sympy import Rational

from gaptron import StructuredTheorem
from gaptron.structured import Classes, Cost, SquaredNorm

own_costs = StructuredTheorem(
    name="three classes, own costs, sparsemax",
    outputs=Classes(),
    target=Cost([[0, 1, 3], [2, 0, 1], [1, 1, 0]]),  # [predicted][true]
    entropy=SquaredNorm(),
    learning_rate=Rational(1, 2),
    coefficient=8,
    regret=8,
)
