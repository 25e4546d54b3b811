"""A theorem's round on arrays of scores, one round a column: loss, gradient, P(wrong)."""

import numpy as np
from sympy import Expr

from gaptron.learners.arithmetic import Array
from gaptron.rounds import Columns, of_theorem
from gaptron.rounds.surrogate import needed
from gaptron.symbols import K
from gaptron.theory.theorem import Theorem


class AttackedRounds:
    """The loss and the decoder of a theorem for K classes, in doubles.

    Scores are (rows, n) arrays, ``rows`` being K, or 1 for a BinaryLoss; labels are (n,) integers.
    """

    def __init__(self, theorem: Theorem, n_classes: int) -> None:
        self.n_classes, self._surrogate = n_classes, of_theorem(theorem, n_classes, Columns())
        self.rows = self._surrogate.rows
        eta: Expr = theorem.eta()
        self._half_rate = float(eta.subs(K, n_classes)) / 2 if theorem.decoder == "best" else None

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
        every = [np.full(len(labels), k) for k in range(self.n_classes)]
        needs = np.stack([needed(found, label, self._half_rate) for label in every])
        needs /= np.maximum(1, needs.sum(axis=0))
        rest = 1 - needs.sum(axis=0)
        return np.asarray(1 - needs[labels, np.arange(len(labels))] - rest * (found.top == labels))
