"""Gradient descent on the squared hinge loss with gated exploration; a simulation, as it is told the comparator."""

import math

import numpy as np

from gaptron.learners.arithmetic import Arithmetic, Array, Seed, require_finite
from gaptron.learners.learner import Learner, Mixture
from gaptron.learners.rank_one import grown_inverse
from gaptron.numbers.kinds import Number
from gaptron.rounds import RoundAt
from gaptron.rounds.exact import surrogate_of
from gaptron.rounds.layouts import VECTORS
from gaptron.system import checks
from gaptron.system.checks import Given
from gaptron.theory.by_name import SQUARED_HINGE

ROUNDING = 1e-12


class BanditGradientDescent(Learner):
    """For simulations only: its gate uses W*, which no learner has (Bandit Multiclass Classification, Algorithm 4).

    If ||x||_{M^{-1}} >= epsilon and ||W - W*||_F >= gate, guess uniformly; else predict yhat, the lowest index among
    the largest of W x. If the prediction was right, M += loss(W) x x' and W <- the projection of
    W - eta grad loss(W) on {||W^k|| <= D for every row k}, where loss(W) = (max{1 - m(W, y), 0})^2. At first M = I
    and W = 0. A round costs O(dK + d^2).

    Parameters
    ----------
    n_classes : int >= 2
        K; labels are 0..K-1.
    n_features : int >= 1
        d; the notes assume ||x|| <= 1, which is not enforced.
    W_star : (K, d) array of finite numbers
        W*, whose loss the notes assume to be zero on every round; its rows must have norm at most D.
    radius : number > 0
        D; the notes take D >= 2.
    epsilon : number > 0, optional
        Default: 1/(4D sqrt(32 K^3 D^4)), as in Lemma 9.
    gate : number > 0 or None
        As printed, 1. None: no gate, W* is not used.
    learning_rate : number > 0
        eta, as printed 1/8.
    seed : int, numpy.random.Generator or None
        Where the draws come from.

    Attributes
    ----------
    W : (K, d) array
        The weights, zero at first.
    P : (d, d) array
        M^{-1}, by rank-one updates.
    epsilon : float
        As used.
    rng : numpy.random.Generator

    Notes
    -----
    The subgradient at a tie of rivals takes the one of lowest index. The notes mark the section as unfinished and
    leave the mistake bound open. The loss reported by ``run`` is loss(W).

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> from gaptron.learners import BanditGradientDescent
    >>> learner = BanditGradientDescent(n_classes=2, n_features=2, W_star=[[1, 0], [0, 1]], seed=0)
    >>> learner.predict_proba([1, 0])
    array([0.5, 0.5])
    """

    STATE = ("W", "P")
    feedback = "bandit"
    learns_when_wrong = False

    def __init__(
        self,
        n_classes: int,
        n_features: int,
        *,
        W_star: Given,
        radius: float = 2,
        epsilon: float | None = None,
        gate: float | None = 1,
        learning_rate: float = 1 / 8,
        seed: Seed = None,
    ) -> None:
        super().__init__(n_classes, n_features, seed)
        self.radius = float(checks.positive(radius, "radius"))
        self.W_star = self._checked_comparator(W_star)
        if epsilon is None:
            epsilon = 1 / (4 * self.radius * math.sqrt(32 * self.n_classes**3 * self.radius**4))
        self.epsilon = float(checks.positive(epsilon, "epsilon"))
        self.gate = None if gate is None else float(checks.positive(gate, "gate"))
        self.learning_rate = float(checks.positive(learning_rate, "learning_rate"))
        self.W = np.zeros((self.n_classes, self.n_features))
        self.P = np.eye(self.n_features)

    def _checked_comparator(self, W_star: Given) -> Array:
        comparator = Arithmetic().array(W_star, "W_star", (self.n_classes, self.n_features)).copy()
        largest = np.linalg.norm(comparator, axis=1).max()
        if largest > self.radius * (1 + ROUNDING):
            raise ValueError(f"W_star has a row of norm {largest}: it must be at most radius = {self.radius}")
        return comparator

    def _prediction(self, x: Array) -> Mixture:
        scores = self._arithmetic.scores(self.W, x)
        uniform = 1.0 if self._explores(x) else 0.0
        return Mixture(x, scores, self._arithmetic.top(scores), uniform, self.n_classes)

    def _explores(self, x: Array) -> bool:
        with np.errstate(over="ignore", invalid="ignore"):
            is_new = not float(x @ self.P @ x) < self.epsilon**2
        return is_new and (self.gate is None or bool(np.linalg.norm(self.W - self.W_star) >= self.gate))

    def _loss(self, prediction: Mixture, label: int) -> tuple[Number, bool]:
        return squared_hinge(prediction.scores).value(label), False

    def _learn_correct(self, prediction: Mixture, drawn: int, correct: bool, probability: Number) -> None:
        if correct:
            with np.errstate(over="ignore", invalid="ignore"):
                found, x = squared_hinge(prediction.scores), prediction.x
                P, _ = grown_inverse(self.P, x, found.value(drawn))
                moved = self.W - self.learning_rate * np.outer(found.slopes(drawn), x)
                require_finite(P, moved)
                self.W, self.P = clipped(moved, self.radius), P


def squared_hinge(scores: Array) -> RoundAt:
    """(max{1 - m, 0})^2, m the margin of a label, at these (K,) scores."""
    return surrogate_of(SQUARED_HINGE, len(scores), VECTORS).at(scores)


def clipped(W: Array, radius: float) -> Array:
    """The nearest matrix whose rows have norm at most ``radius``."""
    norms: Array = np.hypot.reduce(W, axis=1, keepdims=True)
    require_finite(norms)
    return np.asarray(W * np.minimum(1, radius / np.maximum(norms, radius)))
