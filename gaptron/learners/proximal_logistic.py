"""Proximal steps on the logistic loss, decoded by their envelopes: the best that is proved here, for any K."""

from gaptron.learners.arithmetic import Seed
from gaptron.learners.gaptron import Gaptron
from gaptron.numbers.kinds import Number


class ProximalLogistic(Gaptron):
    """Online multiclass classification with a regret that no algorithm beats, and that does not grow with K.

    For every stream with ||x_t|| <= X, every horizon and every matrix U, with full information,

        E[mistakes] <= sum_t -log2 p_t(U) + c X^2 ||U||^2,    c = 0.18645264,

    p_t(U) the softmax probability of the true label at the scores U x_t and ||U|| the Frobenius norm. The adversary may
    look at past draws. c is the optimal constant of the logistic loss, rounded upwards in the last digit: no algorithm
    has a c below 0.18645259, whatever K >= 2 (``docs/optimal_constant.md``). The step is
    W <- argmin_V -log2 p(V x) + c X^2 ||V - W||^2. With e_k the least of what is minimised if the label is k, it
    predicts label k with probability max(0, 1 - e_k), the top label with what is left besides.

    It is ``Gaptron`` with ``loss="logistic"`` and ``update="proximal"``, and has its attributes and methods.

    Parameters
    ----------
    n_classes : int >= 2
        K; labels are 0..K-1.
    n_features : int >= 1
        d.
    feature_norm : number > 0
        X, a bound on ||x||.
    exact : bool
        Compute with balls instead of doubles.
    seed : int, numpy.random.Generator or None
        Where the draws come from.

    Raises
    ------
    ValueError
        If an argument is not as above; in a round, if ||x|| > X.

    Examples
    --------
    >>> from gaptron.learners import ProximalLogistic
    >>> learner = ProximalLogistic(n_classes=3, n_features=2, seed=0)
    >>> learner.predict_proba([1, 0])
    array([0.61453948, 0.19273026, 0.19273026])
    >>> round(learner.run([[1, 0], [0, 1], [1, 0]], [2, 1, 2]).expected_mistakes, 3)
    1.615
    """

    def __init__(
        self, n_classes: int, n_features: int, *, feature_norm: Number = 1, exact: bool = False, seed: Seed = None
    ) -> None:
        super().__init__(
            n_classes, n_features, loss="logistic", update="proximal", feature_norm=feature_norm, exact=exact, seed=seed
        )
