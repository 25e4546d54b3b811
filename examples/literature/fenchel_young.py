"""Fenchel-Young losses of the literature: classes, sets of labels, grades and rankings.

What becomes of each, and its constants: benchmarks/literature.md.
"""

from sympy import Rational, log, sqrt

from gaptron import StructuredTheorem
from gaptron.structured import (
    BinaryEntropy,
    Classes,
    Cost,
    Cube,
    Hamming,
    KendallTau,
    Ordinal,
    RankVectors,
    Shannon,
    SquaredNorm,
    Tsallis,
    ZeroOne,
)
from gaptron.symbols import d

HALF = Rational(1, 2)
CLASSES = {"outputs": Classes(), "target": ZeroOne()}

sparsemax = StructuredTheorem(
    name="sparsemax, coefficient 4",
    source="Martins and Astudillo 2016",
    **CLASSES,
    entropy=SquaredNorm(),
    learning_rate=HALF,
    coefficient=4,
    regret=4,
)
sparsemax_coefficient_one = StructuredTheorem(
    name="sparsemax, coefficient 1",
    source="Martins and Astudillo 2016",
    **CLASSES,
    entropy=SquaredNorm(),
    learning_rate=HALF,
)
sparsemax_too_fast = StructuredTheorem(
    name="sparsemax, one percent faster",
    source="Martins and Astudillo 2016",
    **CLASSES,
    entropy=SquaredNorm(),
    learning_rate=Rational(101, 200),
    coefficient=4,
)
entmax = StructuredTheorem(
    name="1.5-entmax",
    source="Peters, Niculae and Martins 2019",
    **CLASSES,
    entropy=Tsallis(Rational(3, 2)),
    learning_rate=Rational(4, 3) * (2 - sqrt(2)),
    coefficient=3 / (4 - 2 * sqrt(2)),
    regret=9 / (16 * (2 - sqrt(2)) ** 2),
)
softmax = StructuredTheorem(
    name="softmax, base 2, best rate",
    source="Sakaue, Bao, Tsuchiya and Oki 2024, section 5, with a smaller constant",
    **CLASSES,
    entropy=Shannon(),
    scale=1 / log(2),
    learning_rate=2 * log(2) ** 2,
    regret=1 / (4 * log(2) ** 2),
)
softmax_too_fast = StructuredTheorem(
    name="softmax, base 2, one percent faster",
    source="Sakaue, Bao, Tsuchiya and Oki 2024, section 5",
    **CLASSES,
    entropy=Shannon(),
    scale=1 / log(2),
    learning_rate=Rational(101, 50) * log(2) ** 2,
)
one_versus_all = StructuredTheorem(
    name="one-versus-all logistic",
    source="Blondel, Martins and Niculae 2020, section 5.5",
    outputs=Cube(),
    target=Hamming(),
    entropy=BinaryEntropy(),
    learning_rate=2 * log(2),
    coefficient=2 / (d * log(2)),
    regret=1 / (2 * d * log(2) ** 2),
)
sparsemap = StructuredTheorem(
    name="SparseMAP, sets of labels, coefficient 8/d",
    source="Niculae, Martins, Blondel and Cardie 2018",
    outputs=Cube(),
    target=Hamming(),
    entropy=SquaredNorm(),
    learning_rate=HALF,
    coefficient=8 / d,
    regret=8 / d,
)
sparsemap_coefficient_one = StructuredTheorem(
    name="SparseMAP, sets of labels, coefficient 1",
    source="Niculae, Martins, Blondel and Cardie 2018",
    outputs=Cube(),
    target=Hamming(),
    entropy=SquaredNorm(),
    learning_rate=HALF,
)
ordinal = StructuredTheorem(
    name="ordinal regression",
    source="Sakaue, Bao, Tsuchiya and Oki 2024",
    outputs=Ordinal(),
    target=Hamming(),
    entropy=SquaredNorm(),
    learning_rate=HALF,
    coefficient=8 / d,
    regret=8 / d,
)
rankings = StructuredTheorem(
    name="projection on the permutahedron",
    source="Blondel, Teboul, Berthet and Djolonga 2020",
    outputs=RankVectors(),
    target=KendallTau(),
    entropy=SquaredNorm(),
    learning_rate=HALF,
    coefficient=8 / (d * (d - 1)),
    regret=8 / (d * (d - 1)),
)
costs = StructuredTheorem(
    name="cost-sensitive sparsemax, three classes",
    source="Elkan 2001",
    outputs=Classes(),
    target=Cost([[0, 1, 3], [2, 0, 1], [1, 1, 0]]),
    entropy=SquaredNorm(),
    learning_rate=HALF,
    coefficient=8,
    regret=8,
)
