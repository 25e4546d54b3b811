"""Bandit classification by a black box for exp-concave losses: online Newton step on the quadratic of SOBA's losses."""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from gaptron.language.theorems import LossData
from gaptron.learners.arithmetic import Array, Seed
from gaptron.learners.learner import Learner, Mixture
from gaptron.learners.newton_projection import first_root, newton_step
from gaptron.numbers.kinds import Number
from gaptron.rounds import RoundAt
from gaptron.rounds.exact import surrogate_of
from gaptron.rounds.layouts import VECTORS
from gaptron.system import checks
from gaptron.theory.by_name import quadratic_loss, unclipped_quadratic


class ExpConcaveBandit(Learner):
    """Bandit feedback (Beygelzimer, Orabona, Zhang 2017, Algorithm 2), with online Newton step as the oracle.

    yhat is the lowest index among the largest of W x; draw from p = (1 - gamma) e_yhat + gamma/K. If the prediction
    was right and was not yhat, the oracle gets the loss f(m(W, y))/p_y, where
    f(m) = 1 - 2m/(2 - eta) + eta m^2/(2 - eta); else it gets zero. It keeps ||W||_F <= D: with g the gradient,
    A += g g', and W <- the projection of W - A^{-1} g/kappa on the ball in the norm of A. At first
    A = I/(4 kappa^2 D^2) and W = 0. A round costs O(dK), O((dK)^2) when the oracle gets a loss, and
    O((dK)^3) when the step leaves the ball.

    Parameters
    ----------
    n_classes : int >= 2
        K; labels are 0..K-1.
    n_features : int >= 1
        d.
    exploration : number in (0, 1], optional
        gamma. Default: min(1, sqrt(K^2 d ln T/(eta T))), as in Theorem 7.
    loss_parameter : number in (0, 1/max(2XD, 1)], optional
        eta; by default the largest that Theorem 7 allows.
    radius : number > 0
        D.
    feature_norm : number > 0
        X, a bound on ||x||: assumed, not enforced.
    newton_rate : number > 0, optional
        kappa. Default: min{1/(8 G D), beta}/2, where G = 16 X K/gamma bounds ||g|| and the losses are
        beta-exp-concave on the ball for beta = gamma eta/(32 K), as printed in Claim 1.
    horizon : int >= 2, optional
        T, used by the default exploration only.
    seed : int, numpy.random.Generator or None
        Where the draws come from.

    Attributes
    ----------
    W : (K, d) array
        The weights, zero at first.
    A, P : (K d, K d) array
        A and its inverse; blocks of d entries, one a class.
    exploration, loss_parameter, newton_rate : float
        As used.
    rng : numpy.random.Generator

    Notes
    -----
    The oracle is one the paper names. G and beta of Claim 1 are true but not the best: on the ball abs(m) <= M, with
    M = sqrt(2) X D, so (K/gamma) 2 sqrt(2) X (1 + eta M)/(2 - eta) and (gamma/K) eta (2 - eta)/(2 (1 + eta M)^2)
    are valid too, and give larger steps. f is sent as it is, not clipped at zero where m > 1. The loss reported by
    ``run`` is the clipped one, f(m) for m <= 1 and 0 above (equations (2) and (3)).

    Raises
    ------
    ValueError
        If an argument is not as above, neither exploration nor horizon is given, or (2 newton_rate D)^2 leaves the
        range of doubles.

    Examples
    --------
    >>> from gaptron.learners import ExpConcaveBandit
    >>> learner = ExpConcaveBandit(3, 2, exploration=0.3, loss_parameter=0.5, newton_rate=1, seed=0)
    >>> learner.predict_proba([1, 0]).round(2)
    array([0.8, 0.1, 0.1])
    """

    STATE = ("W", "A", "P")
    feedback = "bandit"
    learns_when_wrong = False

    def __init__(
        self,
        n_classes: int,
        n_features: int,
        *,
        exploration: float | None = None,
        loss_parameter: float | None = None,
        radius: float = 1,
        feature_norm: float = 1,
        newton_rate: float | None = None,
        horizon: int | None = None,
        seed: Seed = None,
    ) -> None:
        super().__init__(n_classes, n_features, seed)
        self.radius = float(checks.positive(radius, "radius"))
        self.feature_norm = float(checks.positive(feature_norm, "feature_norm"))
        self.horizon = None if horizon is None else checks.integer(horizon, "horizon", 2)
        self.loss_parameter = self._checked_parameter(loss_parameter)
        self.exploration = self._checked_exploration(exploration)
        if newton_rate is None:
            share = self.exploration / self.n_classes
            newton_rate = min(share / (128 * self.feature_norm * self.radius), share * self.loss_parameter / 32) / 2
        self.newton_rate = float(checks.positive(newton_rate, "newton_rate"))
        self.W = np.zeros((self.n_classes, self.n_features))
        root = first_root("newton_rate", self.newton_rate, self.radius)
        self.A = np.eye(self.W.size) / root**2
        self.P = np.eye(self.W.size) * root**2

    # --- parameters ---------------------------------------------------------------------------------------------

    def _checked_parameter(self, given: float | None) -> float:
        largest = 1 / max(2 * self.feature_norm * self.radius, 1)
        eta = largest if given is None else float(checks.positive(given, "loss_parameter"))
        if eta > largest:
            raise ValueError(f"loss_parameter = {eta}: it must be at most 1/max(2XD, 1) = {largest}")
        return eta

    def _checked_exploration(self, given: float | None) -> float:
        gamma = float(checks.fraction_of_one(self._default_exploration() if given is None else given, "exploration"))
        if gamma == 0:
            raise ValueError("exploration = 0: it must be more than 0, as the losses are divided by it")
        return gamma

    def _default_exploration(self) -> float:
        if self.horizon is None:
            raise ValueError("exploration = None, horizon = None: one of them must be given")
        K, d, T = self.n_classes, self.n_features, self.horizon
        return min(1.0, K * math.sqrt(d * math.log(T) / (self.loss_parameter * T)))

    # --- rounds -------------------------------------------------------------------------------------------------

    def _prediction(self, x: Array) -> Mixture:
        scores = self._arithmetic.scores(self.W, x)
        return Mixture(x, scores, self._arithmetic.top(scores), self.exploration, self.n_classes)

    def _loss(self, prediction: Mixture, label: int) -> tuple[Number, bool]:
        return self._at(quadratic_loss, prediction).value(label), False

    def _learn_correct(self, prediction: Mixture, drawn: int, correct: bool, probability: Number) -> None:
        if correct and drawn != prediction.top:
            slopes = self._at(unclipped_quadratic, prediction).slopes(drawn)
            with np.errstate(over="ignore", invalid="ignore"):
                gradient = np.outer(slopes, prediction.x).ravel() / float(probability)
            newton_step(self, gradient, self.newton_rate)

    def _at(self, family: Callable[[Fraction], LossData], prediction: Mixture) -> RoundAt:
        """The round of the member of a family of losses."""
        loss = family(Fraction(self.loss_parameter))
        return surrogate_of(loss, self.n_classes, VECTORS).at(prediction.scores)
