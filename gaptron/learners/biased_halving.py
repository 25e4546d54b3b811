"""Biased halving: the version space shrinks by little when guessing is right, by much when the favourite is wrong."""

import math

import numpy as np

from gaptron.learners.arithmetic import Arithmetic, Array, Seed
from gaptron.learners.learner import Learner, Mixture
from gaptron.numbers.kinds import Number
from gaptron.system import checks
from gaptron.system.checks import Given


class BiasedHalving(Learner):
    """Bandit feedback on a finite pool of classifiers (Bandit Multiclass Classification, Algorithm 2).

    Omega(i|x) is the set of the W in Omega with (W x)_i >= (W x)_j for all j. Greedy rounds: if the largest
    |Omega(i|x)|/|Omega| is at least 1 - alpha, predict its i; if that was wrong, Omega loses Omega(i|x). Other
    rounds: guess uniformly; if label i was right, Omega becomes Omega(i|x). A round costs O(NdK), N the pool's size.

    Parameters
    ----------
    n_classes : int >= 2
        K; labels are 0..K-1.
    n_features : int >= 1
        d.
    pool : (N, K, d) array of finite numbers, N >= 1
        The first Omega; |.| counts its members, exactly.
    alpha : number in (0, 1), optional
        Default: exp(-sqrt(ln N)), the balance in the notes; 1/2 if N = 1.
    seed : int, numpy.random.Generator or None
        Where the draws come from.

    Attributes
    ----------
    pool : (N, K, d) array
    alive : (N,) bool array
        Which members are still in Omega.
    rng : numpy.random.Generator

    Notes
    -----
    The notes take the volume of a set of matrices, which cannot be computed in general; a finite pool can stand for
    a grid on it. Their line 7 compares an argmax with 1 - alpha: the largest share is meant, and i is where it is,
    the lowest index on ties. A member that is tied between the right label and another at some x may be removed on a
    mistake: only one whose scores have a single largest entry, at the right label, on every round is sure to stay.
    With such a member, at most ln N/ln(1/alpha) greedy rounds are wrong and at most ln N/ln(1/(1 - alpha)) guesses
    are right. Without one Omega can become empty: every round is a guess from then on.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> from gaptron.learners import BiasedHalving
    >>> pool = [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]
    >>> BiasedHalving(n_classes=2, n_features=2, pool=pool, alpha=0.25, seed=0).predict_proba([1, 0])
    array([0.5, 0.5])
    """

    STATE = ("alive",)
    feedback = "bandit"

    def __init__(
        self, n_classes: int, n_features: int, *, pool: Given, alpha: float | None = None, seed: Seed = None
    ) -> None:
        super().__init__(n_classes, n_features, seed)
        self.pool = self._checked_pool(pool)
        balance = math.exp(-math.sqrt(math.log(len(self.pool)))) if len(self.pool) > 1 else 0.5
        self.alpha = balance if alpha is None else float(checks.positive(alpha, "alpha"))
        if self.alpha >= 1:
            raise ValueError(f"alpha = {self.alpha}: it must be less than 1")
        self.alive = np.ones(len(self.pool), dtype=bool)

    def _checked_pool(self, pool: Given) -> Array:
        n_members = checks.length(pool, "pool")
        if n_members == 0:
            raise ValueError("pool = []: it must hold at least one member")
        return Arithmetic().array(pool, "pool", (n_members, self.n_classes, self.n_features)).copy()

    def _members(self, x: Array) -> Array:
        """Whether a member of Omega is in Omega(i|x), shape (K, |Omega|)."""
        rows = self.pool[self.alive].reshape(-1, self.n_features)
        scores = self._arithmetic.scores(rows, x).reshape(-1, self.n_classes)
        return np.asarray(scores.T == scores.max(axis=1))

    def _prediction(self, x: Array) -> Mixture:
        """The scores of the mixture are the |Omega(i|x)|."""
        counts = self._members(x).sum(axis=1).astype(float)
        top = self._arithmetic.top(counts)
        greedy = counts[top] > 0 and counts[top] >= (1 - self.alpha) * self.alive.sum()
        return Mixture(x, counts, top, 0.0 if greedy else 1.0, self.n_classes)

    def _learn_correct(self, prediction: Mixture, drawn: int, correct: bool, probability: Number) -> None:
        greedy = prediction.uniform == 0
        if greedy != correct:
            inside = self._members(prediction.x)[drawn]
            self.alive[self.alive] = inside if correct else ~inside
