"""What streams could notice: on how many of them a bad learner would break the bound."""

from dataclasses import dataclass
from typing import Any

from gaptron.bounds.comparators import bound_without_masks
from gaptron.bounds.sides import Game
from gaptron.bounds.stream import ExactStream

ROUNDING = 1e-9


@dataclass
class Power:
    """Of so many streams, on how many the bound is below T, and below T (K - 1)/K.

    On the first a learner that is always wrong breaks it, on the second one that guesses uniformly.

    Examples
    --------
    >>> from gaptron.testing import Power
    >>> print(Power(streams=100, always_wrong=80, guessing=40))
    of 100 streams an always-wrong learner would break the bound on 80, a uniform guesser on 40
    """

    streams: int = 0
    always_wrong: int = 0
    guessing: int = 0

    def see(self, game: Game, stream: ExactStream, U: Any = None) -> None:
        """Count a stream; the bound is that of ``U``, by default of the strongest comparator found."""
        bound, T, K = bound_without_masks(game, stream, U) + ROUNDING, stream.horizon, game.n_classes
        self.streams += 1
        self.always_wrong += bound < T
        self.guessing += bound < T * (K - 1) / K

    def add(self, other: "Power") -> None:
        """Count what another one has counted."""
        self.streams += other.streams
        self.always_wrong += other.always_wrong
        self.guessing += other.guessing

    def __str__(self) -> str:
        return (
            f"of {self.streams} streams an always-wrong learner would break the bound on {self.always_wrong}, "
            f"a uniform guesser on {self.guessing}"
        )
