"""Decoders: from scores to a distribution over labels. Gaptron's mixes the top label with uniform by a gap map."""

from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from gaptron.evaluate import Number, evaluate
from gaptron.expressions import expression
from gaptron.losses import Loss, Scores, SoftmaxLoss, margin, softmax, top_label
from gaptron.symbols import K, m, p


@dataclass(frozen=True)
class GapMap:
    """The probability a of predicting uniformly at random, in the top margin ``m`` >= 0 (and ``K``).

    For softmax losses it is written in ``p``, the largest softmax probability. For binary losses ``m`` is abs(z).
    """

    expression: sp.Expr

    def __post_init__(self) -> None:
        object.__setattr__(self, "expression", expression(self.expression, "GapMap", (m, p, K)))

    def value(self, scores: Scores, loss: Loss) -> Number:
        """a at these (K,) rational scores, for a round of ``loss``."""
        top = top_label(scores)
        argument = softmax(scores)[top] if isinstance(loss, SoftmaxLoss) else margin(scores, top)
        return evaluate(self.expression, {m: argument, p: argument, K: Fraction(len(scores))})
