"""The states any learner can reach: one learner, put into each of them in turn."""

from collections.abc import Hashable, Sequence
from copy import copy
from typing import Any, NamedTuple

import flint
import numpy as np

from gaptron.expectation.number_systems import DoubleMatrices
from gaptron.learners.arithmetic import Array
from gaptron.learners.banditron import Banditron
from gaptron.learners.learner import Learner, Prediction
from gaptron.learners.perceptron import Perceptron
from gaptron.numbers.kinds import Function, Number, Vector

Successors = tuple[tuple[Number, int], ...]


class CopyOutcome(NamedTuple):
    """P(wrong), and whether the loss is on."""

    wrong: Number
    on: bool


class Copies:
    """What ``Learner.STATE`` names, by number, 0 the learner's own; equal states, bit for bit, are one.

    The numbers are those the learner computes with: doubles, or fractions or balls if it has ``exact = True``.
    """

    def __init__(self, learner: Learner) -> None:
        self.learner, self.full = copy(learner), learner.feedback == "full"
        self.kind = DoubleMatrices() if learner._arithmetic.dtype is float else None
        self.number: Function = self.learner._arithmetic.number
        self.additive = type(learner) in (Banditron, Perceptron)
        self._states: list[list[Number | Array]] = []
        self._numbers: dict[Hashable, int] = {}
        self.rounds: list[tuple[Vector, int]] = []
        self._points: dict[Hashable, int] = {}
        self._features: list[Array] = []
        self._outcomes: dict[tuple[int, int], CopyOutcome] = {}
        self._successors: dict[tuple[int, int], Successors] = {}
        self._numbered()

    def point(self, x: Sequence[Number], label: int) -> int:
        """The number of a round (features, label)."""
        key = tuple(x), label
        if key not in self._points:
            self._features.append(self.learner._features(list(x)))
            self._points[key] = len(self.rounds)
            self.rounds.append(key)
        return self._points[key]

    def span(self, vectors: Sequence[Sequence[Number]]) -> None:
        """The states are equal if all that they consist of is."""

    def weights(self, state: int) -> list[list[Number]]:
        """W as a list of rows."""
        self._enter(state)
        W: Any = self.learner.W  # type: ignore[attr-defined]
        return W.tolist()  # type: ignore[no-any-return]

    def at(self, state: int) -> Learner:
        """A learner of its own in this state."""
        found = copy(self.learner)
        self._put(found, state)
        return found

    def outcome(self, state: int, point: int) -> CopyOutcome:
        """What a round does in this state; an abstention is not wrong."""
        if (state, point) not in self._outcomes:
            prediction, label = self._prediction(state, point)
            labels = prediction.probabilities[: self.learner.n_classes]
            wrong = sum(np.delete(labels, label), self.number(0))
            self._outcomes[state, point] = CopyOutcome(wrong, not self.learner._loss(prediction, label)[1])
        return self._outcomes[state, point]

    def successors(self, state: int, point: int) -> Successors:
        """The states after the round, each with its probability."""
        if (state, point) not in self._successors:
            self._successors[state, point] = (self._after_label if self.full else self._after_draw)(state, point)
        return self._successors[state, point]

    def settled(self, state: int, point: int) -> bool:
        """Nothing is known of what this learner does for ever."""
        return False

    def _after_label(self, state: int, point: int) -> Successors:
        prediction, label = self._prediction(state, point)
        self.learner._learn_label(prediction, label)
        return ((self.number(1), self._numbered()),)

    def _after_draw(self, state: int, point: int) -> Successors:
        shares: dict[int, Number] = {}
        prediction, label = self._prediction(state, point)
        for drawn, share in enumerate(prediction.probabilities):
            if share != 0:
                after = self._after(state, prediction, drawn, drawn == label)
                shares[after] = shares[after] + share if after in shares else share
        return tuple((share, after) for after, share in shares.items())

    def _after(self, state: int, prediction: Prediction, drawn: int, correct: bool) -> int:
        if not (correct or self.learner.learns_when_wrong):
            return state
        self._enter(state)
        self.learner._learn_correct(prediction, drawn, correct, prediction.probability(drawn))
        return self._numbered()

    def _prediction(self, state: int, point: int) -> tuple[Prediction, int]:
        self._enter(state)
        return self.learner._prediction(self._features[point]), self.rounds[point][1]

    def _enter(self, state: int) -> None:
        self._put(self.learner, state)

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
