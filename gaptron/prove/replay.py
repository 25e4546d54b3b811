"""One round of the learner itself, in exact arithmetic, on a concrete W, x and label."""

from fractions import Fraction

import flint
import numpy as np

from gaptron.evaluate import Number, ball
from gaptron.learners import BinaryGaptron, Gaptron
from gaptron.learners.exact import ExactSurrogate
from gaptron.losses import BinaryLoss
from gaptron.theorem import Theorem


def surrogate_gap(theorem: Theorem, scores: list[Fraction], label: int, side: int = 1) -> Number:
    """P(wrong) - loss + (eta/2) ||g||^2 of a round with x = (1) and W = the scores as a column.

    The learner predicts and updates; ||g|| is read off its step, W - W' = eta g. At a kink of the loss, ``side``
    chooses the derivative from the right (1, as the learner does by itself) or from the left (-1).
    """
    learner = _learner(theorem, scores)
    assert isinstance(learner.surrogate, ExactSurrogate)  # noqa: S101
    learner.surrogate.side = side
    before = learner.W.copy()
    x = np.array([Fraction(1)], dtype=object)
    wrong = 1 - learner.predict_proba(x)[label]
    loss = learner.loss(x, label)
    learner.update(x, label)
    step = (before - learner.W).ravel()
    return wrong - loss + np.dot(step, step) / (2 * learner.learning_rate)


def _learner(theorem: Theorem, scores: list[Fraction]) -> BinaryGaptron | Gaptron:
    learner: BinaryGaptron | Gaptron
    if isinstance(theorem.loss, BinaryLoss):
        learner, rows = BinaryGaptron(1, loss=theorem, exact=True), [scores[0] - scores[1]]
    else:
        learner, rows = Gaptron(len(scores), 1, loss=theorem, exact=True), scores
    number = ball if isinstance(learner.W.flat[0], flint.arb) else Fraction
    learner.W = np.array([[number(row)] for row in rows], dtype=object)
    return learner
