"""Many streams at once through the learner with full information, in doubles."""

from typing import NamedTuple

import numpy as np

from gaptron.adversary.surrogate import AttackedRounds
from gaptron.learners.arithmetic import Array


class Played(NamedTuple):
    """n streams: expected mistakes (n,), the updates' factors of x (n, T, rows), rounds that were on (n, T)."""

    mistakes: Array
    steps: Array
    on: Array


def play(surrogate: AttackedRounds, learning_rate: float, X: Array, labels: Array) -> Played:
    """The learner on n streams of features (n, T, d) with the same labels (T,): W is the sum of outer(step, x)."""
    n, T, d = X.shape
    W = np.zeros((n, surrogate.rows, d))
    mistakes, on, steps = np.zeros(n), np.ones((n, T), dtype=bool), np.zeros((n, T, surrogate.rows))
    for t, label in enumerate(labels):
        scores, repeated = np.einsum("nkd,nd->kn", W, X[:, t]), np.full(n, label)
        found = surrogate.at(scores)
        mistakes += surrogate.step.chances(found, repeated)[0]
        on[:, t] = ~found.off(repeated)
        steps[:, t] = surrogate.steps(found, repeated, learning_rate, (X[:, t] ** 2).sum(axis=1)).T
        W += steps[:, t, :, None] * X[:, t, None, :]
    return Played(mistakes, steps, on)


def fair(surrogate: AttackedRounds, labels: Array) -> Array:
    """Steps (T, rows) towards each label and away from all others alike."""
    if surrogate.rows == 1:
        return np.asarray(1.0 - 2 * labels)[:, None]
    return np.asarray(np.eye(surrogate.rows)[labels] - 1 / surrogate.rows)
