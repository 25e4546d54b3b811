"""A structured theorem's learner on a stream, and its bound at a comparator found in hindsight."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from gaptron.bounds.hindsight import Floats, descended
from gaptron.learners.structured_prediction import StructuredGaptron
from gaptron.theory.structured.targets import Hamming, ZeroOne


@dataclass(frozen=True)
class StructuredRun:
    """What happened on a stream: exact expected targets and losses of each round, and what the theorem says of them.

    ``comparator_loss`` and ``comparator_norm`` are those of the U found in hindsight, ``bound`` is
    alpha sum loss(U) + R X^2 ||U||^2 there; any U gives a bound.
    """

    expected_targets: Floats
    losses: Floats
    drawn_targets: Floats
    comparator_loss: float
    comparator_norm: float
    bound: float


def run_stream(learner: StructuredGaptron, X: ArrayLike, Y: ArrayLike, iterations: int = 60) -> StructuredRun:
    """Run the learner on (T, n_features) features and T outputs (vectors, or numbers), and bound it in hindsight.

    The weights do not depend on the predictions, so that the expectation of the sum is the sum of those of the rounds.
    """
    features, truths = np.asarray(X, dtype=float), [learner.output(label) for label in np.asarray(Y)]
    expected, losses, drawn = [], [], []
    for x, true in zip(features, truths, strict=True):
        expected.append(learner.expected_target(x, true))
        losses.append(learner.loss(x, true))
        drawn.append(target_of(learner, learner.predict(x), true))
        learner.update(x, true)
    loss, norm = _comparator(learner, features, np.array(truths), iterations)
    bound = learner.alpha * loss + learner.regret * norm**2
    return StructuredRun(np.array(expected), np.array(losses), np.array(drawn), loss, norm, bound)


def target_of(learner: StructuredGaptron, guess: Floats, true: Floats) -> float:
    """L(guess, true)."""
    if isinstance(learner.theorem.target, ZeroOne):
        return float(not np.array_equal(guess, true))
    if isinstance(learner.theorem.target, Hamming):
        return float(np.abs(guess - true).astype(bool).mean())
    places = [int(np.argmin(((learner.means.vectors - y) ** 2).sum(axis=1))) for y in (guess, true)]
    return float(learner.means.table[places[0], places[1]])


def _comparator(learner: StructuredGaptron, X: Floats, Y: Floats, iterations: int) -> tuple[float, float]:
    """Total loss and Frobenius norm of a U with a small bound: a descent from zero, any of whose points is valid."""
    weight = learner.alpha * learner.scale

    def bound(flat: Floats) -> tuple[float, Floats]:
        total, means = learner.means.surrogates(X @ flat.reshape(learner.W.shape).T, Y)
        slope = weight * ((means - Y).T @ X).ravel() + 2 * learner.regret * flat
        return weight * total + learner.regret * float(flat @ flat), slope

    U = descended(bound, np.zeros(learner.W.shape), iterations)
    square = float((U * U).sum())
    return (bound(U.ravel())[0] - learner.regret * square) / learner.alpha, float(np.sqrt(square))
