"""What a theorem's learner does in doubles, where nothing is refused, and how much of a bound many streams use."""

from typing import NamedTuple

import numpy as np

from gaptron.learners.arithmetic import Array
from gaptron.numbers.evaluate import value_at
from gaptron.rounds import of_theorem
from gaptron.rounds.layouts import COLUMNS
from gaptron.rounds.proximal_columns import ProximalColumns
from gaptron.rounds.step import Step
from gaptron.theory.theorem import Theorem


def attacked(theorem: Theorem, n_classes: int) -> Step:
    """Its step for K classes, for ||x|| = 1: the learning rate if it predicts by the best decoder, else 0."""
    rate = theorem.data.rates(n_classes)[0] if theorem.decoder == "best" else None
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


MULTIPLES = np.geomspace(1 / 64, 64, 49)  # 1 is one of them
FRACTIONS = np.linspace(0.2, 1, 17)


def ratios(step: Step, learning_rate: float, coefficient: float, X: Array, labels: Array, template: Array) -> Array:
    """(mistakes - loss of U)/(c ||U||^2) with full information, shape (n,), for streams X (n, T, d).

    U is a multiple of the last weights, of the sum of the features that is fair to all rivals of a label, or of the
    sum of both kinds of steps with the coefficients of a ``template``, (n, 2, T) or (1, 2, T).
    """
    played = play(step, learning_rate, X, labels)
    steps = np.stack(np.broadcast_arrays(played.steps, fair(step, labels)))
    kinds = (
        played.steps,
        played.on[:, :, None] * steps[1],
        np.einsum("nqt,qntk->ntk", np.broadcast_to(template, (len(X), *template.shape[1:])), steps),
    )
    last, fairest, given = (np.einsum("ntk,ntd->nkd", kind, X) for kind in kinds)
    lengths = [MULTIPLES[:, None] * _length(like) for like in (last, last, given)]
    pairs = zip((last, fairest, given), lengths, strict=True)
    return np.asarray(np.max([_ratios(step, coefficient, played, unit(U), norms, X, labels) for U, norms in pairs], 0))


def unit(U: Array) -> Array:
    """Matrices (n, rows, d) scaled to length 1; 0 stays 0."""
    return np.asarray(U / np.maximum(_length(U), 1e-300)[:, None, None])


def losses(step: Step, U: Array, lengths: Array, X: Array, labels: Array) -> Array:
    """The losses (m, n, T) of U (n, rows, d) times each of the lengths (m, n)."""
    scores = np.einsum("nkd,ntd->knt", U, X)
    spread = lengths[None, :, :, None] * scores[:, None]
    found = step.surrogate.at(spread.reshape(len(scores), -1)).value(np.tile(labels, lengths.size))
    return np.asarray(found).reshape(spread.shape[1:])


def _ratios(step: Step, coefficient: float, played: Played, U: Array, lengths: Array, X: Array, labels: Array) -> Array:
    totals = (losses(step, U, lengths, X, labels) * played.on).sum(axis=2)
    with np.errstate(all="ignore"):
        found = (played.mistakes - totals) / (coefficient * lengths**2)
    return np.asarray(np.where(np.isfinite(found), found, -np.inf).max(axis=0))


def _length(U: Array) -> Array:
    return np.asarray(np.sqrt((U**2).sum(axis=(1, 2))))
