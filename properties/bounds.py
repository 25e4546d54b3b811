"""Both sides of Theorems 2 and 3 on a stream, in fractions."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from gaptron import Gaptron
from gaptron.learners.learner import Run
from properties import formulas
from properties.strategies import Matrix, Stream

SCALES = (Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4))


def run(loss: formulas.Loss, stream: Stream) -> tuple[Gaptron, Run]:
    """The exact learner after the stream. Its weights do not depend on its draws, as it sees every label:
    the expected mistakes are the sum of 1 - p'(y), exactly."""
    K, X, y = stream
    learner = Gaptron(K, len(X[0]), loss=loss.name, exact=True, seed=0)
    return learner, learner.run(X, y)


def comparators(learner: Gaptron, given: list[Matrix]) -> Iterator[Matrix]:
    """The given weights, and multiples of the learner's last ones."""
    yield from given
    for scale in SCALES:
        yield (learner.W * scale).tolist()


def bound(loss: formulas.Loss, stream: Stream, done: Run, U: Matrix) -> Fraction:
    """sum loss_t(U) + regret ||U||^2; loss_t is zero on the rounds that were off at the learner's weights."""
    _, X, y = stream
    margins = [formulas.margin(formulas.scores(U, x), k) for x, k in zip(X, y, strict=True)]
    total = sum((loss.phi(v) for v, off in zip(margins, done.off, strict=True) if not off), Fraction(0))
    return total + loss.regret * formulas.squared_norm(U)


def slack(loss: formulas.Loss, stream: Stream, given: list[Matrix]) -> Fraction:
    """The least right-hand side over all comparators, minus the expected mistakes."""
    learner, done = run(loss, stream)
    return min(bound(loss, stream, done, U) for U in comparators(learner, given)) - done.expected_mistakes


def first_round_gap(loss: formulas.Loss, W: Matrix, x: list[Fraction], y: int) -> Fraction:
    """The exact learner's surrogate gap on one round at the weights W."""
    learner = Gaptron(len(W), len(x), loss=loss.name, exact=True)
    learner.W = np.array(W, dtype=object)
    gradient = np.outer(learner.surrogate.score_gradient(learner.W @ np.array(x, dtype=object), y), x)
    return 1 - learner.predict_proba(x)[y] - learner.loss(x, y) + loss.eta / 2 * (gradient**2).sum()
