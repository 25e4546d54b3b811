"""Gaptron that abstains instead of guessing (van der Hoeven's slides, abstention)."""

from fractions import Fraction
from typing import Any

from gaptron.learners.abstention import AbstainingLearner, Abstention, cost_below
from gaptron.learners.arithmetic import Array, Seed
from gaptron.learners.gaptron import Gaptron
from gaptron.numbers.kinds import Number
from gaptron.theory import by_name


class AbstainingGaptron(AbstainingLearner, Gaptron):
    """Gaptron that abstains at a cost c < 1 instead of guessing; its surrogate regret does not grow with K.

    A round (slides, "Inspiration from classification with abstention", last slide; van der Hoeven 2020,
    Algorithm 1): scores W x; y* the lowest index among the largest; with probability a (the gap map) abstain, else
    predict y*; W <- W - eta g. A round costs O(dK). For every U,

        E[wrong labels + c abstentions] <= sum loss_t(U) + regret X^2 ||U||^2,

    where loss_t(U) = 0 on the rounds on which the hinge loss was off.

    Parameters
    ----------
    n_classes : int >= 2
        K; labels are 0..K-1, and K stands for abstaining.
    n_features : int >= 1
        d.
    loss : "logistic", "hinge" or "smooth hinge"
        Equations (1)-(3) of van der Hoeven 2020 with the gap maps of its Theorems 1-3; the hinge loss is off
        above beta = (1 - c)/(2 - c) instead of 1/K.
    abstention_cost : number in [0, 1)
        c. The slides let it change from round to round and bound the regret by the largest; it is constant here.
    learning_rate : number > 0, optional
        eta as used in the step. Default: (1 - c) ln(2)/2 (logistic), beta (hinge) or (1 - c)/4 (smooth hinge),
        divided by feature_norm^2; the regret is then 1/((1 - c) ln 2), (2 - c)/(2 (1 - c)) or 2/(1 - c). The
        slides state the order 1/(1 - c); the constants are those of the theorems shipped in
        ``proofs/slides/abstention_losses.py``, which are proved for c up to 99/100.
    feature_norm : number > 0
        X, a bound on ||x||: assumed by the theorem, not enforced.
    seed : int, numpy.random.Generator or None
        Where the draws come from.

    Attributes
    ----------
    W : (K, d) array
        The weights, zero at first.
    abstain : int
        K, what ``predict`` returns to abstain.
    learning_rate : float
        eta, 1/X^2 included.
    surrogate
        The loss and the gap map: ``gap``, ``value``, ``score_gradient``, ``learning_rate``, ``regret``.
    rng : numpy.random.Generator

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> from gaptron.learners import AbstainingGaptron
    >>> learner = AbstainingGaptron(n_classes=3, n_features=2, abstention_cost=0.5, seed=0)
    >>> learner.predict_proba([1, 0])
    array([0., 0., 0., 1.])
    """

    STATE = ("W",)

    def __init__(
        self,
        n_classes: int,
        n_features: int,
        *,
        loss: str = "smooth hinge",
        abstention_cost: Number = 0.5,
        learning_rate: Number | None = None,
        feature_norm: Number = 1,
        seed: Seed = None,
    ) -> None:
        self.abstention_cost = cost_below(abstention_cost, 1)
        theorem = by_name.abstaining_theorem(loss, Fraction(str(self.abstention_cost)))
        super().__init__(
            n_classes, n_features, loss=theorem, learning_rate=learning_rate, feature_norm=feature_norm, seed=seed
        )
        self.loss_given = loss

    def _prediction(self, x: Array) -> Any:
        mixture = self._mixed(x)
        return Abstention.at(mixture.x, mixture.scores, mixture.top, mixture.uniform, mixture.seen)
