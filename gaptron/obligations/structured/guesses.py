"""Guesses in floats about claims of one variable in (0, 1): what follows from them is a claim that must be proved."""

from collections.abc import Sequence

import numpy as np
import sympy as sp

from gaptron.obligations.claims import Sequent
from gaptron.structured.theorem import StructuredTheorem, sampled_sizes

SAMPLES = np.linspace(0, 1, 402)[1:-1]
SLACK = 1e-9


def seems_true(theorem: StructuredTheorem, claims: Sequence[Sequent]) -> bool:
    """Whether the claims hold at some points, for some of the sizes claimed."""
    return all(_holds(theorem, claim, size) for claim in claims for size in sampled_sizes(theorem))


def _holds(theorem: StructuredTheorem, claim: Sequent, size: int) -> bool:
    values = {symbol: symbol.low or symbol.high or 1 for symbol in theorem.parameters} | {theorem.size: size}
    difference = (claim.then.lhs - claim.then.rhs).subs(values) * (-1 if isinstance(claim.then, sp.Le) else 1)
    (variable,) = claim.then.free_symbols - values.keys() or {sp.Dummy()}
    inside = np.ones(SAMPLES.shape, dtype=bool)
    with np.errstate(all="ignore"):
        for relation in claim.given:
            if relation.free_symbols == {variable}:
                inside &= np.asarray(sp.lambdify(variable, relation, "numpy")(SAMPLES), dtype=bool)
        found = np.broadcast_to(np.asarray(sp.lambdify(variable, difference, "numpy")(SAMPLES)), SAMPLES.shape)
    return not np.any(found[inside] < -SLACK)
