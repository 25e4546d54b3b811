"""What falls for certain, and what is not said to."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
import sympy as sp
from sympy import Abs, Max, Min, Piecewise, Rational, exp, log

from gaptron.expectation.states import settles
from gaptron.numbers.slopes import falls
from gaptron.symbols import m, p
from gaptron.theory.named import MULTICLASS, named_theorem

MARGINS, SHARES = sp.Interval(0, sp.oo), sp.Interval.Lopen(0, 1)
HALF = Rational(1, 2)
FALLING = [
    (1 - m, MARGINS),
    (Max(1 - m, 0) ** 2, MARGINS),
    (Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True)), MARGINS),
    ((1 - Min(1, m)) ** 2, MARGINS),
    (exp(-m), MARGINS),
    (sp.Integer(1), MARGINS),
    (-log(p, 2), SHARES),
    (Piecewise((1 - p, p >= HALF), (1, True)), SHARES),
]
NOT_FALLING = [
    (m, MARGINS),
    ((1 - m) ** 2, MARGINS),
    (Abs(m - 1), MARGINS),
    (Piecewise((1 - m, m < 1), (HALF, m < 2), (0, True)), MARGINS),  # it jumps upwards
    (Piecewise((1 - m, m < 1), (m - 1, True)), MARGINS),
    (Piecewise((1 - p, p < HALF), (1, True)), SHARES),
]


@pytest.mark.parametrize(("expr", "domain"), FALLING)
def test_what_falls(expr: Any, domain: sp.Interval) -> None:
    assert falls(expr, next(iter(expr.free_symbols), m), domain)


@pytest.mark.parametrize(("expr", "domain"), NOT_FALLING)
def test_what_rises_somewhere(expr: Any, domain: sp.Interval) -> None:
    variable = next(iter(expr.free_symbols))
    assert not falls(expr, variable, domain)
    at = [expr.subs(variable, Fraction(n, 8)) for n in range(1, 8 if variable == p else 24)]
    assert any(before < after for before, after in pairwise(at))


def test_what_is_switched_off_does_not_settle() -> None:
    assert [name for name in MULTICLASS if settles(named_theorem(name), 3)] == ["logistic", "smooth hinge"]
