"""What depends on the kind of a loss: how many weight vectors it has, its scalars and their domain, scores for them.

Whoever needs one of these asks ``geometry_of(loss)``, and names no kind of loss.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TypeAlias

import numpy as np

from gaptron.language.theorems import StatedLoss
from gaptron.numbers.kinds import Number
from gaptron.rounds.layouts import Array

EDGE = 1e-4  # how close probabilities come to 0 and 1 where they are shown
NO_PROBABILITY = 1e-12

Levels: TypeAlias = tuple[Array, Array, Array]


@dataclass(frozen=True)
class Geometry:
    """Of losses of the margin; W has a row for each label.

    Attributes
    ----------
    scalar, top_scalar : str
        What the loss, and what the gap map, is a function of, in words.
    variable : "m" or "p"
        What the gap map is written in.
    highest : number
        Up to where the top scalar goes.
    one_vector : bool
        Whether there is one weight vector for two classes, instead of K.
    is_transcendental : bool
        Whether no round is rational.
    of_all_scores : bool
        Whether the loss depends on the score of every label.
    takes_threshold : bool
        Whether right rounds may be off above a top margin.
    is_one_scalar : bool
        Whether what happens to the label on top depends on the top scalar alone, and falls where loss and map do.
    """

    scalar: str = "margin m of the true label"
    top_scalar: str = "top margin m*"
    variable: str = "m"
    highest: Number = inf
    one_vector: bool = False
    is_transcendental: bool = False
    of_all_scores: bool = False
    takes_threshold: bool = False
    is_one_scalar: bool = True

    def rows(self, n_classes: int) -> int:
        """Of W."""
        return 1 if self.one_vector else n_classes

    def least_top(self, n_classes: int) -> float:
        """The top scalar of scores that are all equal."""
        return 0.0

    def shown(self, margins: tuple[float, float]) -> tuple[float, float]:
        """From where to where the scalar is drawn."""
        return margins

    def levels(self, at: Array, share: Array, rest: int) -> Levels:
        """Scores at which the scalar of a label is ``at``: its own, the largest rival's, those of the ``rest``.

        The share says how far the labels that are left are below the rival: 0 for as high as it.
        """
        return at, np.zeros_like(at), share * np.minimum(at, 0)


@dataclass(frozen=True)
class SoftmaxGeometry(Geometry):
    """Of losses of a softmax probability."""

    scalar: str = "probability p of the true label"
    top_scalar: str = "top probability p*"
    variable: str = "p"
    highest: Number = Fraction(1)
    is_transcendental: bool = True

    def least_top(self, n_classes: int) -> float:
        """The top probability of scores that are all equal."""
        return 1 / n_classes

    def shown(self, margins: tuple[float, float]) -> tuple[float, float]:
        """Nearly all probabilities."""
        return EDGE, 1 - EDGE

    def levels(self, at: Array, share: Array, rest: int) -> Levels:
        """See ``Geometry.levels``."""
        rival = (1 - at) / (1 + rest * (1 - share))
        return np.log(at), np.log(rival), np.log(np.maximum((1 - share) * rival, NO_PROBABILITY))


ALL_SCORES = Geometry(of_all_scores=True, is_one_scalar=False)
ONE_VECTOR = Geometry(scalar="z", top_scalar="|z|", one_vector=True, is_one_scalar=False)
GEOMETRIES = {
    "MarginLoss": Geometry(takes_threshold=True),
    "SoftmaxLoss": SoftmaxGeometry(),
    "BinaryLoss": ONE_VECTOR,
    "PairwiseLoss": ALL_SCORES,
    "SeparableLoss": ALL_SCORES,
}


def geometry_of(loss: StatedLoss) -> Geometry:
    """Of this kind of loss."""
    return GEOMETRIES[loss.data.kind]
