"""The multiclass Perceptron, the full-information baseline of the documents."""

from fractions import Fraction

import numpy as np

from gaptron.learners.arithmetic import Arithmetic, Array, ExactArrays, Seed, require_finite
from gaptron.learners.learner import Learner, Mixture
from gaptron.learners.record import Run
from gaptron.numbers.kinds import Number
from gaptron.rounds.exact import surrogate_of, value
from gaptron.rounds.layouts import VECTORS
from gaptron.system import checks
from gaptron.system.checks import Given
from gaptron.theory.by_name import HINGE


class Perceptron(Learner):
    """The deterministic multiclass Perceptron; a round costs O(dK).

    Predict yhat, the lowest index among the largest of W x; if it is wrong, W^y += x and W^yhat -= x
    (Crammer and Singer 2003, as described in Beygelzimer, Orabona, Zhang 2017, section 3 and appendix B).

    Parameters
    ----------
    n_classes : int >= 2
        K; labels are 0..K-1.
    n_features : int >= 1
        d.
    exact : bool
        Compute with fractions instead of doubles; ``W`` and every result are then object arrays.
    seed : int, numpy.random.Generator or None
        Not used: nothing is random.

    Attributes
    ----------
    W : (K, d) array
        The weights, zero at first.

    Notes
    -----
    For every U, with L the sum of its multiclass hinge losses and X >= ||x_t|| (Beygelzimer et al. 2017,
    Theorem 1, q = 1): M_T <= L + 2 X^2 ||U||^2 + sqrt(2) X ||U|| sqrt(L). The bound that van der Hoeven 2020
    quotes after its Theorem 2, with X^2 ||U||^2 as its second term, fails at T = 1, K = 2.
    The loss reported by ``run`` is the hinge loss max{1 - m(W, y), 0}, also on rounds without a mistake.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> from gaptron.learners import Perceptron
    >>> learner = Perceptron(n_classes=3, n_features=2)
    >>> learner.run([[1, 0], [0, 1], [1, 0]], [2, 1, 2]).mistakes
    2
    """

    exploration: Number
    W: Array

    def __init__(self, n_classes: int, n_features: int, *, exact: bool = False, seed: Seed = None) -> None:
        super().__init__(n_classes, n_features, seed)
        self.exact = checks.flag(exact, "exact")
        self._arithmetic = arithmetic(self.exact)
        self.exploration = self._arithmetic.number(0)
        self.W = self._arithmetic.zeros((self.n_classes, self.n_features))

    def run(self, X: Given, y: Given, *, compiled: bool | None = None) -> Run:
        """As every learner's; with ``exact = True`` it is never compiled."""
        if self.exact and compiled:
            raise ValueError("compiled = True: with exact = True it must be False or None")
        return super().run(X, y, compiled=False if self.exact else compiled)

    def _prediction(self, x: Array) -> Mixture:
        scores = self._arithmetic.scores(self.W, x)
        return Mixture(x, scores, self._arithmetic.top(scores), self.exploration, self.n_classes)

    def _learn_label(self, prediction: Mixture, label: int) -> None:
        if label != prediction.top:
            self._add(prediction.x, {label: 1, prediction.top: -1})

    def _add(self, x: Array, weights: dict[int, Number]) -> None:
        """W^k += weights[k] x."""
        rows = [*weights]
        with np.errstate(over="ignore", invalid="ignore"):
            changed = self.W[rows] + np.outer([*weights.values()], x)
        require_finite(changed)
        self.W[rows] = changed

    def _loss(self, prediction: Mixture, label: int) -> tuple[Number, bool]:
        if self.exact:
            return value(HINGE, prediction.scores.tolist(), label), False
        return surrogate_of(HINGE, self.n_classes, VECTORS).at(prediction.scores).value(label), False


def arithmetic(exact: bool) -> Arithmetic:
    """Fractions, or doubles."""
    return ExactArrays(Fraction) if exact else Arithmetic()
