"""The Banditron: the Perceptron with bandit feedback."""

from gaptron.learners.arithmetic import Seed
from gaptron.learners.learner import Mixture
from gaptron.learners.perceptron import Perceptron
from gaptron.numbers.kinds import Number
from gaptron.system import checks


class Banditron(Perceptron):
    """The Banditron (Kakade, Shalev-Shwartz, Tewari 2008), bandit feedback; a round costs O(dK).

    yhat is the lowest index among the largest of W x; draw r from P = (1 - gamma) e_yhat + gamma/K; then
    W^k += x (1[r = y] 1[k = r]/P(r) - 1[k = yhat]), whose expectation is the Perceptron's update.

    Parameters
    ----------
    n_classes : int >= 2
        K; labels are 0..K-1.
    n_features : int >= 1
        d.
    exploration : number in [0, 1], optional
        gamma. Default: min(1, (K D^2 X^2/(4 T))^{1/3}), which minimises gamma T + D X sqrt(K T/gamma), the terms
        of the mistake bound that count when the comparator's loss is of order T.
    horizon : int >= 1, optional
        T, used by the default exploration only.
    radius : number > 0
        D, a bound on the comparator's norm, used by the default exploration only: W is not projected.
    feature_norm : number > 0
        X, a bound on ||x||, used by the default exploration only.
    exact : bool
        Compute with fractions instead of doubles; ``W`` and every result are then object arrays.
    seed : int, numpy.random.Generator or None
        Where the draws come from.

    Attributes
    ----------
    W : (K, d) array
        The weights, zero at first.
    exploration : float or Fraction
        gamma as used.
    rng : numpy.random.Generator

    Notes
    -----
    The default gives an excess of O((K D^2 X^2)^{1/3} T^{2/3}) mistakes. Table 1 of van der Hoeven 2020 prints
    (D K)^{1/3} T^{2/3}, which agrees only if its D is a bound on the squared norm.
    The loss reported by ``run`` is the hinge loss max{1 - m(W, y), 0}.

    Raises
    ------
    ValueError
        If an argument is not as above, or neither exploration nor horizon is given.

    Examples
    --------
    >>> from gaptron.learners import Banditron
    >>> Banditron(n_classes=3, n_features=2, exploration=0.3, seed=0).predict_proba([1, 0]).round(2)
    array([0.8, 0.1, 0.1])
    """

    feedback = "bandit"

    def __init__(
        self,
        n_classes: int,
        n_features: int,
        *,
        exploration: Number | None = None,
        horizon: int | None = None,
        radius: float = 1,
        feature_norm: float = 1,
        exact: bool = False,
        seed: Seed = None,
    ) -> None:
        super().__init__(n_classes, n_features, exact=exact, seed=seed)
        self.horizon = None if horizon is None else checks.integer(horizon, "horizon", 1)
        self.radius = checks.positive(radius, "radius")
        self.feature_norm = checks.positive(feature_norm, "feature_norm")
        given = self._default_exploration() if exploration is None else exploration
        self.exploration = self._arithmetic.number(checks.fraction_of_one(given, "exploration"))

    def _default_exploration(self) -> float:
        if self.horizon is None:
            raise ValueError("exploration = None, horizon = None: one of them must be given")
        K, D, X, T = self.n_classes, float(self.radius), float(self.feature_norm), self.horizon
        return min(1.0, float((K * (D * X) ** 2 / (4 * T)) ** (1 / 3)))

    def _learn_correct(self, prediction: Mixture, drawn: int, correct: bool, probability: Number) -> None:
        weights: dict[int, Number] = {prediction.top: -1}
        if correct:
            weights[drawn] = weights.get(drawn, 0) + 1 / probability
        self._add(prediction.x, weights)
