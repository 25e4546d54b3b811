"""REFUTED: SparseMAP with coefficient 1 on four labels, at a tiny learning rate; with five it would be PROVED."""

from sympy import Rational

from gaptron import StructuredTheorem
from gaptron.structured import Cube, Hamming, SquaredNorm

multilabel_small = StructuredTheorem(
    name="multilabel, four labels, coefficient 1",
    outputs=Cube(),
    target=Hamming(),
    entropy=SquaredNorm(),
    learning_rate=Rational(1, 1000),
    sizes=4,
)
