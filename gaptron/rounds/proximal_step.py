"""What a proximal step is: min_delta loss_y(theta + delta) + c ||delta||^2, and how it moves the scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from gaptron.numbers.kinds import Number


@dataclass(frozen=True)
class Proximal:
    """How the (K,) scores move, (1,) for one weight vector, and a number that the envelope is not below.

    In balls both contain what they stand for; moves that are equal for certain are one object.
    """

    move: Sequence[Number]
    least: Number


class ProximalSteps(Protocol):
    """Of one loss and one K, in one kind of numbers."""

    def step(self, scores: Sequence[Number], label: int, c: Number) -> Proximal:
        """The step at these scores for this label, c in units of X^2/||x||^2."""

    def envelopes(self, scores: Sequence[Number], c: Number) -> list[Number]:
        """``least`` of every label, or any number from 1 to it: from 1 on a label needs nothing."""
