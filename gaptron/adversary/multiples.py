"""How much of a bound each of many streams uses, against the best multiple of a plain comparator."""

import numpy as np

from gaptron.adversary.play import Played, fair, play
from gaptron.learners.arithmetic import Array
from gaptron.rounds.step import Step

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
