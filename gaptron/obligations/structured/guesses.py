"""Guesses in floats about claims of one variable in (0, 1): what follows from them is a claim that must be proved."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import sympy as sp

from gaptron.obligations.claims import Sequent
from gaptron.obligations.in_sympy import written
from gaptron.symbols import v
from gaptron.theory.structured.theorem import StructuredTheorem, sampled_sizes

if TYPE_CHECKING:
    from gaptron.numbers.arrays import Arrays

SAMPLES = [n / 401 for n in range(1, 401)]
SLACK = 1e-9


def seems_true(theorem: StructuredTheorem, claims: Sequence[Sequent]) -> bool:
    """Whether the claims hold at some points, for some of the sizes claimed."""
    return all(_holds(theorem, claim, size) for claim in claims for size in sampled_sizes(theorem))


def _holds(theorem: StructuredTheorem, claim: Sequent, size: int) -> bool:
    import numpy as np  # here alone: a check of other theorems does not wait for it

    shown = written(claim)
    values = {symbol: symbol.low or symbol.high or 1 for symbol in theorem.parameters} | {theorem.size: size}
    (variable,) = shown.then.free_symbols - values.keys() or {v}
    sign = -1 if isinstance(shown.then, sp.Le) else 1
    found = _sampled((shown.then.lhs - shown.then.rhs).subs(values), variable) * sign
    given = [relation for relation in shown.given if relation.free_symbols == {variable}]
    inside = [_sampled(sp.Piecewise((1, one), (0, True), evaluate=False), variable) != 0 for one in given]
    return not np.any(np.logical_and.reduce([found < -SLACK, *inside]))


@lru_cache(maxsize=1024)
def _sampled(expr: sp.Expr, variable: sp.Symbol) -> "Arrays":
    """Its values at the samples."""
    import numpy as np

    from gaptron.numbers.arrays import on_arrays

    return on_arrays(expr, variable)(np.array(SAMPLES))
