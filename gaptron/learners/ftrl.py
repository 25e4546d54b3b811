"""Gaptron that need not know how large the features are (Orabona's blog, The Gaptron Algorithm, Exercise 1)."""

import numpy as np

from gaptron.language.theorems import StatedTheorem
from gaptron.learners.arithmetic import Array, Seed
from gaptron.learners.binary_gaptron import binary_theorem
from gaptron.learners.learner import Mixture
from gaptron.learners.rounds import RoundLearner, chosen_decoder
from gaptron.learners.surrogates import in_doubles
from gaptron.system.checks import Given


class FTRLGaptron(RoundLearner):
    """Binary Gaptron by follow-the-regularized-leader: no bound on ||x|| need be known; a round costs O(d).

    A round (the blog's Exercise 1, whose solution is ``proofs/blog/exercise1.py``): x_t is seen first, and
    lambda_t = 2 s max_{i <= t} ||x_i||^2; w_t minimises <theta, w> + (lambda_t/2) ||w - start||^2, theta the sum of
    the subgradients of the rounds before t, so w_t = start - theta/lambda_t; z = <w_t, x_t>; predict as
    BinaryGaptron does; theta <- theta + loss'(z) x_t. As long as all x are zero, w_t = start. For every u,

        E[mistakes] <= sum loss_t(u) + s R_T^2 ||u - start||^2,    R_T = max_{i <= T} ||x_i||.

    The exercise leaves the regularizer open: this one gives the bound of the blog's Theorem 1 at the learning rate
    that would need R_T.

    Parameters
    ----------
    n_features : int >= 1
        d.
    loss : "smooth hinge", "squared hinge" or Theorem
        The blog's Example 2, s = 2; or a Theorem with a BinaryLoss and s = 1/(2 eta), eta its learning rate.
    start : (d,) array, optional
        w_1, zero by default.
    seed : int, numpy.random.Generator or None
        Where the draws come from.

    Attributes
    ----------
    theta : (d,) array
        The sum of the subgradients.
    largest_norm : float
        max ||x_i|| over the rounds learned from, 0 before the first.
    surrogate
        The loss and the gap map at the scores (z, 0); its ``learning_rate`` is 1/(2 s).
    rng : numpy.random.Generator

    Notes
    -----
    Labels are 0 (the sign +1) and 1 (the sign -1), as for BinaryGaptron.

    Raises
    ------
    ValueError
        If an argument is not as above, or the theorem states neither learning_rate nor regret.

    Examples
    --------
    >>> from gaptron.learners import FTRLGaptron
    >>> learner = FTRLGaptron(n_features=2, seed=0)
    >>> round(learner.run([[3, 0], [0, 1], [3, 0]], [1, 0, 1]).expected_mistakes, 3)
    1.125
    """

    STATE = ("theta", "largest_norm")
    n_classes = 2

    def __init__(
        self, n_features: int, *, loss: str | StatedTheorem = "smooth hinge", start: Given = None, seed: Seed = None
    ) -> None:
        super().__init__(2, n_features, seed)
        self.loss_given = loss
        theorem = binary_theorem(loss)
        self.surrogate = in_doubles(theorem, 2)
        self.decoder = chosen_decoder("gap map", theorem.decoder)
        if self.surrogate.learning_rate is None:
            raise ValueError(f"loss = {loss!r} states neither learning_rate nor regret: one of them is needed")
        start = np.zeros(self.n_features) if start is None else start
        self.start = self._arithmetic.array(start, "start", (self.n_features,)).copy()
        self.theta = np.zeros(self.n_features)
        self.largest_norm = 0.0
        self.exploration = 0.0

    def weights(self, x: Given) -> Array:
        """w_t if the features of the round are x: start - theta/lambda_t, shape (d,)."""
        norm = self._norm(self._features(x))
        if norm == 0:
            return self.start.copy()
        return np.asarray(self.start - self.surrogate.learning_rate * (self.theta / norm) / norm)

    def _norm(self, x: Array) -> float:
        """max_{i <= t} ||x_i||, this round's features included; beyond the range of doubles, infinite."""
        largest = float(np.abs(x).max())
        norm = largest * float(np.linalg.norm(x / largest)) if largest > 0 else 0.0
        return max(self.largest_norm, norm)

    def _scores(self, x: Array) -> Array:
        """(z, 0), with 1/lambda_t = eta/norm^2 shared by both factors so that neither overflows."""
        norm = self._norm(x)
        z = self._arithmetic.scores(self.start[None], x)[0]
        if norm > 0:
            z -= self.surrogate.learning_rate * ((self.theta / norm) @ (x / norm))
        return np.array([z, 0.0])

    def _learn_label(self, prediction: Mixture, label: int) -> None:
        slope = self.surrogate.score_gradient(prediction.scores, label)[0]
        norm = self._norm(prediction.x)
        with np.errstate(over="ignore", invalid="ignore"):
            theta = self.theta + slope * prediction.x
        if not (np.isfinite(theta).all() and np.isfinite(norm)):
            raise OverflowError("the sum of the subgradients overflows: scale the features")
        self.theta, self.largest_norm = theta, norm
