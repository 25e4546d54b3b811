"""The intervals on which a loss is smooth; what falls for certain, and what is not said to."""

from fractions import Fraction as F
from itertools import pairwise
from math import inf
from typing import Any

import pytest
import sympy as sp
from sympy import Abs, Eq, Max, Min, Ne, Piecewise, Rational, exp, log, sqrt

from gaptron.door.reading import read
from gaptron.expectation.states import settles
from gaptron.language.relations import Relation
from gaptron.numbers.evaluate import evaluate, value_at
from gaptron.numbers.sections import falls, sections
from gaptron.symbols import m, p
from gaptron.theory.named import MULTICLASS, named_theorem

MARGINS, SHARES = inf, F(1)  # from 0 on
HALF = Rational(1, 2)
FALLING = [
    (1 - m, MARGINS),
    (Max(1 - m, 0) ** 2, MARGINS),
    (Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True)), MARGINS),
    ((1 - Min(1, m)) ** 2, MARGINS),
    (exp(-m), MARGINS),
    (log(1 + exp(-m), 2), MARGINS),
    (sp.Integer(1), MARGINS),
    (1 / (1 + m**2), MARGINS),
    (Piecewise((exp(-m), m < 1), (0, True)), MARGINS),
    (Piecewise((1 - m, m < HALF), (Rational(1, 4), m <= 1), (0, True)), MARGINS),
    (-log(p, 2), SHARES),
    (Piecewise((1 - p, p >= HALF), (1, True)), SHARES),
]
NOT_FALLING = [
    (m, MARGINS),
    ((1 - m) ** 2, MARGINS),
    (Abs(m - 1), MARGINS),
    (Piecewise((1 - m, m < 1), (HALF, m < 2), (0, True)), MARGINS),  # it jumps upwards
    (Piecewise((1 - m, m < 1), (m - 1, True)), MARGINS),
    (Piecewise((1 - m, m < 1), (2, Eq(m, 1)), (0, True)), MARGINS),  # at one point alone
    (Piecewise((0, Eq(m, 0)), (1, True)), MARGINS),
    (Piecewise((1 - p, p < HALF), (1, True)), SHARES),
    (Piecewise((1 - p, p < 1), (HALF, True)), SHARES),
]
NOT_SEEN = [
    Piecewise((1, m**2 < 2), (0, True)),  # a section ends at no fraction
    Piecewise((1, m < 2), (0, m > 3)),  # it has no value in between
    1 / m + exp(m),
    Piecewise((1, m**3 < 2), (log(m - 1), True)),
    m / (1 + m) - 2 * m,  # its slope is neither a line nor of one sign by its form
]


@pytest.mark.parametrize(("expr", "high"), FALLING)
def test_what_falls(expr: Any, high: Any) -> None:
    assert falls(read(expr), str(next(iter(expr.free_symbols), m)), F(0), high)


@pytest.mark.parametrize(("expr", "high"), NOT_FALLING)
def test_what_rises_somewhere(expr: Any, high: Any) -> None:
    variable = next(iter(expr.free_symbols))
    assert not falls(read(expr), str(variable), F(0), high)
    at = [evaluate(expr, {variable: F(n, 8)}) for n in range(0, 9 if variable == p else 24)]
    assert any(before < after for before, after in pairwise(at))


@pytest.mark.parametrize("expr", NOT_SEEN, ids=str)
def test_what_is_not_seen_to_fall(expr: Any) -> None:
    assert not falls(read(expr), "m", F(0))


def test_what_is_switched_off_does_not_settle() -> None:
    assert [name for name in MULTICLASS if settles(named_theorem(name), 3)] == ["logistic", "smooth hinge"]


@pytest.mark.parametrize(
    ("expr", "ends"),
    [
        (Max(1 - m, 0), [1]),
        (Max(1 - m, 0, HALF - m), [HALF, 1]),
        (Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True)), [0, 1]),
        (Piecewise((1, m**2 < 2), (0, True)), [-sqrt(2), sqrt(2)]),
        (Piecewise((1, m**3 - m > 1), (0, True)), [sp.CRootOf(m**3 - m - 1, 0)]),
        (Piecewise((1, m * log(2) < 3), (0, True)), [3 / log(2)]),
        (Piecewise((1, m**2 * log(2) < sp.pi * m), (0, True)), [0, sp.pi / log(2)]),
        (Piecewise((1, m**2 * log(2) < -1), (m, True)), []),
        (Max(exp(-m), 2), [-log(2)]),
        (Max(exp(1 - 2 * m), -2), []),
        (Max(log(m + 1), 2), [-1, exp(2) - 1]),
        (Piecewise((0, Ne(m, 7)), (1, True)), [7]),
        ((m - 1) ** 2, []),
    ],
    ids=str,
)
def test_sections_end_where_sympy_says_and_have_its_values(expr: Any, ends: list[Any]) -> None:
    found = sections(read(expr), "m")
    assert [float(part.low) for part in found[1:]] == pytest.approx([float(end) for end in ends][-len(found) + 1 :])
    assert found[-1].high == inf
    for part in found:
        at = 50 if part.low == -inf and part.high == inf else None
        low = float(part.high) - 2 if part.low == -inf else float(part.low)
        high = float(part.low) + 2 if part.high == inf else float(part.high)
        place = F(at if at is not None else (low + high) / 2).limit_denominator(100)
        assert float(value_at(part.value, {"m": place})) == pytest.approx(float(expr.subs(m, Rational(place))))


def test_where_no_branch_holds_there_is_no_section() -> None:
    assert [(s.low, s.high) for s in sections(read(Piecewise((1, m < 2), (0, m > 3))), "m")] == [(-inf, 2), (3, inf)]
    assert sections(("pieces", (F(1), Relation("<", ("^", "m", 2), F(0)))), "m") == []


@pytest.mark.parametrize(
    "expr",
    [
        Piecewise((1, exp(-m) + m < 2), (0, True)),
        Piecewise((1, m**3 * log(2) + m < 1), (0, True)),
        Piecewise((1, m < sqrt(2)), (2, m**2 < 2), (3, True)),
        Piecewise((1, sqrt(m) < 2), (0, True)),
    ],
    ids=str,
)
def test_an_end_that_is_not_computed_is_said(expr: Any) -> None:
    with pytest.raises(NotImplementedError, match="not computed"):
        sections(read(expr), "m")
