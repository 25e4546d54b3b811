"""AdaHedge with abstention: the algorithm that Gaptron is modelled on (van der Hoeven's slides)."""

import math
from typing import Any

import numpy as np

from gaptron.learners.abstention import AbstainingLearner, Abstention, cost_below
from gaptron.learners.arithmetic import Arithmetic, Array, Seed
from gaptron.learners.record import Run
from gaptron.numbers.kinds import Number
from gaptron.system import checks
from gaptron.system.checks import Given


class ExpertPredictions(Arithmetic):
    """Doubles in [-1, 1]."""

    def array(self, values: Given, argument: str, shape: tuple[int, ...]) -> Array:
        """``values`` as a float array; ValueError unless it has this shape and is within [-1, 1]."""
        array = super().array(values, argument, shape)
        outside = np.argwhere(np.abs(array) > 1)
        if len(outside):
            where = outside[0].tolist()
            raise ValueError(f"{argument}{where} = {array[tuple(where)]} is not an expert's prediction in [-1, 1]")
        return array


class AbstainingAdaHedge(AbstainingLearner):
    """Prediction with N experts in [-1, 1] that abstains when they disagree; constant regret for a cost c < 1/2.

    A round (slides, "Inspiration from classification with abstention"; Neu, Zhivotovskiy 2020) costs O(N): v = <p, x>,
    x the experts' predictions and p AdaHedge's distribution; abstain with probability 1 - |v|, else predict sign v
    (+1 at v = 0); send the losses (1 - y x_i)/2 to AdaHedge. With y = -1 or 1, and for every expert i,

        E[wrong labels + c abstentions] <= sum (1 - y_t x_ti)/2 + ln(N)/(1 - 2 c) + (4/3) ln(N) + 2.

    AdaHedge (de Rooij, van Erven, Grunwald, Koolen 2014): p is proportional to exp(-eta L), L the experts' cumulative
    losses, eta = ln(N)/Delta, Delta the sum of hedge loss <p, l> minus mix loss -ln(<p, exp(-eta l)>)/eta; with
    Delta = 0, eta is infinite: p is uniform on the leaders, and the mix loss is the increase of the least L.

    Parameters
    ----------
    n_features : int >= 1
        N, the number of experts.
    abstention_cost : number in [0, 1/2)
        c. The algorithm does not use it; the bound and the costs of a run do. The slides let it change from round to
        round; it is constant here.
    seed : int, numpy.random.Generator or None
        Where the draws come from.

    Attributes
    ----------
    L : (N,) array
        The cumulative losses, minus the least of them.
    Delta : float
        The cumulative mixability gap.
    abstain : int
        2, what ``predict`` returns to abstain.
    rng : numpy.random.Generator

    Notes
    -----
    The features x of a round are the experts' predictions. Labels are 0 (the sign +1) and 1 (the sign -1), and
    ``predict_proba`` is the distribution over +1, -1 and abstaining. The loss of a run is (1 - y v)/2.

    Raises
    ------
    ValueError
        If an argument is not as above; in every method also if an expert's prediction is not in [-1, 1].

    Examples
    --------
    >>> from gaptron.learners import AbstainingAdaHedge
    >>> learner = AbstainingAdaHedge(n_features=2, abstention_cost=0.25, seed=0)
    >>> learner.predict_proba([1, -1])
    array([0., 0., 1.])
    """

    STATE = ("L", "Delta")
    n_classes = 2
    _arithmetic = ExpertPredictions()

    def __init__(self, n_features: int, *, abstention_cost: Number = 0.25, seed: Seed = None) -> None:
        self.n_features = checks.integer(n_features, "n_features", 1)
        self.abstention_cost = cost_below(abstention_cost, 0.5)
        self.L = np.zeros(self.n_features)
        self.Delta = 0.0
        self.rng = checks.generator(seed)

    @property
    def eta(self) -> float:
        """AdaHedge's learning rate ln(N)/Delta, infinite at Delta = 0."""
        return math.log(self.n_features) / self.Delta if self.Delta > 0 else math.inf

    @property
    def p(self) -> Array:
        """AdaHedge's distribution on the experts, shape (N,)."""
        weights = self._weights(self.L)
        return np.asarray(weights / weights.sum())

    def _run(self, X: Given, y: Given) -> Run:
        # dense, so that all of it is checked before anything is learned
        return super()._run(X.toarray() if hasattr(X, "tocsr") else X, y)

    def _weights(self, L: Array) -> Array:
        """exp(-eta (L - min L)); at infinite eta, 1 on the leaders and 0 elsewhere."""
        behind = L - L.min()
        if math.isinf(self.eta):
            return np.asarray((behind == 0).astype(float))
        with np.errstate(over="ignore"):
            weights: Array = np.exp(-self.eta * behind)
        return weights

    def _prediction(self, x: Array) -> Abstention:
        v = float(np.clip(self.p @ x, -1, 1))
        return Abstention.at(x, np.array([v, 0.0]), int(v < 0), 1 - abs(v))

    def _loss(self, prediction: Abstention, label: int) -> tuple[float, bool]:
        return _losses(prediction.scores[0], label), False

    def _learn_label(self, prediction: Abstention, label: int) -> None:
        losses = _losses(prediction.x, label)
        L = self.L + losses
        ratio = self._weights(L).sum() / self._weights(self.L).sum()
        mix_loss = float(L.min()) - (0.0 if math.isinf(self.eta) else math.log(ratio) / self.eta)  # before, min L = 0
        gap = float(self.p @ losses) - mix_loss
        self.L, self.Delta = L - L.min(), self.Delta + max(gap, 0.0)


def _losses(predictions: Any, label: int) -> Any:
    """(1 - y v)/2 for predictions v, y = 1 for label 0 and -1 for label 1."""
    return (1 - (1 - 2 * label) * predictions) / 2
