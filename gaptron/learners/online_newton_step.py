"""Online Newton step on the logistic loss, with full information."""

import math

import numpy as np

from gaptron.learners.arithmetic import Array, Seed
from gaptron.learners.logistic import DECODERS, Estimate, LogisticLearner, log_probabilities
from gaptron.learners.newton_projection import first_root, newton_step
from gaptron.system import checks


class OnlineNewtonStep(LogisticLearner):
    """Online Newton step (Hazan, Agarwal, Kale 2007) on the multiclass logistic loss over {||W||_F <= D}.

    p = softmax(W x), g = (p - e_y) (x) x in R^{Kd}; A += g g'; W <- the projection of W - A^{-1} g/beta on the
    ball, in the norm of A; A = I/(4 beta^2 D^2) at first. A round costs O((dK)^2), and O((dK)^3) when the step
    leaves the ball.

    Parameters
    ----------
    n_classes : int >= 2
        K; labels are 0..K-1.
    n_features : int >= 1
        d.
    radius : number > 0
        D.
    feature_norm : number > 0
        X, a bound on ||x||, used by the default beta only: assumed, not enforced.
    beta : number > 0, optional
        Default: min{1/(8 G D), alpha}/2, where G = sqrt(2) X bounds ||g||, and the loss is
        alpha-exp-concave on the ball for alpha = exp(-sqrt(2) D X)/(K - 1).
    decoder : "top" or "softmax"
        Predict argmax p, or draw from p.
    seed : int, numpy.random.Generator or None
        Where the draws come from.

    Attributes
    ----------
    W : (K, d) array
        The weights, zero at first.
    A, P : (K d, K d) array
        A and its inverse; blocks of d entries, one a class.
    beta : float
        As used.
    rng : numpy.random.Generator

    Notes
    -----
    alpha: the Hessian diag(p) - p p' of -ln p_y dominates alpha (p - e_y)(p - e_y)' exactly for
    alpha <= p_y/(1 - p_y). The learner is the same for -ln p_y and -log2 p_y, as beta and A scale with the loss;
    the loss reported by ``run`` is -log2 p_y (van der Hoeven 2020, equation (1)).
    The row "ONS" of Table 1 there prints the regret O(exp(D) dK ln T) for X = 1; the exponent here is
    sqrt(2) D X, and 1/alpha has the further factor K - 1. The paper calls the algorithms it compares with in
    full information deterministic (section 4): so "top" is the default decoder.

    Raises
    ------
    ValueError
        If an argument is not as above, or (2 beta D)^2 leaves the range of doubles.

    Examples
    --------
    >>> from gaptron.learners import OnlineNewtonStep
    >>> OnlineNewtonStep(n_classes=3, n_features=2, seed=0).predict_proba([1, 0])
    array([1., 0., 0.])
    """

    STATE = ("W", "A", "P")

    def __init__(
        self,
        n_classes: int,
        n_features: int,
        *,
        radius: float = 1,
        feature_norm: float = 1,
        beta: float | None = None,
        decoder: str = "top",
        seed: Seed = None,
    ) -> None:
        super().__init__(n_classes, n_features, seed)
        self.radius = float(checks.positive(radius, "radius"))
        self.feature_norm = float(checks.positive(feature_norm, "feature_norm"))
        if beta is None:
            reach = math.sqrt(2) * self.radius * self.feature_norm
            beta = min(1 / (8 * reach), math.exp(-reach) / (self.n_classes - 1)) / 2
        self.beta = float(checks.positive(beta, "beta"))
        self.decoder = checks.choice(decoder, "decoder", DECODERS)
        self.W = np.zeros((self.n_classes, self.n_features))
        root = first_root("beta", self.beta, self.radius)
        self.P = np.eye(self.W.size) * (root * root)
        self.A = np.eye(self.W.size) / (root * root)

    def _logarithms(self, x: Array) -> Array:
        return log_probabilities(self._arithmetic.scores(self.W, x))

    def _learn_label(self, prediction: Estimate, label: int) -> None:
        error = np.exp(prediction.logarithms)
        error[label] = np.expm1(prediction.logarithms[label])
        newton_step(self, np.outer(error, prediction.x).ravel(), self.beta)
