"""What learners with a probability for every label share: decoders and the logistic loss."""

from dataclasses import dataclass

import numpy as np
from scipy.special import log_softmax

from gaptron.learners.arithmetic import Array
from gaptron.learners.learner import Distribution, Learner
from gaptron.rounds.exact import surrogate_of
from gaptron.rounds.layouts import VECTORS
from gaptron.system.checks import Given
from gaptron.theory import by_name

DECODERS = ("top", "softmax")
LARGEST = 1e300


@dataclass(frozen=True)
class Estimate(Distribution):
    """A round: ``logarithms`` are ln p_k, shape (K,); ``probabilities`` is what the prediction is drawn from."""

    logarithms: Array


class LogisticLearner(Learner):
    """A learner that estimates p_k, the probability of every label, and suffers -log2 p_y.

    A subclass gives ln p (``_logarithms``). ``decoder`` says how p becomes a prediction: "top" predicts
    argmax p, "softmax" draws from p. Either way the loss bounds the mistakes: if y is not the top label then
    p_y <= 1/2 and -log2 p_y >= 1; and 1 - p_y <= -log2 p_y.
    """

    decoder: str

    def label_probabilities(self, x: Given) -> Array:
        """p at x, shape (K,), before it is decoded (or mixed with exploration).

        Raises
        ------
        ValueError
            If x is not a (d,) array of finite numbers.
        """
        return np.exp(self._logarithms(self._features(x)))

    def _logarithms(self, x: Array) -> Array:
        raise NotImplementedError

    def _decoded(self, logarithms: Array) -> Array:
        if self.decoder == "softmax":
            return np.exp(logarithms)
        certain = np.zeros(self.n_classes)
        certain[logarithms.argmax()] = 1.0
        return certain

    def _prediction(self, x: Array) -> Estimate:
        logarithms = self._logarithms(x)
        return Estimate(x, self._decoded(logarithms), logarithms)

    def _loss(self, prediction: Estimate, label: int) -> tuple[float, bool]:
        of_logarithm = surrogate_of(by_name.theorem("logistic").loss, self.n_classes, VECTORS).values[0]
        return float(of_logarithm(float(prediction.logarithms[label]))), False


def log_probabilities(scores: Array, scale: float = 1.0) -> Array:
    """ln softmax(scale scores) along the last axis; scores beyond 1e300/scale are cut off there."""
    bound = LARGEST / scale
    return np.asarray(log_softmax(np.clip(scores, -bound, bound) * scale, axis=-1))
