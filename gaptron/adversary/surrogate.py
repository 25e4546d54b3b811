"""A theorem's round on arrays of scores, one round a column: loss, gradient, P(wrong)."""

import numpy as np

from gaptron.learners.arithmetic import Array
from gaptron.numbers.evaluate import value_at
from gaptron.rounds import Columns, RoundAt, of_theorem
from gaptron.rounds.proximal_columns import ProximalColumns
from gaptron.rounds.surrogate import needed
from gaptron.theory.for_classes import rates_for_classes
from gaptron.theory.theorem import Theorem


class AttackedRounds:
    """The loss and the decoder of a theorem for K classes, in doubles.

    Scores are (rows, n) arrays, ``rows`` being K, or 1 for a BinaryLoss; labels are (n,) integers.
    """

    def __init__(self, theorem: Theorem, n_classes: int) -> None:
        self.n_classes, self._surrogate = n_classes, of_theorem(theorem, n_classes, Columns())
        self.rows = self._surrogate.rows
        eta = rates_for_classes(theorem, n_classes)[0] if theorem.decoder == "best" else None
        self._half_rate = None if eta is None else float(value_at(eta, {})) / 2
        self._proximal = ProximalColumns(theorem.loss, n_classes) if theorem.update == "proximal" else None

    def valued(self, scores: Array, labels: Array) -> tuple[Array, Array]:
        """The loss (n,) and its gradient in the scores (rows, n), as if every round were on."""
        found = self._surrogate.at(scores)
        return found.value(labels), found.slopes(labels)

    def off(self, scores: Array, labels: Array) -> Array:
        """Where the loss is off (n,): the top label is right with a margin above ``off_above``."""
        return np.asarray(self._surrogate.at(scores).off(labels))

    def wrong(self, scores: Array, labels: Array, exploration: Array | float = 0.0) -> Array:
        """P(wrong) (n,)."""
        found = self._surrogate.at(scores)
        if self._half_rate is None:
            gap = np.maximum(found.gap, exploration)
            return np.asarray(1 - gap / self.n_classes - (1 - gap) * (found.top == labels))
        needs = self._needs(found, len(labels))
        needs /= np.maximum(1, needs.sum(axis=0))
        rest = 1 - needs.sum(axis=0)
        return np.asarray(1 - needs[labels, np.arange(len(labels))] - rest * (found.top == labels))

    def _needs(self, found: RoundAt, n: int) -> Array:
        """max(0, 1 - h) or max(0, 1 - e) of all labels (K, n), for ||x|| = 1."""
        assert self._half_rate is not None  # noqa: S101
        if self._proximal is None:
            return np.stack([needed(found, np.full(n, k), self._half_rate) for k in range(self.n_classes)])
        every, c = np.repeat(np.arange(self.n_classes), n), np.full(self.n_classes * n, 1 / (4 * self._half_rate))
        envelopes = self._proximal.steps(np.tile(found.scores, self.n_classes), every, c)[1]
        return np.maximum(1 - envelopes, 0).reshape(self.n_classes, n)

    def steps(self, scores: Array, labels: Array, learning_rate: float, squares: Array) -> Array:
        """By what multiples of x the weights move (rows, n), ||x||^2 being ``squares``, as if every round were on."""
        if self._proximal is None:
            return -learning_rate * self.valued(scores, labels)[1]
        moved = squares > 0
        safe = np.where(moved, squares, 1.0)
        return self._proximal.steps(scores, labels, 1 / (2 * learning_rate * safe))[0] * moved / safe
