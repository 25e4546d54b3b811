"""The parameter of a loss of one's own, chosen for the largest learning rate of the given gap map."""

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import sympy as sp

from gaptron.expressions import TheoremError
from gaptron.obligations.constraint import Constraint
from gaptron.sharpen.constraints import gap_constraints
from gaptron.sharpen.search import contacts
from gaptron.symbols import Parameter
from gaptron.theorem import Theorem

PLACES = 9
ROUNDS = 8
DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 100, 10**3, 10**5)
AS_GOOD = 1e-9


def choose(theorem: Theorem) -> dict[Parameter, Fraction]:
    """The best value found for the theorem's parameter, at its smallest K; nothing if it has none.

    Raises
    ------
    TheoremError
        If it has several parameters, or one without both bounds.
    """
    if not theorem.parameters:
        return {}
    parameter = theorem.parameters[0]
    if len(theorem.parameters) > 1 or parameter.low is None or parameter.high is None:
        names = ", ".join(map(str, theorem.parameters))
        raise TheoremError(f"the parameters {names} cannot be optimised: one parameter with both bounds is needed")
    constraints = list(gap_constraints(theorem))
    low, high = Fraction(str(parameter.low)), Fraction(str(parameter.high))

    def rate(value: Fraction) -> float:
        found = contacts(_at(constraints, parameter, value), theorem.first_class_count)
        return found[0].rate if found else -np.inf

    best = _climbed(rate, low, high)
    return {parameter: _simplest(rate, best, low, high)}


def _at(constraints: Sequence[Constraint], parameter: Parameter, value: Fraction) -> list[Constraint]:
    exact = {parameter: sp.Rational(value)}
    put = [
        Constraint(c.kind, tuple(r.subs(exact) for r in c.region), c.fixed.subs(exact), c.slope.subs(exact))
        for c in constraints
    ]
    kept = [c for c in put if sp.false not in c.region]
    return [Constraint(c.kind, tuple(r for r in c.region if r != sp.true), c.fixed, c.slope) for c in kept]


def _climbed(rate: Callable[[Fraction], float], low: Fraction, high: Fraction) -> Fraction:
    """A grid, again and again around its best point."""
    left, right = low, high
    best = low
    for _ in range(ROUNDS):
        grid = [left + (right - left) * Fraction(i, PLACES - 1) for i in range(PLACES)]
        best = max(grid, key=rate)
        width = (right - left) / (PLACES - 1)
        left, right = max(low, best - width), min(high, best + width)
    return best


def _simplest(rate: Callable[[Fraction], float], best: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """The simplest number nearby that is as good."""
    goal = rate(best)
    for denominator in DENOMINATORS:
        near = best.limit_denominator(denominator)
        if low <= near <= high and rate(near) >= goal * (1 - AS_GOOD):
            return near
    return best
