"""A theorem's round on arrays of scores, one round a column: loss, step, P(wrong)."""

import numpy as np

from gaptron.learners.arithmetic import Array
from gaptron.numbers.evaluate import value_at
from gaptron.numbers.kinds import Number
from gaptron.rounds import RoundAt, of_theorem
from gaptron.rounds.layouts import COLUMNS
from gaptron.rounds.proximal_columns import ProximalColumns
from gaptron.rounds.step import Step
from gaptron.theory.for_classes import rates_for_classes
from gaptron.theory.theorem import Theorem


class AttackedRounds:
    """The loss and the decoder of a theorem for K classes, in doubles.

    Scores are (rows, n) arrays, ``rows`` being K, or 1 for a BinaryLoss; labels are (n,) integers.
    """

    def __init__(self, theorem: Theorem, n_classes: int) -> None:
        surrogate = of_theorem(theorem, n_classes, COLUMNS)
        rate = rates_for_classes(theorem, n_classes)[0] if theorem.decoder == "best" else None
        eta = 0.0 if rate is None else float(value_at(rate, {}))
        proximal = ProximalColumns(theorem.loss, n_classes) if theorem.update == "proximal" else None
        self.step = Step(surrogate, eta, is_best=rate is not None, proximal=proximal)
        self.rows = surrogate.rows

    def at(self, scores: Array) -> RoundAt:
        """The rounds at these scores."""
        return self.step.surrogate.at(scores)

    def losses(self, scores: Array, labels: Array) -> Array:
        """The loss (n,), as if every round were on."""
        return np.asarray(self.at(scores).value(labels))

    def steps(self, found: RoundAt, labels: Array, learning_rate: Number, squares: Array) -> Array:
        """By what multiples of x the weights move (rows, n), ||x||^2 being ``squares``."""
        moved = squares > 0
        step = self.step._replace(eta=learning_rate)
        return np.asarray(step.slopes(found, labels, np.where(moved, squares, 1.0), 1.0) * moved)
