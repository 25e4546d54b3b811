"""Losses and gap maps on arrays of scores, one state a column: by hand for those with a name, else of a theorem.

A rule answers, for scores (K, n) and a label: whether the label is on top (n,), the gap map (n,), the gradient in the
scores (K, n) and whether the loss is off (n,). At a kink the slope is the derivative from the right.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import sympy as sp

from gaptron.expectation.symbolic import right_slope
from gaptron.expectation.theorems import LOG_P, ROUNDING
from gaptron.learners.arithmetic import Array
from gaptron.learners.gaptron import Gaptron
from gaptron.symbols import K, m, p
from gaptron.theory.losses import MarginLoss, numpy_function
from gaptron.theory.theorem import Theorem

Rules = Callable[[Array, int], tuple[Array, Array, Array, Array]]


def rules(learner: Gaptron) -> Rules:
    """The rule of the learner's loss."""
    loss: Any = learner.loss_given
    if isinstance(loss, str):
        return partial(_named, loss)
    return (_margin_rules if isinstance(loss.loss, MarginLoss) else _softmax_rules)(loss, learner.n_classes)


def _margin_rules(theorem: Theorem, n_classes: int) -> Rules:
    loss: Any = theorem.loss
    slope_at = numpy_function(right_slope(loss.phi.subs(K, n_classes), m), m, n_classes)
    gap_at = _gap_map(theorem, m, n_classes)
    beta = math.inf if loss.off_above is None else float(loss.off_above.subs(K, n_classes))

    def rule(scores: Array, label: int) -> tuple[Array, Array, Array, Array]:
        top, spread = scores.argmax(axis=0) == label, _top_margin(scores)
        off = top & (spread > beta)
        margins, rivals = _margin(scores, label)
        return top, gap_at(spread), _slopes(scores, label, rivals, np.where(off, 0.0, slope_at(margins))), off

    return rule


def _softmax_rules(theorem: Theorem, n_classes: int) -> Rules:
    loss: Any = theorem.loss
    psi = loss.psi.subs(K, n_classes).subs(p, sp.exp(LOG_P))
    slope_at = numpy_function(right_slope(psi, LOG_P), LOG_P, n_classes)
    gap_at = _gap_map(theorem, p, n_classes)

    def rule(scores: Array, label: int) -> tuple[Array, Array, Array, Array]:
        powers, total = _softmax(scores)
        shares = powers / total
        slope = slope_at(scores[label] - scores.max(axis=0) - np.log(total))
        gap = gap_at(shares.max(axis=0))
        shares[label] -= 1
        return scores.argmax(axis=0) == label, gap, -slope * shares, np.zeros(scores.shape[1], dtype=bool)

    return rule


def _gap_map(theorem: Theorem, variable: sp.Symbol, n_classes: int) -> Callable[[Array], Array]:
    a = numpy_function(theorem.gap_map.expression, variable, n_classes)

    def checked(values: Array) -> Array:
        gap: Array = a(values)
        if not ((gap >= -float(ROUNDING)) & (gap <= 1 + float(ROUNDING))).all():
            raise ValueError(f"gap map: from {gap.min()} to {gap.max()}: it must be in [0, 1]")
        return gap

    return checked


def _softmax(scores: Array) -> tuple[Array, Array]:
    powers: Array = np.exp(scores - scores.max(axis=0))
    return powers, powers.sum(axis=0)


def _margin(scores: Array, label: int) -> tuple[Array, Array]:
    """m(W, label) and the lowest index among the largest other scores."""
    others = np.arange(len(scores)) != label
    rest = scores[others]
    rivals = rest.argmax(axis=0)
    return scores[label] - rest.max(axis=0), np.flatnonzero(others)[rivals]


def _top_margin(scores: Array) -> Array:
    """The largest score minus the second largest."""
    largest, second = np.maximum(scores[0], scores[1]), np.minimum(scores[0], scores[1])
    for row in scores[2:]:
        second = np.maximum(second, np.minimum(largest, row))
        largest = np.maximum(largest, row)
    spread: Array = largest - second
    return spread


def _named(loss: str, scores: Array, label: int) -> tuple[Array, Array, Array, Array]:
    """Equations (1)-(3) of van der Hoeven 2020."""
    top, never = scores.argmax(axis=0) == label, np.zeros(scores.shape[1], dtype=bool)
    if loss == "logistic":
        powers, total = _softmax(scores)
        p = powers / total
        best = p.max(axis=0)
        p[label] -= 1
        return top, np.where(best >= 0.5, 1 - best, 1.0), p / math.log(2), never
    m, rivals = _margin(scores, label)
    spread = _top_margin(scores)
    if loss == "hinge":
        wide = spread > 1 / len(scores)
        slope = np.where((wide & top) | (m >= 1), 0, -1.0)
        return top, np.where(wide, 0, 1 - spread), _slopes(scores, label, rivals, slope), wide & top
    slope = -2 * np.clip(1 - m, 0, 1)
    return top, np.clip(1 - spread, 0, None) ** 2, _slopes(scores, label, rivals, slope), never


def _slopes(scores: Array, label: int, rivals: Array, slope: Array) -> Array:
    gradient = np.where(np.arange(len(scores))[:, None] == rivals, -slope, 0.0)
    gradient[label] = slope
    return gradient
