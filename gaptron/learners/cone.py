"""The cone algorithm: predict the class whose conic hull of past examples is near, else guess."""

import sys

import numpy as np
from scipy.optimize import nnls

from gaptron.learners.arithmetic import Array, Seed
from gaptron.learners.learner import Learner, Mixture
from gaptron.numbers.kinds import Number
from gaptron.system import checks
from gaptron.system.checks import Given


class Cone(Learner):
    """Bandit feedback, updates on correct rounds only (Bandit Multiclass Classification, Algorithm 3).

    S_i holds the x that were known to have label i, and C_i is its conic hull. If x is nearer than the threshold to
    a C_i, predict the label of the nearest; else guess uniformly. If the prediction was right, x joins its S_i.
    A round solves K non-negative least squares problems, as large as the number of the examples kept.

    Parameters
    ----------
    n_classes : int >= 2
        K; labels are 0..K-1.
    n_features : int >= 1
        d.
    threshold : number > 0
        The notes take the margin gamma. See below for what makes predictions sure.
    seed : int, numpy.random.Generator or None
        Where the draws come from.

    Attributes
    ----------
    directions : (n, d) array
        The kept x, each divided by its norm: the cones are the same.
    labels : (n,) int array
        Which S_i they are in.
    rng : numpy.random.Generator

    Notes
    -----
    Resolved where the notes are silent: a class without examples has no cone; the nearest cone decides, the lowest
    label on ties; the features 0 are not kept, nor a direction twice. The notes add x to S_i after every
    prediction of a near cone, being sure that it is right; here only if it was.
    It is surely right if some W has (W^y - W^k) x >= threshold ||W^y - W^k|| on every round, for every k != y. With
    rows of norm 1 and margin gamma that is so for threshold = gamma/2. It is not implied by points of different
    labels being a distance gamma apart (Assumption 2), which says nothing about cones.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> from gaptron.learners import Cone
    >>> Cone(n_classes=3, n_features=2, threshold=0.1, seed=0).predict_proba([1, 0]).round(2)
    array([0.33, 0.33, 0.33])
    """

    STATE = ("directions", "labels")
    feedback = "bandit"
    learns_when_wrong = False

    def __init__(self, n_classes: int, n_features: int, *, threshold: float, seed: Seed = None) -> None:
        super().__init__(n_classes, n_features, seed)
        self.threshold = float(checks.positive(threshold, "threshold"))
        self.directions = np.zeros((0, self.n_features))
        self.labels = np.zeros(0, dtype=int)

    def distances(self, x: Given) -> Array:
        """The distance of x to every cone, infinite where there is none, shape (K,)."""
        return self._distances(self._features(x))

    def _distances(self, x: Array) -> Array:
        norm, direction = _polar(x)
        found: Array = np.full(self.n_classes, np.inf)
        for label in np.unique(self.labels):
            found[label] = norm * nnls(self.directions[self.labels == label].T, direction)[1]
        return found

    def _prediction(self, x: Array) -> Mixture:
        """The scores of the mixture are minus the distances."""
        scores = -self._distances(x)
        top = self._arithmetic.top(scores)
        return Mixture(x, scores, top, 0.0 if -scores[top] < self.threshold else 1.0, self.n_classes)

    def _learn_correct(self, prediction: Mixture, drawn: int, correct: bool, probability: Number) -> None:
        norm, direction = _polar(prediction.x)
        if correct and norm > 0 and not (self.directions[self.labels == drawn] == direction).all(axis=1).any():
            self.directions = np.vstack([self.directions, direction])
            self.labels = np.append(self.labels, drawn)


def _polar(x: Array) -> tuple[float, Array]:
    """The norm of x, at most the largest double, and x divided by it; 0 and x if x is 0."""
    largest = float(np.abs(x).max())
    if largest == 0:
        return 0.0, x
    scaled = x / largest
    length = float(np.linalg.norm(scaled))
    return min(largest * length, sys.float_info.max), scaled / length
