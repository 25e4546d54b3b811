"""An exact stream with its comparator: what an attack finds, and what a witness holds."""

from dataclasses import dataclass

from gaptron.bounds.sides import Sides
from gaptron.bounds.stream import ExactStream, Matrix, is_rational
from gaptron.theory.theorem import Theorem


@dataclass(frozen=True)
class Attack:
    """A stream with ||x|| <= 1, in blocks, and U: K rows of d fractions, one for a BinaryLoss."""

    stream: ExactStream
    comparator: Matrix

    def sides(self, theorem: Theorem) -> Sides:
        """Both sides of the bound: in fractions where they stay short, else in balls.

        With bandit feedback fractions double in length with every update, and projections need roots.

        Raises
        ------
        ValueError
            If the theorem does not speak of such a stream.
        gaptron.numbers.evaluate.UncertainError
            If balls cannot settle a branch.
        """
        if theorem.abstention_cost is not None:
            raise ValueError(f'theorem "{theorem.name}" is about abstaining: it bounds a cost, not mistakes')
        game = self.stream.game(theorem)
        arithmetic = "rational" if not game.bandit and is_rational(game) else "ball"
        return game.sides_of_blocks(self.stream.blocks, self.comparator, arithmetic=arithmetic)
