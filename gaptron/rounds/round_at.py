"""What a loss says at scores."""

from typing import Any, Protocol

from gaptron.numbers.kinds import Number
from gaptron.rounds.layouts import Flags, Labels, Scores, Slopes


class RoundAt(Protocol):
    """What a surrogate says at scores: numbers of its layout, arrays (n,) for arrays of rounds."""

    layout: Any
    surrogate: Any
    scores: Scores

    @property
    def top(self) -> Labels:
        """The predicted label y*: the lowest among the largest scores."""

    @property
    def gap(self) -> Number:
        """The gap map."""

    def off(self, label: Labels) -> Flags:
        """Whether the loss is switched off: the top label is right with m* > off_above."""

    def value(self, label: Labels) -> Number:
        """The loss, as if it were on."""

    def slopes(self, label: Labels, rate: Number = 1) -> Slopes:
        """``rate`` times the gradient in the scores (in z for one weight vector), as if the loss were on."""
