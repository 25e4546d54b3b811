"""The loss of a comparator U on a round."""

from collections.abc import Callable
from typing import Any

from gaptron.expectation.arithmetic import ARITHMETICS
from gaptron.expectation.scores import start
from gaptron.numbers.kinds import Kind, Number
from gaptron.rounds import Lists, Surrogate
from gaptron.rounds.layouts import Scores
from gaptron.theory.losses import Loss

LossOfScores = Callable[[Scores, int], Number]


def comparator_loss(U: Any, loss: Loss | LossOfScores, arithmetic: str) -> LossOfScores:
    """loss(U x, label) as a function of (x, label), for U of shape (K, d), or (1, d) for one weight vector."""
    kind = ARITHMETICS[arithmetic]()
    scores = start(kind, U.tolist())
    of_scores = loss if callable(loss) else loss_of_scores(loss, max(2, len(U)), kind)
    return lambda x, label: of_scores(scores(kind.column(x)), label)


def loss_of_scores(loss: Loss, n_classes: int, kind: Kind) -> LossOfScores:
    """The loss as a function of (scores, label), as if it were on in every round."""
    surrogate = Surrogate(loss, n_classes, Lists(kind))
    return lambda scores, label: surrogate.at(scores).value(label)
