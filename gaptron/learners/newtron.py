"""Newtron and its diagonal version PNewtron: online Newton steps with bandit feedback."""

import numpy as np

from gaptron.learners.arithmetic import Array, Seed, require_finite
from gaptron.learners.logistic import Estimate, LogisticLearner, log_probabilities
from gaptron.learners.rank_one import grown_inverse
from gaptron.numbers.kinds import Number
from gaptron.system import checks


class Newtron(LogisticLearner):
    """Newtron (Hazan, Kale 2011), bandit feedback; a round costs O((dK)^2), or O(dK) if ``diagonal`` (PNewtron).

    p = softmax(alpha W x); draw r from p' = (1 - gamma) p + gamma/K. Then, with bold 1 the vector of ones,
    right: g = ((1 - p_y)/p'_y) (1/K - e_y) (x) x and kappa = p'_y; wrong: g = (p_r/p'_r) (e_r - 1/K) (x) x and
    kappa = 1. The next W minimises, over all W in R^{K x d},
    sum_s [<g_s, W - W_s> + (kappa_s beta/2) <g_s, W - W_s>^2] + ||W||^2/(2 D).

    Parameters
    ----------
    n_classes : int >= 2
        K; labels are 0..K-1.
    n_features : int >= 1
        d.
    exploration : number in [0, 1]
        gamma; the one parameter that Beygelzimer, Orabona, Zhang 2017 tune.
    alpha : number > 0
        The scale of the scores.
    beta : number > 0
        The weight of the squared terms.
    radius : number > 0
        D, the weight of the regularizer. The defaults of alpha, beta and D are those of the experiments of
        Beygelzimer et al. 2017, section 5.
    diagonal : bool
        Keep of every squared term only its diagonal, sum_j g_{s,j}^2 (W - W_s)_j^2: PNewtron.
    seed : int, numpy.random.Generator or None
        Where the draws come from.

    Attributes
    ----------
    W : (K, d) array
        The weights, zero at first.
    P : (K d, K d) or (K d,) array
        A^{-1}, A = I/D + sum kappa beta g g', or the inverse of its diagonal; blocks of d entries, one a class.
    rng : numpy.random.Generator

    Notes
    -----
    The source documents do not print the algorithm: Beygelzimer et al. 2017 give its parameters (section 5) and
    its guarantee (Theorem 6), for the loss -log2 p_y, which is the loss reported by ``run``. E g = (p - e_y) (x) x,
    the gradient of -(1/alpha) ln p_y. Two points are a choice: W is not restricted to a ball, which
    ||W||^2/(2 D) stands in for (with alpha = 10, a ball of radius 1 is too small to learn SynSep); and the squared
    terms, not only their sum, are made diagonal, so that both versions are the step W - A^{-1} g with A after the
    round.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> from gaptron.learners import Newtron
    >>> Newtron(n_classes=3, n_features=2, exploration=0.3, seed=0).predict_proba([1, 0]).round(2)
    array([0.33, 0.33, 0.33])
    """

    STATE = ("W", "P")
    feedback = "bandit"

    def __init__(
        self,
        n_classes: int,
        n_features: int,
        *,
        exploration: float,
        alpha: float = 10,
        beta: float = 0.01,
        radius: float = 1,
        diagonal: bool = False,
        seed: Seed = None,
    ) -> None:
        super().__init__(n_classes, n_features, seed)
        self.exploration = float(checks.fraction_of_one(exploration, "exploration"))
        self.alpha = float(checks.positive(alpha, "alpha"))
        self.beta = float(checks.positive(beta, "beta"))
        self.radius = float(checks.positive(radius, "radius"))
        self.diagonal = checks.flag(diagonal, "diagonal")
        self.W = np.zeros((self.n_classes, self.n_features))
        self.P = (np.ones if self.diagonal else np.eye)(self.W.size) * self.radius

    def _logarithms(self, x: Array) -> Array:
        return log_probabilities(self._arithmetic.scores(self.W, x), self.alpha)

    def _decoded(self, logarithms: Array) -> Array:
        return np.asarray((1 - self.exploration) * np.exp(logarithms) + self.exploration / self.n_classes)

    def _learn_correct(self, prediction: Estimate, drawn: int, correct: bool, probability: Number) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            g = self._gradient(prediction, drawn, correct, probability)
            curvature = self.beta * (probability if correct else 1.0)
            P, step = grown_inverse(self.P, g, curvature)
            W = self.W - step.reshape(self.W.shape)
        require_finite(P, W)
        self.W, self.P = W, P

    def _gradient(self, prediction: Estimate, drawn: int, correct: bool, probability: Number) -> Array:
        """The estimate g of (p - e_y) (x) x, shape (K d,)."""
        direction = np.full(self.n_classes, -1 / self.n_classes)
        direction[drawn] += 1.0
        logarithm = prediction.logarithms[drawn]
        weight = np.expm1(logarithm) if correct else np.exp(logarithm)
        return np.outer(weight / probability * direction, prediction.x).ravel()
