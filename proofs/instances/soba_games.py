"""Small games of SOBA, in fractions: a stream, a comparator and the parameters, drawn at random."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from .by_hand import dot, eta_loss, margin
from .soba import Path, Vector, paths

ENTRIES = (-2, -1, -1, 0, 1, 1, 2)


@dataclass(frozen=True)
class SobaGame:
    """A stream with what its bounds depend on.

    Attributes
    ----------
    stream : list of T pairs of (d,) Fractions and a label
    U : (K d,) list of Fractions
        The comparator, row after row.
    n_classes : int
        K.
    exploration, regularizer : Fraction
        gamma > 0 and a > 0.
    """

    stream: list[tuple[Vector, int]]
    U: Vector
    n_classes: int
    exploration: Fraction
    regularizer: Fraction

    @cached_property
    def paths(self) -> list[Path]:
        """Every path of SOBA."""
        return paths(self.stream, self.n_classes, self.exploration, self.regularizer)

    @property
    def norm2(self) -> Fraction:
        """X^2 = max ||x||^2."""
        return max(dot(x, x) for x, _ in self.stream)

    @property
    def at(self) -> dict[str, Any]:
        """The setting of an Instance."""
        names = {"stream": self.stream, "U": self.U, "K": self.n_classes}
        return names | {"gamma": self.exploration, "a": self.regularizer}

    def scores(self, x: Vector) -> list[Fraction]:
        """U x."""
        return [dot(self.U[k * len(x) : (k + 1) * len(x)], x) for k in range(self.n_classes)]

    def margins(self) -> list[Fraction]:
        """The margin of U in every round."""
        return [margin(self.scores(x), label)[0] for x, label in self.stream]

    def largest_eta(self) -> Fraction:
        """min(1, 2/(1 + c)), c the largest difference of two scores of U: then c <= (2 - eta)/eta."""
        ranges = [max(scores) - min(scores) for scores in (self.scores(x) for x, _ in self.stream)]
        return min(Fraction(1), 2 / (1 + max(ranges)))

    def losses(self, eta: Fraction) -> Fraction:
        """L_eta(U), the sum of the losses of equations (2) and (3)."""
        return sum((eta_loss(m, eta) for m in self.margins()), Fraction(0))


def draw_game(rng: np.random.Generator, n_rounds: int = 2) -> SobaGame:
    """Two or three classes, one or two features, small fractions; the first round is one with yhat != y."""
    K, d = int(rng.integers(2, 4)), int(rng.integers(1, 3))
    stream = [(draw_vector(rng, d), int(rng.integers(K))) for _ in range(n_rounds)]
    stream[0] = ([Fraction(1)] * d, 1)
    exploration, regularizer = Fraction(int(rng.integers(1, 5)), 4), Fraction(int(rng.integers(1, 5)), 2)
    return SobaGame(stream, [e / 2 for e in draw_vector(rng, K * d)], K, exploration, regularizer)


def draw_vector(rng: np.random.Generator, size: int) -> Vector:
    """Entries among -1, -1/2, 0, 1/2 and 1."""
    return [Fraction(int(entry), 2) for entry in rng.choice(ENTRIES, size)]


def require(condition: bool, what: str) -> None:
    """ValueError unless an instance is one that its claim speaks of."""
    if not condition:
        raise ValueError(f"not an instance of the claim: {what}")
