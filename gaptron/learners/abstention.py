"""Learners that may abstain: what they share, whatever it is that they learn."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, cast

import numpy as np

from gaptron.learners.arithmetic import Array
from gaptron.learners.learner import Distribution, Learner
from gaptron.learners.record import Run
from gaptron.numbers.kinds import Number
from gaptron.system.checks import Given


@dataclass(frozen=True, eq=False)
class AbstentionRun(Run):
    """A stream of T rounds with abstentions: a wrong label costs 1, abstaining costs c; arrays have shape (T,).

    ``mistakes``, ``wrong``, ``expected_mistakes`` and ``probability_wrong`` count wrong labels, not abstentions.

    Attributes
    ----------
    cost : float
        mistakes + c (number of abstentions).
    expected_cost : float
        The sum of probability_wrong + c abstain_probability. The weights do not depend on the draws, so this is
        the exact expectation of ``cost``.
    abstained : bool array
        Whether the learner abstained.
    abstain_probability : array
        The probability of abstaining.
    """

    cost: float
    expected_cost: float
    abstained: Array
    abstain_probability: Array


@dataclass(frozen=True)
class Abstention(Distribution):
    """The top label, or abstaining with probability ``abstain``; ``scores`` has shape (K,)."""

    scores: Array
    abstain: float
    seen: Any = None

    @classmethod
    def at(cls, x: Array, scores: Array, top: int, abstain: float, seen: Any = None) -> "Abstention":
        """(1 - abstain) e_top and, as the last of K + 1 entries, abstain."""
        shares = np.zeros(len(scores) + 1)
        shares[top], shares[-1] = 1 - abstain, abstain
        return cls(x, shares, scores, abstain, seen)


class AbstainingLearner(Learner):
    """A learner with full information that may abstain: it predicts K + 1 things, the last one being to abstain.

    ``predict_proba`` has shape (K + 1,), and ``predict`` returns ``abstain`` = K to abstain. Labels are 0..K-1,
    and rounds on which it abstains are learned from like any other.
    """

    abstention_cost: Number

    @property
    def abstain(self) -> int:
        """What ``predict`` returns to abstain: K."""
        return self.n_classes

    def run(self, X: Given, y: Given, *, compiled: bool | None = None) -> AbstentionRun:
        """As every learner's, with the rounds on which it abstained, and the cost."""
        return cast(AbstentionRun, super().run(X, y, compiled=compiled))

    def _round(self, x: Array, label: int) -> tuple[Number, ...]:
        """The label drawn, P(right), P(abstaining), the loss and whether that is off."""
        prediction: Any = self._prediction(x)
        drawn = self._draw(prediction)
        loss, off = self._loss(prediction, label)
        self._learn_label(prediction, label)
        return drawn, prediction.probability(label), prediction.abstain, loss, off

    def _summary(self, labels: Sequence[int], records: Sequence[tuple[Number, ...]]) -> AbstentionRun:
        drawn, correct, abstain, loss, off = np.array(records, dtype=float).reshape(-1, 5).T
        abstained = drawn == self.abstain
        wrong = (drawn != np.array(labels)) & ~abstained
        probability_wrong = np.maximum(1 - correct - abstain, 0)
        c = float(self.abstention_cost)
        return AbstentionRun(
            mistakes=int(wrong.sum()),
            expected_mistakes=float(probability_wrong.sum()),
            wrong=wrong,
            probability_wrong=probability_wrong,
            label_probability=correct,
            loss=loss,
            off=off.astype(bool),
            cost=float(wrong.sum() + c * abstained.sum()),
            expected_cost=float((probability_wrong + c * abstain).sum()),
            abstained=abstained,
            abstain_probability=abstain,
        )


def cost_below(value: Number, limit: float) -> Number:
    """``value``, an abstention cost in [0, limit); ValueError otherwise."""
    real: bool = isinstance(value, Real) and not isinstance(value, bool)
    if not (real and 0 <= value < limit):
        raise ValueError(f"abstention_cost = {value!r} is not a number in [0, {limit})")
    return value
