"""Many streams at once through the learner with full information, in doubles."""

from typing import NamedTuple

import numpy as np

from gaptron.learners.arithmetic import Array
from gaptron.rounds.step import Step


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
