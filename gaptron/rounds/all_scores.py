"""Rounds of losses of all scores: the label's own and those of all its rivals, each of which adds a term."""

from abc import ABC, abstractmethod
from functools import cached_property

from gaptron.numbers.kinds import Function, Number
from gaptron.rounds.layouts import Flags, Labels, Scores, Slopes
from gaptron.rounds.round_at import Compiled


class RoundOfAllScores(ABC):
    """See ``gaptron.rounds.RoundAt``; the gap map is one of the top margin."""

    def __init__(self, surrogate: Compiled, scores: Scores) -> None:
        self.surrogate, self.scores, self.layout = surrogate, scores, surrogate.layout

    @cached_property
    def top(self) -> Labels:
        return self.layout.top(self.scores)

    @property
    def gap(self) -> Number:
        return self.surrogate.gap_map(self.layout.margin(self.scores, self.top)[0])

    def off(self, label: Labels) -> Flags:
        return self.layout.never(self.scores)

    @abstractmethod
    def value(self, label: Labels) -> Number:
        """The loss."""

    @abstractmethod
    def slopes(self, label: Labels, rate: Number = 1) -> Slopes:
        """``rate`` times the gradient in the scores."""


class PairwiseRound(RoundOfAllScores):
    """The sum over k != y of phi(theta_y - theta_k)."""

    def value(self, label: Labels) -> Number:
        return self.layout.summed(self._of_rivals(self.surrogate.values[0], label))

    def slopes(self, label: Labels, rate: Number = 1) -> Slopes:
        slopes = self._of_rivals(self.surrogate.slopes[0], label)
        return self.layout.one_and_rivals(label, rate * self.layout.summed(slopes), [-rate * slope for slope in slopes])

    def _of_rivals(self, function: Function, label: Labels) -> list[Number]:
        own = self.layout.own(self.scores, label)
        found: list[Number] = self.layout.of_rivals(function, [own - score for score in self.scores], label)
        return found


class SeparableRound(RoundOfAllScores):
    """own(theta_y) and the sum over k != y of other(theta_k)."""

    def value(self, label: Labels) -> Number:
        mine, other = self.surrogate.values
        rivals = self.layout.of_rivals(other, self.scores, label)
        return mine(self.layout.own(self.scores, label)) + self.layout.summed(rivals)

    def slopes(self, label: Labels, rate: Number = 1) -> Slopes:
        mine, other = self.surrogate.slopes
        rivals = [rate * slope for slope in self.layout.of_rivals(other, self.scores, label)]
        return self.layout.one_and_rivals(label, rate * mine(self.layout.own(self.scores, label)), rivals)
