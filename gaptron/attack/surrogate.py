"""A theorem's round on arrays of scores, one round a column: loss, gradient, P(wrong)."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp
from scipy.special import log_softmax

from gaptron.expectation.symbolic import right_slope
from gaptron.expectation.theorems import LOG_P
from gaptron.learners.arithmetic import Array
from gaptron.symbols import K, m, p, z
from gaptron.theory.losses import BinaryLoss, MarginLoss, SoftmaxLoss, numpy_function
from gaptron.theory.theorem import Theorem

Function = Callable[[Any], Array]
Valued = tuple[Array, Array]


class Surrogate:
    """The loss and the gap map of a theorem for K classes, in doubles; at a kink the slope is that from the right.

    Scores are (rows, n) arrays, ``rows`` being K, or 1 for a BinaryLoss; labels are (n,) integers.
    """

    def __init__(self, theorem: Theorem, n_classes: int) -> None:
        loss: Any = theorem.loss
        self.n_classes = n_classes
        self.rows = 1 if isinstance(loss, BinaryLoss) else n_classes
        self._valued = _KINDS[type(loss)](loss, n_classes)
        self._of_softmax = isinstance(loss, SoftmaxLoss)
        self._gap_map = numpy_function(theorem.gap_map.expression, p if self._of_softmax else m, n_classes)
        beta = getattr(loss, "off_above", None)
        self._beta = math.inf if beta is None else float(beta.subs(K, n_classes))
        eta: Any = theorem.eta()
        self._half_rate = float(eta.subs(K, n_classes)) / 2 if theorem.decoder == "best" else None

    def valued(self, scores: Array, labels: Array) -> Valued:
        """The loss (n,) and its gradient in the scores (rows, n), as if every round were on."""
        valued: Valued = self._valued(scores, labels)
        return valued

    def off(self, scores: Array, labels: Array) -> Array:
        """Where the loss is off (n,): the top label is right with a margin above ``off_above``."""
        return np.asarray((_top(scores) == labels) & (_spread(scores) > self._beta))

    def wrong(self, scores: Array, labels: Array, exploration: Array | float = 0.0) -> Array:
        """P(wrong) (n,)."""
        if self._half_rate is not None:
            return self._wrong_at_best(scores, labels)
        share = np.exp(log_softmax(scores, axis=0)).max(axis=0) if self._of_softmax else _spread(scores)
        gap = np.maximum(self._gap_map(share), exploration)
        return np.asarray(1 - gap / self.n_classes - (1 - gap) * (_top(scores) == labels))

    def _wrong_at_best(self, scores: Array, labels: Array) -> Array:
        """With the best decoder: 1 less what the true label needs, and what is left if it is the top one."""
        needs = np.stack([self._needed(scores, np.full(len(labels), k)) for k in range(self.n_classes)])
        needs /= np.maximum(1, needs.sum(axis=0))
        rest = 1 - needs.sum(axis=0)
        return np.asarray(1 - needs[labels, np.arange(len(labels))] - rest * (_top(scores) == labels))

    def _needed(self, scores: Array, labels: Array) -> Array:
        """max(0, 1 - loss + (eta/2) ||g||^2) of these labels (n,), for ||x|| = 1; 1 where the loss is off."""
        loss, gradient = self.valued(scores, labels)
        needed = np.maximum(0, 1 - loss + self._half_rate * (gradient**2).sum(axis=0))
        return np.asarray(np.where(self.off(scores, labels), 1, needed))


def _top(scores: Array) -> Array:
    return np.asarray(scores[0] < 0 if len(scores) == 1 else scores.argmax(axis=0), dtype=int)


def _spread(scores: Array) -> Array:
    if len(scores) == 1:
        return np.asarray(np.abs(scores[0]))
    second, first = np.partition(scores, -2, axis=0)[-2:]
    return np.asarray(first - second)


def _margin(loss: MarginLoss, n_classes: int) -> Callable[[Array, Array], Valued]:
    phi = loss.phi.subs(K, n_classes)
    value_at, slope_at = _with_slope(phi, m, n_classes)

    def valued(scores: Array, labels: Array) -> Valued:
        columns = np.arange(scores.shape[1])
        others = scores.copy()
        others[labels, columns] = -np.inf
        rivals = others.argmax(axis=0)
        margins = scores[labels, columns] - scores[rivals, columns]
        gradient = np.zeros_like(scores)
        gradient[labels, columns] = slope_at(margins)
        gradient[rivals, columns] = -gradient[labels, columns]
        return value_at(margins), gradient

    return valued


def _softmax(loss: SoftmaxLoss, n_classes: int) -> Callable[[Array, Array], Valued]:
    value_at, slope_at = _with_slope(loss.psi.subs(K, n_classes).subs(p, sp.exp(LOG_P)), LOG_P, n_classes)

    def valued(scores: Array, labels: Array) -> Valued:
        columns = np.arange(scores.shape[1])
        logarithms = log_softmax(scores, axis=0)
        slopes = slope_at(logarithms[labels, columns])
        gradient = -np.exp(logarithms) * slopes
        gradient[labels, columns] += slopes
        return value_at(logarithms[labels, columns]), gradient

    return valued


def _binary(loss: BinaryLoss, n_classes: int) -> Callable[[Array, Array], Valued]:
    sides = [_with_slope(loss.side(label), z, n_classes) for label in (0, 1)]

    def valued(scores: Array, labels: Array) -> Valued:
        values, slopes = (np.where(labels == 0, *(side[part](scores[0]) for side in sides)) for part in (0, 1))
        return values, slopes[None]

    return valued


def _with_slope(expr: Any, variable: Any, n_classes: int) -> tuple[Function, Function]:
    return numpy_function(expr, variable, n_classes), numpy_function(right_slope(expr, variable), variable, n_classes)


_KINDS: dict[Any, Any] = {MarginLoss: _margin, SoftmaxLoss: _softmax, BinaryLoss: _binary}
