"""ProximalLogistic and Gaptron as a river classifier: features and classes appear over time."""

import math
from collections.abc import Hashable, Mapping
from numbers import Real

import numpy as np

from gaptron.learners import Gaptron
from gaptron.learners.arithmetic import Array
from gaptron.numbers.kinds import Number
from gaptron.system.extras import needing

with needing("gaptron.adapters.river_ml"):
    from river import base

Named = Mapping[Hashable, Number]
Label = bool | str | int


class RiverGaptron(base.Classifier):
    """Proximal steps on the logistic loss, or Gaptron's other steps, for features and classes that appear over time.

    A feature that a round does not name is 0. A class is known from its first round on, and K is the number of known
    classes. By default it is ``gaptron.learners.ProximalLogistic``, the best that is proved here, whose constant is the
    same for every K: for every U, with predictions drawn from ``predict_proba_one``,

        E[mistakes] <= sum loss_t(U) + 0.18645264 X^2 ||U||^2 + K,    loss_t with the classes known once t is learned,

    K for the first round of each class. It needs an X that is known beforehand: ``feature_norm``, or without it every
    round is divided by its norm, X = 1, and the bound is about these features.

    With ``update="gradient"`` it is Gaptron with full information (van der Hoeven 2020, Algorithm 1). Without
    ``learning_rate``, a round uses eta = eta_K/X^2, eta_K the theorem's rate for K classes and X = 1, and whenever eta
    shrinks by a factor, the weights shrink by it as well. That is follow-the-regularized-leader with the regularizer
    ||W||^2/(2 eta), which grows as in the blog's Exercise 1: its bound has ||U||^2/(2 eta), with the last X and K, in
    place of the term with the constant.

    ``predict_one`` is deterministic: it returns the top label.

    Parameters
    ----------
    loss
        "logistic", "hinge" or "smooth hinge": the surrogate loss.
    learning_rate
        eta as used in the step, a number > 0; None for the theorem's.
    feature_norm
        X, a bound on ||x||; with proximal steps a longer round is a ValueError. None divides rounds by their norms, or
        with gradient steps is the largest norm so far, this round's included.
    update
        "proximal" or "gradient".

    Attributes
    ----------
    classes
        The labels seen, in the order of their first rounds.
    features
        The features' names in the order of their first rounds, those of one round sorted.
    W
        The weights, an array of shape (number of classes, at least the number of features).

    Examples
    --------
    >>> from river import datasets, evaluate, metrics, preprocessing
    >>> from gaptron.adapters.river_ml import RiverGaptron
    >>> model = preprocessing.StandardScaler() | RiverGaptron()
    >>> evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    Accuracy: 86.79%
    """

    def __init__(
        self,
        loss: str = "logistic",
        learning_rate: float | None = None,
        feature_norm: float | None = None,
        update: str = "proximal",
    ) -> None:
        self.loss = loss
        self.learning_rate = learning_rate
        self.feature_norm = feature_norm
        self.update = update
        self.classes: dict[Label, int] = {}
        self.features: dict[Hashable, int] = {}
        self.W = np.zeros((0, 1))
        self.eta = math.inf
        self.largest_norm = 0.0

    @property
    def _multiclass(self) -> bool:
        return True

    def learn_one(self, x: Named, y: Label) -> None:
        """Learn from the features ``x``, finite numbers by name, and the label ``y``."""
        norm = _norm(x)
        self._grow(x, y)
        self.largest_norm = max(self.largest_norm, norm)
        if len(self.classes) > 1:
            learner = self._learner(x)
            learner.update(self._row(x), self.classes[y])
            self.W, self.eta = learner.W, learner.learning_rate

    def predict_proba_one(self, x: Named, **kwargs: object) -> dict[Label, float]:
        """The distribution of Gaptron's randomized prediction over the classes seen; empty before the first."""
        _norm(x)
        if len(self.classes) < 2:
            return dict.fromkeys(self.classes, 1.0)
        probabilities = self._learner(x).predict_proba(self._row(x))
        return dict(zip(self.classes, probabilities.tolist(), strict=True))

    def predict_one(self, x: Named, **kwargs: object) -> Label | None:
        """The top label, the earliest class among ties; None before the first round."""
        _norm(x)
        if not self.classes:
            return None
        return list(self.classes)[int((self.W @ self._row(x)).argmax())]

    def _grow(self, x: Named, y: Label) -> None:
        """Room for the round's features (columns come in powers of two) and label."""
        for name in sorted(x.keys() - self.features.keys(), key=repr):
            self.features[name] = len(self.features)
        self.classes.setdefault(y, len(self.classes))
        rows, columns = self.W.shape
        width = columns
        while width < len(self.features):
            width *= 2
        if (rows, columns) != (len(self.classes), width):
            self.W = np.pad(self.W, ((0, len(self.classes) - rows), (0, width - columns)))

    @property
    def _normalises(self) -> bool:
        return self.update == "proximal" and self.feature_norm is None

    def _row(self, x: Named) -> Array:
        """The values of the known features, divided by the norm of all of them if that must be 1."""
        norm = _norm(x) if self._normalises else 1.0
        row = np.zeros(self.W.shape[1])
        for name, value in x.items():
            if name in self.features:
                row[self.features[name]] = value / (norm or 1.0)
        return row

    def _learner(self, x: Named) -> Gaptron:
        """Gaptron as it meets the round."""
        norm = 1.0 if self._normalises else max(self.largest_norm, _norm(x)) or 1.0
        learner = Gaptron(
            *self.W.shape,
            loss=self.loss,
            update=self.update,
            learning_rate=self.learning_rate,
            feature_norm=norm if self.feature_norm is None else self.feature_norm,
            seed=0,
        )
        learner.W = self.W * (learner.learning_rate / self.eta)
        return learner


def _norm(x: Named) -> float:
    """||x||, whatever the order of the features; ValueError unless every feature is a finite number."""
    for name, value in x.items():
        if not isinstance(value, (Real, np.bool_)) or not math.isfinite(value):
            raise ValueError(f"x[{name!r}] = {value!r} is not a finite number")
    return math.hypot(*sorted(x.values()))
