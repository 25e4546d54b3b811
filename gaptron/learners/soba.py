"""SOBA, the second-order Banditron: full, diagonal, and with adaptive exploration."""

import math
from dataclasses import dataclass

import numpy as np

from gaptron.learners.arithmetic import Array, Seed, require_finite
from gaptron.learners.learner import Learner, Mixture
from gaptron.learners.perceptron import arithmetic
from gaptron.learners.rank_one import grown_inverse, scaled_identity
from gaptron.numbers.kinds import Number
from gaptron.rounds import margin as margin_of
from gaptron.rounds import margin_and_rival
from gaptron.system import checks


@dataclass(frozen=True)
class SobaStep:
    """What a correct round would add: v = (e_ybar - e_y) (x) x, given by its entries, and 1/p_y."""

    entries: Array
    v: Array
    weight: Number
    mu: Number


class SOBA(Learner):
    """Bandit feedback, updates on correct rounds only (Beygelzimer, Orabona, Zhang 2017, Algorithm 1).

    yhat is the lowest index among the largest of W x; draw from p = (1 - gamma) e_yhat + gamma/K. If it was wrong,
    nothing is learned. If it was right, with ybar the best other label, v = (e_ybar - e_y) (x) x, g = v/p_y,
    z = v/sqrt(p_y) and m = (<W, z>^2 + 2 <W, g>)/(1 + z'A^{-1}z): if S + m >= 0, then A += z z', theta -= g,
    W = A^{-1} theta and S += m. At first A = a I, theta = 0 and S = 0. A round costs O((dK)^2), by rank-one
    updates of A^{-1}; or O(dK) if ``diagonal``, as SOBAdiag in section 5.

    Parameters
    ----------
    n_classes : int >= 2
        K; labels are 0..K-1.
    n_features : int >= 1
        d.
    exploration : number in [0, 1], optional
        gamma; it goes with ``adaptive = False`` only. Default: min(1, sqrt(d K^2 ln(1 + 2T/(dK))/T)), which
        minimises Theorem 3's last term at eta = 1, a = X^2, plus gamma T. It is of the order of Theorem 2's.
    regularizer : number > 0
        a. Theorem 2 takes X^2, the experiments 1.
    diagonal : bool
        Keep only the diagonal of A, so that W = theta/diag(A) entry by entry.
    adaptive : bool
        In round t explore with gamma_t = min(sqrt(K (1 + Q)/t), 1) (appendix A).
    horizon : int >= 1, optional
        T, used by the default exploration only.
    exact : bool
        Compute with fractions instead of doubles, not with ``adaptive``; ``W`` and every result are then object arrays.
    seed : int, numpy.random.Generator or None
        Where the draws come from.

    Attributes
    ----------
    W, theta : (K, d) array
        The weights and the sum of the -g, zero at first.
    P : (K d, K d) or (K d,) array
        A^{-1}, or the inverse of its diagonal; blocks of d entries, one a class.
    exploration : float or None
        gamma as used; None if ``adaptive``.
    margin_sum : float
        S, the sum of the m of the updates; never negative.
    quadratic_sum : float
        Q, the sum of z'A^{-1}z over the updates, A taken after each.
    n_rounds : int
        The number of rounds learned from, right or wrong.
    rng : numpy.random.Generator

    Notes
    -----
    Rounds without an update count neither in S nor in Q: with the n_t that the paper's formula for gamma_t omits,
    every summand of Q is at most 1. <W, v> is the difference of two scores of the round. So it is not negative when
    yhat != y, nor is m, in floating point either, and the update is made then, as the paper's proof of Lemma 1 says.
    The paper says of SOBAdiag only that it keeps the diagonal of A: everything else is taken over from Algorithm 1.
    The family of losses in the guarantee is no part of the algorithm: ``run`` reports none.

    Raises
    ------
    ValueError
        If an argument is not as above, exploration is given together with ``adaptive = True``, or it is neither
        given nor adaptive and there is no horizon.

    Examples
    --------
    >>> from gaptron.learners import SOBA
    >>> learner = SOBA(n_classes=3, n_features=2, exploration=0.3, seed=0)
    >>> learner.predict_proba([1, 0]).round(2)
    array([0.8, 0.1, 0.1])
    """

    STATE = ("W", "theta", "P", "margin_sum", "quadratic_sum", "n_rounds")
    feedback = "bandit"

    def __init__(
        self,
        n_classes: int,
        n_features: int,
        *,
        exploration: Number | None = None,
        regularizer: Number = 1,
        diagonal: bool = False,
        adaptive: bool = False,
        horizon: int | None = None,
        exact: bool = False,
        seed: Seed = None,
    ) -> None:
        super().__init__(n_classes, n_features, seed)
        self.exact = checks.flag(exact, "exact")
        self._arithmetic = arithmetic(self.exact)
        self.regularizer = self._arithmetic.number(checks.positive(regularizer, "regularizer"))
        self.diagonal = checks.flag(diagonal, "diagonal")
        self.adaptive = checks.flag(adaptive, "adaptive")
        self.horizon = None if horizon is None else checks.integer(horizon, "horizon", 1)
        self.exploration = self._fixed_exploration(exploration)
        self.W = self._arithmetic.zeros((self.n_classes, self.n_features))
        self.theta = self.W.copy()
        self.P = scaled_identity(self.W.size, self._arithmetic, self.regularizer, diagonal=self.diagonal)
        self.margin_sum = self._arithmetic.number(0)
        self.quadratic_sum = self._arithmetic.number(0)
        self.n_rounds = 0

    # --- exploration --------------------------------------------------------------------------------------------

    def _fixed_exploration(self, given: Number) -> Number:
        if self.adaptive:
            if self.exact:
                raise ValueError("exact = True: with adaptive = True it must be False (exploration needs roots)")
            if given is not None:
                raise ValueError(f"exploration = {given!r}: with adaptive = True it must be None")
            return None
        rate = self._default_exploration() if given is None else checks.fraction_of_one(given, "exploration")
        return self._arithmetic.number(rate)

    def _default_exploration(self) -> float:
        if self.horizon is None:
            raise ValueError("exploration = None, horizon = None: without adaptive = True, one of them must be given")
        K, d, T = self.n_classes, self.n_features, self.horizon
        return min(1.0, K * math.sqrt(d * math.log1p(2 * T / (d * K)) / T))

    def _exploration(self) -> Number:
        if self.exploration is not None:
            return self.exploration
        return min(1.0, math.sqrt(self.n_classes * (1 + self.quadratic_sum) / (self.n_rounds + 1)))

    # --- rounds -------------------------------------------------------------------------------------------------

    def _prediction(self, x: Array) -> Mixture:
        scores = self._arithmetic.scores(self.W, x)
        return Mixture(x, scores, self._arithmetic.top(scores), self._exploration(), self.n_classes)

    def _learn_correct(self, prediction: Mixture, drawn: int, correct: bool, probability: Number) -> None:
        if correct:
            with np.errstate(over="ignore", invalid="ignore"):
                self._consider(self._step(prediction, drawn, 1 / self._arithmetic.number(probability)))
        self.n_rounds += 1

    def _step(self, prediction: Mixture, label: int, weight: float) -> SobaStep:
        margin, rival = (margin_of if self.exact else margin_and_rival)(prediction.scores, label)
        entries = np.add.outer(np.array([rival, label]) * self.n_features, np.arange(self.n_features)).ravel()
        return SobaStep(entries, np.concatenate([prediction.x, -prediction.x]), weight, -margin)

    def _consider(self, step: SobaStep) -> None:
        """Update if S + m >= 0."""
        margin_sum = self.margin_sum + self._margin(step)
        require_finite(margin_sum)
        if margin_sum >= 0:
            (self._grow_diagonal if self.diagonal else self._grow)(step)
            self.margin_sum = self._arithmetic.number(margin_sum)

    def _margin(self, step: SobaStep) -> Number:
        """m: <W, z>^2 = mu^2/p and <W, g> = mu/p."""
        return step.weight * step.mu * (step.mu + 2) / (1 + step.weight * self._quadratic(step))

    def _quadratic(self, step: SobaStep) -> Number:
        """v'A^{-1}v."""
        if self.diagonal:
            return step.v @ (self.P[step.entries] * step.v)
        return max(step.v @ self.P[np.ix_(step.entries, step.entries)] @ step.v, 0)

    def _grow(self, step: SobaStep) -> None:
        v = self._arithmetic.zeros((self.W.size,))
        v[step.entries] = step.v
        P, u = grown_inverse(self.P, v, step.weight)
        W = self.W - (step.weight * (step.mu + 1) * u).reshape(self.W.shape)
        theta = self.theta - (step.weight * v).reshape(self.W.shape)
        require_finite(P, W, theta)
        self.W, self.theta, self.P = W, theta, P
        self.quadratic_sum += step.weight * self._arithmetic.number(v @ u)

    def _grow_diagonal(self, step: SobaStep) -> None:
        P, u = grown_inverse(self.P[step.entries], step.v, step.weight)
        theta = self.theta.flat[step.entries] - step.weight * step.v
        W = P * theta
        require_finite(W, theta)
        self.W.flat[step.entries], self.theta.flat[step.entries], self.P[step.entries] = W, theta, P
        self.quadratic_sum += step.weight * self._arithmetic.number(step.v @ u)
