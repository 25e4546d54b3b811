"""Whether a loss looks convex in W, in doubles: a hint about what to ask first, never a verdict."""

from collections.abc import Iterator

import numpy as np
import sympy as sp

from gaptron.numbers.arrays import Arrays, on_arrays
from gaptron.obligations import reduction_of
from gaptron.obligations.sequents import claims_more_than_two
from gaptron.prove.refute import any_value
from gaptron.rounds.geometry import geometry_of
from gaptron.symbols import K
from gaptron.theory.theorem import Theorem

SCORES = np.linspace(-12, 12, 961)  # of one label against zeros
RELATIVE = 1e-9


def looks_convex(theorem: Theorem) -> bool:
    """Whether values on a line of scores are never above their chords, and for K >= 3 never rise with the margin."""
    n_classes = theorem.first_class_count
    own = {parameter: sp.Rational(any_value(parameter)) for parameter in theorem.parameters}
    may_not_rise = claims_more_than_two(theorem) and reduction_of(theorem).why_falling is not None
    for values in _values(theorem, own | {K: sp.Integer(n_classes)}, n_classes):
        steps = np.diff(values)
        allowed = RELATIVE * np.maximum(1, np.abs(values))
        if np.any(np.diff(steps) < -allowed[1:-1]):
            return False
        if may_not_rise and np.any(steps > allowed[1:]):
            return False
    return True


def _values(theorem: Theorem, own: dict[sp.Symbol, sp.Rational], n_classes: int) -> Iterator[Arrays]:
    """The loss at the scores; values that are not finite are ends of the line."""
    loss = theorem.loss
    at = 1 / (1 + (n_classes - 1) * np.exp(-SCORES)) if geometry_of(loss).is_transcendental else SCORES
    found = [on_arrays(expr.subs(own), variable)(at) for _, expr, variable in loss.functions]
    for values in found:
        yield values[np.isfinite(values)]
