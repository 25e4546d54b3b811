"""Gaptron with one weight vector for two classes (Orabona's blog, The Gaptron Algorithm, Theorem 1)."""

from collections.abc import Callable
from functools import partial

import numpy as np

from gaptron.language.theorems import StatedTheorem, TheoremData
from gaptron.learners.arithmetic import Array, Seed
from gaptron.learners.gaptron import Gaptron
from gaptron.learners.surrogates import checked_theorem
from gaptron.numbers.kinds import Number
from gaptron.rounds.geometry import geometry_of
from gaptron.system.checks import Given
from gaptron.theory import by_name


class BinaryGaptron(Gaptron):
    """Online binary classification with one vector w and constant surrogate regret; a round costs O(d).

    A round (the blog's Algorithm 1): z = <w, x>, predicted sign that of z, +1 at z = 0; a is the gap map at
    |z| (for the named losses, the loss of the predicted label); with probability a predict by a fair coin,
    else the predicted sign; w <- w - eta loss'(z) x.

    Parameters
    ----------
    n_features : int >= 1
        d.
    loss : "smooth hinge", "squared hinge" or Theorem
        The blog's Example 2, or a Theorem with a BinaryLoss.
    learning_rate : number > 0, optional
        eta as used in the step; default: the theorem's divided by R^2, 1/(4 R^2) for the named losses.
    feature_norm : number > 0
        R, a bound on ||x||: assumed by the theorem, not enforced.
    start : (d,) array, optional
        The first weights, zero by default; the regret is regret R^2 ||u - start||^2.
    decoder : "gap map" or "best", optional
        How to predict, as Gaptron's; default: the theorem's.
    update : "gradient" or "proximal", optional
        How to learn, as Gaptron's; c is 1 for the named losses, where gradient steps have 2.
    exact : bool
        Compute with fractions (balls where the loss is transcendental) instead of doubles.
    seed : int, numpy.random.Generator or None
        Where the draws come from.

    Attributes
    ----------
    w : (d,) array
        The weights.
    learning_rate : number
        eta, 1/R^2 included.
    surrogate
        The loss and the gap map at the scores (z, 0).
    rng : numpy.random.Generator

    Notes
    -----
    Labels are 0 (the sign +1) and 1 (the sign -1). The methods are those of Gaptron.

    Raises
    ------
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> from gaptron import BinaryGaptron
    >>> learner = BinaryGaptron(n_features=2, seed=0)
    >>> round(learner.run([[1, 0], [0, 1], [1, 0]], [1, 0, 1]).expected_mistakes, 3)
    1.125
    """

    STATE = ("W",)
    _proximal_theorem = staticmethod(by_name.binary_proximal_theorem)

    def __init__(
        self,
        n_features: int,
        *,
        loss: str | StatedTheorem = "smooth hinge",
        learning_rate: Number | None = None,
        feature_norm: Number = 1,
        start: Given = None,
        decoder: str | None = None,
        update: str | None = None,
        exact: bool = False,
        seed: Seed = None,
    ) -> None:
        super().__init__(
            2, n_features, loss=loss, learning_rate=learning_rate, feature_norm=feature_norm, decoder=decoder,
            update=update, exact=exact, seed=seed,
        )  # fmt: skip
        self.start = None if start is None else self._arithmetic.array(start, "start", (self.n_features,)).copy()
        if self.start is not None:
            self.W[0] = self.start

    @property
    def w(self) -> Array:
        """The weights, shape (d,)."""
        return np.asarray(self.W[0])

    @w.setter
    def w(self, values: Given) -> None:
        self.W[0] = self._arithmetic.array(values, "w", (self.n_features,))

    def _scores(self, x: Array) -> Array:
        """(z, 0): the top label is 0 if z >= 0, and the top margin is |z|."""
        z = self._arithmetic.scores(self.W, x)[0]
        return np.array([z, self._arithmetic.number(0)], dtype=self._arithmetic.dtype)

    def _stated(self, loss: object) -> TheoremData:
        return binary_theorem(loss)


def gaptron_with(loss: str | StatedTheorem, n_classes: int, n_features: int) -> Callable[..., Gaptron]:
    """Of the two Gaptrons the one that plays with this loss, to be given its other settings."""
    if not isinstance(loss, str) and geometry_of(loss.data.loss).one_vector:
        return partial(BinaryGaptron, n_features, loss=loss)
    return partial(Gaptron, n_classes, n_features, loss=loss)


def binary_theorem(loss: object) -> TheoremData:
    """The theorem of a loss for one weight vector."""
    theorem = by_name.binary_theorem(loss) if isinstance(loss, str) else checked_theorem(loss, by_name.BINARY)
    if not geometry_of(theorem.loss).one_vector:
        raise ValueError(f'loss = theorem "{theorem.name}" has a {theorem.loss.kind}: use Gaptron')
    if theorem.feedback == "bandit":
        raise ValueError(f'loss = theorem "{theorem.name}" is for bandit feedback: use Gaptron')
    return theorem
