"""Vovk's aggregating algorithm for the logistic loss, on a grid, for tiny problems."""

from itertools import product

import numpy as np
from scipy.special import logsumexp

from gaptron.learners.arithmetic import Array, Seed
from gaptron.learners.logistic import DECODERS, LARGEST, Estimate, LogisticLearner, log_probabilities
from gaptron.system import checks

LARGEST_DIMENSION = 3


class Aggregating(LogisticLearner):
    """Vovk's aggregating algorithm for the logistic loss (Foster, Kale, Luo, Mohri, Sridharan 2018), improper.

    The prior is uniform on a grid of weights U in {||U||_F <= D}; p is the mean of softmax(U x) under the
    posterior; the posterior is the prior times the likelihood: every U loses -ln p_y(U) of its log-weight. The
    grid stands for the uniform prior on the ball, whose integrals cost O(max{dK, T}^12) a round by the count of
    van der Hoeven 2020, Table 1; here a round costs O(N K d) for N grid points.

    Parameters
    ----------
    n_classes : int >= 2
        K; labels are 0..K-1.
    n_features : int >= 1
        d; K d <= 3.
    radius : number > 0
        D.
    grid : int >= 2
        Number of grid points on each of the K d axes, from -D to D; those outside the ball are left out.
    decoder : "top" or "softmax"
        Predict argmax p, or draw from p.
    seed : int, numpy.random.Generator or None
        Where the draws come from.

    Attributes
    ----------
    points : (N, K, d) array
        The grid in the ball.
    log_weights : (N,) array
        The logarithm of the posterior.
    rng : numpy.random.Generator

    Notes
    -----
    The loss reported by ``run`` is -log2 p_y (van der Hoeven 2020, equation (1)). On every stream its sum is at most
    that of any grid point plus log2 N. Foster et al. 2018 mix p with the uniform distribution for other settings
    than this one; here it is not mixed. "top" is the default decoder as the paper calls the algorithms that it
    compares with in full information deterministic (section 4).

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> from gaptron.learners import Aggregating
    >>> Aggregating(n_classes=2, n_features=1, grid=5, seed=0).predict_proba([1])
    array([1., 0.])
    """

    STATE = ("log_weights",)

    def __init__(
        self,
        n_classes: int,
        n_features: int,
        *,
        radius: float = 1,
        grid: int = 21,
        decoder: str = "top",
        seed: Seed = None,
    ) -> None:
        super().__init__(n_classes, n_features, seed)
        if self.n_classes * self.n_features > LARGEST_DIMENSION:
            raise ValueError(
                f"n_classes * n_features = {self.n_classes * self.n_features} is not <= {LARGEST_DIMENSION}: "
                "the grid would be too large"
            )
        self.radius = float(checks.positive(radius, "radius"))
        self.grid = checks.integer(grid, "grid", 2)
        self.decoder = checks.choice(decoder, "decoder", DECODERS)
        self.points = self._points()
        self.log_weights = np.full(len(self.points), -np.log(len(self.points)))

    def _points(self) -> Array:
        axis = np.linspace(-1, 1, self.grid)
        cube = np.array([*product(axis, repeat=self.n_classes * self.n_features)])
        ball = cube[np.linalg.norm(cube, axis=1) <= 1 + 1e-12]
        return np.asarray(self.radius * ball.reshape(-1, self.n_classes, self.n_features))

    def _log_likelihoods(self, x: Array) -> Array:
        """ln p_k(U) for every grid point U, shape (N, K)."""
        with np.errstate(over="ignore"):
            scores = self.points @ x
        return log_probabilities(scores)

    def _logarithms(self, x: Array) -> Array:
        return np.asarray(logsumexp(self.log_weights[:, None] + self._log_likelihoods(x), axis=0))

    def _learn_label(self, prediction: Estimate, label: int) -> None:
        joint = self.log_weights + self._log_likelihoods(prediction.x)[:, label]
        self.log_weights = np.maximum(joint - logsumexp(joint), -LARGEST)
