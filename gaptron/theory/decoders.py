"""Decoders: from scores to a distribution over labels. Gaptron's mixes the top label with uniform by a gap map.

The best decoder (``gaptron.rounds.needs``) gives every label the probability that its loss and gradient ask for,
and the rest to the top label.
"""

from dataclasses import dataclass
from typing import ClassVar

import sympy as sp

from gaptron.symbols import K, m, p
from gaptron.system.final import final
from gaptron.theory.refusals import Readings, hidden, named
from gaptron.theory.user_expressions import expression, readings

__tracebackhide__ = hidden


@final
@named
@dataclass(frozen=True)
class GapMap:
    """The probability a of predicting uniformly at random, in the top margin ``m`` >= 0 (and ``K``).

    For softmax losses it is written in ``p``, the largest softmax probability. For binary losses ``m`` is abs(z).

    Examples
    --------
    >>> from sympy import Min
    >>> from gaptron import GapMap
    >>> from gaptron.symbols import m
    >>> GapMap((1 - Min(1, m)) ** 2).expression
    (1 - Min(1, m))**2
    """

    expression: sp.Expr
    readings: ClassVar[Readings] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "readings", readings(self.expression, "GapMap"))
        object.__setattr__(self, "expression", expression(self.expression, "GapMap", (m, p, K)))
