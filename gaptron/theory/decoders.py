"""Decoders: from scores to a distribution over labels. Gaptron's mixes the top label with uniform by a gap map.

The best decoder gives every label the probability that its loss and gradient ask for, and the rest to the top label.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add
from typing import ClassVar

import sympy as sp

from gaptron.numbers.evaluate import Number, ball, evaluate, is_less
from gaptron.symbols import K, m, p
from gaptron.theory.expressions import Readings, expression, readings
from gaptron.theory.losses import Loss, Scores, SoftmaxLoss, margin, softmax, top_label


@dataclass(frozen=True)
class GapMap:
    """The probability a of predicting uniformly at random, in the top margin ``m`` >= 0 (and ``K``).

    For softmax losses it is written in ``p``, the largest softmax probability. For binary losses ``m`` is abs(z).
    """

    expression: sp.Expr
    readings: ClassVar[Readings] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "readings", readings(self.expression, "GapMap"))
        object.__setattr__(self, "expression", expression(self.expression, "GapMap", (m, p, K)))

    def value(self, scores: Scores, loss: Loss) -> Number:
        """a at these (K,) rational scores, for a round of ``loss``."""
        top = top_label(scores)
        argument = softmax(scores)[top] if isinstance(loss, SoftmaxLoss) else margin(scores, top)
        return evaluate(self.expression, {m: argument, p: argument, K: Fraction(len(scores))})


def need(loss: Loss, eta: Number, scores: Scores, label: int, sides: tuple[int, ...] = (1, -1)) -> Number:
    """1 - loss + (eta/2) ||g||^2 of a round with ||x|| = 1: the least P(correct) that keeps its gap at most 0.

    At a kink the larger of the ``sides`` counts, 1 for the derivative from the right and -1 from the left.
    """
    loss_value = loss.value(scores, label)
    squares = [total(part * part for part in loss.score_gradient(scores, label, side)) for side in sides]
    largest = squares[-1] if squares[0] != squares[-1] and is_less(squares[0], squares[-1]) else squares[0]
    loss_value, eta, largest = alike(loss_value, eta, largest)
    return 1 - loss_value + eta / 2 * largest


def alike(*values: Number) -> list[Number]:
    """The numbers as fractions if all of them are, else as balls."""
    return list(values) if all(isinstance(value, Fraction) for value in values) else list(map(ball, values))


def total(values: Iterable[Number]) -> Number:
    """The sum of fractions and balls."""
    return reduce(add, alike(*values))


def positive_part(value: Number) -> Number:
    """max(0, value)."""
    return max(value, Fraction(0)) if isinstance(value, Fraction) else value.max(0)


@dataclass(frozen=True)
class BestDecoder:
    """P(label) = max(0, 1 - loss + (eta/2) ||g||^2), and what is left for the top label.

    Parameters
    ----------
    loss : MarginLoss, SoftmaxLoss or BinaryLoss
    learning_rate : Fraction or ball
        In units of 1/X^2; at most the certified one of ``gaptron sharpen``.
    sides : tuple of 1 and -1
        Whose gradients count at a kink; see ``need``.
    """

    loss: Loss
    learning_rate: Number
    sides: tuple[int, ...] = (1, -1)

    def __call__(self, scores: Scores) -> list[Number]:
        """The (K,) probabilities at these (K,) exact scores.

        Raises
        ------
        ValueError
            If the needs sum to more than 1: the learning rate is too large for the loss.
        """
        needs = self.needs(scores)
        rest = 1 - total(needs)
        if is_less(rest, Fraction(0)):
            raise ValueError(
                f"no prediction exists at scores {[str(v) for v in scores]}: the learning rate is too large"
            )
        top = top_label(scores)
        return [total((needed, rest)) if k == top else needed for k, needed in enumerate(needs)]

    def needs(self, scores: Scores) -> list[Number]:
        """The least probability of every label."""
        return [positive_part(need(self.loss, self.learning_rate, scores, k, self.sides)) for k in range(len(scores))]
