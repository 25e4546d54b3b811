"""The second-order Perceptron for any number of classes, full and diagonal."""

import numpy as np

from gaptron.learners.arithmetic import Seed, require_finite
from gaptron.learners.learner import Mixture
from gaptron.learners.perceptron import Perceptron
from gaptron.learners.rank_one import grown_inverse, scaled_identity
from gaptron.system import checks


class SecondOrderPerceptron(Perceptron):
    """The deterministic second-order Perceptron; a round costs O((dK)^2), or O(dK) if ``diagonal``.

    Predict yhat, the lowest index among the largest of W x. On a mistake, with z = (e_yhat - e_y) (x) x in
    R^{Kd}: A += z z', theta -= z and W = A^{-1} theta; A = a I and theta = 0 at first.

    Parameters
    ----------
    n_classes : int >= 2
        K; labels are 0..K-1.
    n_features : int >= 1
        d.
    a : number > 0
        The regularizer; 1 as SOBA in the experiments of Beygelzimer, Orabona, Zhang 2017.
    diagonal : bool
        Keep only the diagonal of A.
    exact : bool
        Compute with fractions instead of doubles; ``W`` and every result are then object arrays.
    seed : int, numpy.random.Generator or None
        Not used: nothing is random.

    Attributes
    ----------
    W, theta : (K, d) array
        The weights and the sum of Perceptron updates.
    P : (K d, K d) or (K d,) array
        A^{-1}, or its diagonal; blocks of d entries, one a class.

    Notes
    -----
    No document prints the multiclass algorithm. This is the full-information form of SOBA (Beygelzimer et al.
    2017, Algorithm 1), without its updates on small margins; for K = 2 it is the binary algorithm of
    Cesa-Bianchi et al. 2005 with W = (-w, w)/sqrt(2) and x scaled by sqrt(2): w grows by
    + (1 - y w'x) A^{-1} y x/(1 + x'A^{-1}x). (Orabona et al. 2012 print the step with the other sign.)
    The loss reported by ``run`` is the hinge loss max{1 - m(W, y), 0}.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> from gaptron.learners import SecondOrderPerceptron
    >>> learner = SecondOrderPerceptron(n_classes=3, n_features=2)
    >>> learner.run([[1, 0], [0, 1], [1, 0]], [2, 1, 2]).mistakes
    2
    """

    STATE = ("W", "theta", "P")

    def __init__(
        self,
        n_classes: int,
        n_features: int,
        *,
        a: float = 1,
        diagonal: bool = False,
        exact: bool = False,
        seed: Seed = None,
    ) -> None:
        super().__init__(n_classes, n_features, exact=exact, seed=seed)
        self.a = checks.positive(a, "a")
        self.diagonal = checks.flag(diagonal, "diagonal")
        self.theta = self.W.copy()
        self.P = scaled_identity(self.W.size, self._arithmetic, self.a, diagonal=self.diagonal)

    def _learn_label(self, prediction: Mixture, label: int) -> None:
        if label == prediction.top:
            return
        z = np.zeros_like(self.W)
        z[prediction.top], z[label] = prediction.x, -prediction.x
        with np.errstate(over="ignore", invalid="ignore"):
            theta = self.theta - z
            P, _ = grown_inverse(self.P, z.ravel())
            w = P * theta.ravel() if self.diagonal else P @ theta.ravel()
        require_finite(P, theta, w)
        self.W, self.theta, self.P = w.reshape(theta.shape), theta, P
