"""The round of a theorem: scores and label -> loss, subgradient, switched off, top label, gap map, P(right).

All of it is derived from the theorem's symbolic loss, in every kind of number, one round at a time or in arrays of
them. At a kink the subgradient is the derivative from the right. Formulas of single losses written by hand do not
belong here: they stand in ``learners.compiled`` (speed) and in ``proofs/instances`` (a second route).
"""

from gaptron.rounds.exact import gap, need, needs, score_gradient, softmax, value
from gaptron.rounds.layouts import Columns, Lists, Vectors, margin, margin_and_rival, top_label
from gaptron.rounds.surrogate import RoundAt, Surrogate, of_theorem

__all__ = [
    "Columns",
    "Lists",
    "RoundAt",
    "Surrogate",
    "Vectors",
    "gap",
    "margin",
    "margin_and_rival",
    "need",
    "needs",
    "of_theorem",
    "score_gradient",
    "softmax",
    "top_label",
    "value",
]
