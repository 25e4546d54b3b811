"""The vocabulary of structured theorems: outputs, targets and entropies.

Surrogate of scores theta = W x and a true output y: s (Omega*(theta) + Omega(y) - <theta, y>). The theorem is
``gaptron.StructuredTheorem``.
"""

from gaptron.structured.entropies import (
    BinaryEntropy,
    Convolutional,
    Quadratic,
    Separable,
    Shannon,
    SquaredNorm,
    Tsallis,
)
from gaptron.structured.outputs import Classes, Cube, Finite, Ordinal, PermutationMatrices, RankVectors
from gaptron.structured.targets import Cost, Hamming, KendallTau, ZeroOne

__all__ = [
    "BinaryEntropy",
    "Classes",
    "Convolutional",
    "Cost",
    "Cube",
    "Finite",
    "Hamming",
    "KendallTau",
    "Ordinal",
    "PermutationMatrices",
    "Quadratic",
    "RankVectors",
    "Separable",
    "Shannon",
    "SquaredNorm",
    "Tsallis",
    "ZeroOne",
]
