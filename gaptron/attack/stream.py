"""An exact stream with its comparator: what an attack finds, and what a witness holds."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from gaptron.bounds.sides import Game, Sides
from gaptron.theory.losses import SoftmaxLoss
from gaptron.theory.theorem import Theorem

Vector = tuple[Fraction, ...]
Block = tuple[Vector, int, int]


@dataclass(frozen=True)
class Attack:
    """Blocks of equal rounds for K classes, and U.

    Attributes
    ----------
    n_classes : int
        K.
    blocks : tuple of (features, label, number of rounds)
        Features are tuples of d Fractions with ||x|| <= 1; labels are in 0..K-1.
    comparator : tuple of tuples of d Fractions
        U: K rows, one for a BinaryLoss.
    radius : Fraction, optional
        D; bandit feedback only, where ||U|| <= D.
    """

    n_classes: int
    blocks: tuple[Block, ...]
    comparator: tuple[Vector, ...]
    radius: Fraction | None = None

    @property
    def horizon(self) -> int:
        """T."""
        return sum(count for _, _, count in self.blocks)

    @cached_property
    def n_features(self) -> int:
        """d."""
        return len(self.blocks[0][0])

    def game(self, theorem: Theorem) -> Game:
        """The theorem at this attack's K, D and T, with X = 1."""
        bandit = theorem.feedback == "bandit"
        return Game(theorem, self.n_classes, self.horizon if bandit else None, self.radius)

    def sides(self, theorem: Theorem) -> Sides:
        """Both sides of the bound: in fractions where they stay short, else in balls.

        Raises
        ------
        ValueError
            If the theorem does not speak of such a stream.
        gaptron.numbers.evaluate.UncertainError
            If balls cannot settle a branch.
        """
        game = self.game(theorem)
        arithmetic = "rational" if self._is_rational(game) else "ball"
        return game.sides_of_blocks(self.blocks, self.comparator, arithmetic=arithmetic)

    def _is_rational(self, game: Game) -> bool:
        """With bandit feedback fractions double in length with every update, and projections need roots."""
        return not game.bandit and not isinstance(game.theorem.loss, SoftmaxLoss) and _is_fraction(game.learning_rate)


def _is_fraction(number: Any) -> bool:
    return isinstance(number, Fraction)
