"""What a theorem's learner does in doubles, where nothing is refused; many streams at once with full information."""

from typing import NamedTuple

import numpy as np

from gaptron.learners.arithmetic import Array
from gaptron.numbers.evaluate import value_at
from gaptron.rounds import of_theorem
from gaptron.rounds.layouts import COLUMNS
from gaptron.rounds.proximal_columns import ProximalColumns
from gaptron.rounds.step import Step
from gaptron.theory.for_classes import rates_for_classes
from gaptron.theory.theorem import Theorem


def attacked(theorem: Theorem, n_classes: int) -> Step:
    """Its step for K classes, for ||x|| = 1: the learning rate if it predicts by the best decoder, else 0."""
    rate = rates_for_classes(theorem, n_classes)[0] if theorem.decoder == "best" else None
    return Step(
        of_theorem(theorem, n_classes, COLUMNS),
        0.0 if rate is None else float(value_at(rate, {})),
        is_best=rate is not None,
        proximal=ProximalColumns(theorem.loss, n_classes) if theorem.update == "proximal" else None,
    )


class Played(NamedTuple):
    """n streams: expected mistakes (n,), the updates' factors of x (n, T, rows), rounds that were on (n, T)."""

    mistakes: Array
    steps: Array
    on: Array


def play(step: Step, learning_rate: float, X: Array, labels: Array) -> Played:
    """The learner on n streams of features (n, T, d) with the same labels (T,): W is the sum of outer(step, x)."""
    (n, T, d), rows, learning = X.shape, step.surrogate.rows, step._replace(eta=learning_rate)
    W = np.zeros((n, rows, d))
    mistakes, on, steps = np.zeros(n), np.ones((n, T), dtype=bool), np.zeros((n, T, rows))
    for t, label in enumerate(labels):
        scores, repeated = np.einsum("nkd,nd->kn", W, X[:, t]), np.full(n, label)
        found, squares = step.surrogate.at(scores), (X[:, t] ** 2).sum(axis=1)
        mistakes += step.chances(found, repeated)[0]
        on[:, t] = ~found.off(repeated)
        steps[:, t] = (learning.slopes(found, repeated, np.where(squares > 0, squares, 1.0), 1.0) * (squares > 0)).T
        W += steps[:, t, :, None] * X[:, t, None, :]
    return Played(mistakes, steps, on)


def fair(step: Step, labels: Array) -> Array:
    """Steps (T, rows) towards each label and away from all others alike."""
    if step.surrogate.rows == 1:
        return np.asarray(1.0 - 2 * labels)[:, None]
    return np.asarray(np.eye(step.surrogate.rows)[labels] - 1 / step.surrogate.rows)
