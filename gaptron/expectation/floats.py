"""Expectations in doubles: arrays of states, round by round, without merging: 2^(T-1) states at most.

A state is its scores on the rounds to come, which is all they need: a step along the features x_t changes the score on
x_j by <x_t, x_j>. They are few where the states are many. A projection needs ||W||^2 as well, which is kept along.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from gaptron.expectation.paths import Expectation, checked
from gaptron.learners import checks
from gaptron.learners.arithmetic import Array
from gaptron.learners.gaptron import Gaptron
from gaptron.learners.surrogates import named

BLOCK = 2**13


def expected_floats(learner: Gaptron, X: Any, y: Any, *, comparator: Any = None) -> Expectation:
    """As ``expected``, in doubles; X and y are a fixed stream. Blocks of states go depth-first, to stay in cache."""
    checked(learner, "float")
    n = checks.length(X, "X")
    points = np.asarray(X, dtype=float)
    checks.shape(points.shape, "X", (n, learner.n_features))
    labels = checks.labels(y, "y", n, learner.n_classes)
    sums = _Sums(learner, points, labels, _comparator_losses(learner, points, labels, comparator))
    W = np.array(learner.W, dtype=float)
    sums.rounds(_Level((points @ W.T)[:, :, None], np.ones(1), np.array([(W * W).sum()])), 0)
    loss = None if comparator is None else sums.loss
    return Expectation(sums.mistakes, loss, sums.mass, sums.states)


def _comparator_losses(learner: Gaptron, X: Array, labels: list[int], comparator: Any) -> list[float]:
    if comparator is None:
        return [0.0] * len(labels)
    U = np.asarray(comparator, dtype=float)
    checks.shape(U.shape, "comparator", (learner.n_classes, learner.n_features))
    loss = named(str(learner.loss_given), learner.n_classes)
    if learner.loss_given == "logistic":
        return [loss.value(U @ x, label) for x, label in zip(X, labels, strict=True)]
    margins = [_margin((U @ x)[:, None], label)[0][0] for x, label in zip(X, labels, strict=True)]
    return [loss.phi(float(m)) for m in margins]  # type: ignore[union-attr]


class _Level(NamedTuple):
    """n states: their scores on r rounds to come (r, K, n), their mass (n,) and ||W||^2 (n,)."""

    scores: Array
    mass: Array
    squares: Array

    def part(self, which: Any) -> "_Level":
        """The states ``which``: a slice or a mask; a mask that is all True copies nothing."""
        if not isinstance(which, slice) and which.all():
            return self
        return _Level(self.scores[..., which], self.mass[which], self.squares[which])


class _Sums:
    """What has been summed over the rounds and states so far."""

    def __init__(self, learner: Gaptron, X: Array, labels: list[int], losses: list[float]) -> None:
        self.loss_name, self.K = str(learner.loss_given), learner.n_classes
        self.eta, self.gamma, self.radius = float(learner.learning_rate), float(learner.exploration), learner.radius
        self.full, self.gram, self.labels, self.losses = learner.feedback == "full", X @ X.T, labels, losses
        self.mistakes, self.loss, self.mass, self.states = 0.0, 0.0, 0.0, 0

    def rounds(self, level: _Level, t: int) -> None:
        """All rounds from t on."""
        while t < len(self.labels) - 1:
            if (n := len(level.mass)) > BLOCK:
                self.rounds(level.part(slice(n // 2)), t)
                level = level.part(slice(n // 2, n))
            level = self._split(level, t, *self._round(level, t))
            t += 1
        if self.labels:
            self._round(level, t)
        self.mass += float(level.mass.sum())
        self.states += len(level.mass)

    def _round(self, level: _Level, t: int) -> tuple[Array, Array]:
        """Count a round; its gradients in the scores (K, n) and P(right) (n,)."""
        top, gap, gradient, off = _rules(self.loss_name, level.scores[0], self.labels[t])
        gap = np.maximum(gap, self.gamma)
        right = gap / self.K + (1 - gap) * top
        self.mistakes += float((level.mass * (1 - right)).sum())
        self.loss += self.losses[t] * float((level.mass * ~off).sum())
        return gradient, right

    def _split(self, level: _Level, t: int, gradient: Array, right: Array) -> _Level:
        """The states after the draw: moved by a right one, the same after a wrong one."""
        moved = gradient.any(axis=0) & (self.full | (right > 0))
        share = np.ones(len(right)) if self.full else right
        rest = np.where(moved, level.mass * (1 - share), level.mass)
        stays = _Level(level.scores[1:], rest, level.squares).part(rest > 0)
        moves = _Level(level.scores, level.mass * share, level.squares).part(moved)
        steps = -self.eta / (1 if self.full else right[moved]) * gradient[:, moved]
        return _joined(stays, self._moved(moves, t, steps))

    def _moved(self, level: _Level, t: int, steps: Array) -> _Level:
        scores = self.gram[t, t + 1 :, None, None] * steps
        scores += level.scores[1:]
        if math.isinf(self.radius):
            return _Level(scores, level.mass, level.squares)
        squares = level.squares + (steps * (2 * level.scores[0] + self.gram[t, t] * steps)).sum(axis=0)
        shrink = self.radius / np.sqrt(np.maximum(squares, self.radius**2))
        return _Level(scores * shrink, level.mass, squares * shrink**2)


def _joined(*levels: _Level) -> _Level:
    return _Level(*(np.concatenate(parts, axis=-1) for parts in zip(*levels, strict=True)))


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


def _rules(loss: str, scores: Array, label: int) -> tuple[Array, Array, Array, Array]:
    """Whether the label is on top (n,), the gap map (n,), the gradient (K, n) and whether the loss is off (n,)."""
    top, never = scores.argmax(axis=0) == label, np.zeros(scores.shape[1], dtype=bool)
    if loss == "logistic":
        p = np.exp(scores - scores.max(axis=0))
        p /= p.sum(axis=0)
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
