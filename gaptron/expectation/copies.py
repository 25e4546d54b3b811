"""The states any learner can reach: one learner, put into each of them in turn."""

from collections.abc import Hashable, Sequence
from copy import copy
from typing import Any

import flint
import numpy as np

from gaptron.expectation.number_systems import DoubleMatrices
from gaptron.expectation.walk import Outcome, Process, Successors
from gaptron.learners.arithmetic import Array
from gaptron.learners.banditron import Banditron
from gaptron.learners.learner import Learner, Prediction
from gaptron.learners.perceptron import Perceptron
from gaptron.numbers.kinds import Number, Vector


class Copies(Process):
    """What ``Learner.STATE`` names, by number, 0 the learner's own; equal states, bit for bit, are one.

    The numbers are those the learner computes with: doubles, or fractions or balls if it has ``exact = True``.
    """

    def __init__(self, learner: Learner) -> None:
        super().__init__(learner, DoubleMatrices() if learner._arithmetic.dtype is float else None)
        self.learner, self.number = copy(learner), learner._arithmetic.number
        self.additive = type(learner) in (Banditron, Perceptron)
        self._states: list[list[Number | Array]] = []
        self._numbers: dict[Hashable, int] = {}
        self._features: list[Array] = []
        self._numbered()

    def span(self, vectors: Sequence[Sequence[Number]]) -> None:
        """The states are equal if all that they consist of is."""

    def weights(self, state: int) -> list[list[Number]]:
        self._put(self.learner, state)
        W: Any = self.learner.W  # type: ignore[attr-defined]
        return W.tolist()  # type: ignore[no-any-return]

    def at(self, state: int) -> Learner:
        """A learner of its own in this state."""
        found = copy(self.learner)
        self._put(found, state)
        return found

    def _meet(self, x: Vector, label: int) -> None:
        self._features.append(self.learner._features(list(x)))

    def _outcome(self, state: int, point: int) -> Outcome:
        """An abstention is not wrong."""
        prediction, label = self._prediction(state, point)
        labels = prediction.probabilities[: self.learner.n_classes]
        wrong = sum(np.delete(labels, label), self.number(0))
        return Outcome(wrong, not self.learner._loss(prediction, label)[1])

    def _after(self, state: int, point: int) -> Successors:
        prediction, label = self._prediction(state, point)
        if self.full:
            self.learner._learn_label(prediction, label)
            return ((self.number(1), self._numbered()),)
        shares: dict[int, Number] = {}
        for drawn, share in enumerate(prediction.probabilities):
            if share != 0:
                after = self._after_draw(state, prediction, drawn, drawn == label)
                shares[after] = shares[after] + share if after in shares else share
        return tuple((share, after) for after, share in shares.items())

    def _after_draw(self, state: int, prediction: Prediction, drawn: int, correct: bool) -> int:
        if not (correct or self.learner.learns_when_wrong):
            return state
        self._put(self.learner, state)
        self.learner._learn_correct(prediction, drawn, correct, prediction.probability(drawn))
        return self._numbered()

    def _prediction(self, state: int, point: int) -> tuple[Prediction, int]:
        self._put(self.learner, state)
        return self.learner._prediction(self._features[point]), self.rounds[point][1]

    def _put(self, learner: Learner, state: int) -> None:
        for name, value in zip(learner.STATE, self._states[state], strict=True):
            setattr(learner, name, value.copy() if isinstance(value, np.ndarray) else value)

    def _numbered(self) -> int:
        """The number of the state that the learner is in."""
        values = [getattr(self.learner, name) for name in self.learner.STATE]
        number = self._numbers.setdefault(tuple(map(_key, values)), len(self._states))
        if number == len(self._states):
            self._states.append([value.copy() if isinstance(value, np.ndarray) else value for value in values])
        return number


def _key(value: object) -> Hashable:
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype == object:
        return tuple(map(_exactly, value.ravel().tolist()))
    return value.shape, value.tobytes()


def _exactly(number: Number) -> Hashable:
    """A fraction, or a ball by its centre and radius."""
    if isinstance(number, flint.arb):
        return number.mid().man_exp(), number.rad().man_exp()
    return tuple(number.as_integer_ratio())
