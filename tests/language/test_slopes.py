"""The derivatives from the right and from the left are limits of difference quotients, on kinks too."""

from fractions import Fraction as F

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from gaptron.door.reading import read
from gaptron.language.expressions import Expression
from gaptron.language.relations import Relation
from gaptron.language.slopes import left_derivative, right_derivative
from gaptron.numbers.evaluate import evaluate
from gaptron.symbols import m

STEP = F(1, 10**12)
SMALL = st.integers(-2, 2).map(F)
LINES = st.builds(lambda a, b: ("+", a, ("*", b, "m")), SMALL, SMALL)


def _kinked(parts: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    return st.one_of(
        st.builds(lambda head, one, other: (head, one, other), st.sampled_from(["min", "max", "+", "*"]), parts, parts),
        parts.map(lambda one: ("abs", one)),
        parts.map(lambda one: ("^", one, 2)),
    )


CONTINUOUS = st.recursive(st.one_of(LINES, SMALL, st.just("m")), _kinked, max_leaves=6)


def at(expression: Expression, place: F) -> F:
    value = evaluate(expression, {m: place})
    assert isinstance(value, F)
    return value


@given(CONTINUOUS, st.integers(-4, 4).map(lambda n: F(n, 2)))
@settings(max_examples=150, deadline=None)
def test_a_slope_is_the_limit_of_difference_quotients(expression: Expression, place: F) -> None:
    for derivative, step in ((right_derivative, STEP), (left_derivative, -STEP)):
        quotient = (at(expression, place + step) - at(expression, place)) / step
        assert abs(at(derivative(expression, "m"), place) - quotient) < F(1, 10**6)


SMOOTH = [sp.exp(-m), sp.log(1 + sp.exp(-m), 2), sp.sqrt(2 + m), (3 + m) ** sp.Rational(-2, 3), 1 / (4 + m) ** 2, 2**m]


@pytest.mark.parametrize("expr", [*SMOOTH, SMOOTH[0] * SMOOTH[1] / SMOOTH[2], (4 + m) ** m], ids=str)
@pytest.mark.parametrize("derivative", [right_derivative, left_derivative])
def test_where_it_is_smooth_both_are_what_sympy_says(expr: sp.Expr, derivative: object) -> None:
    assert callable(derivative)
    for place in (F(-1), F(0), F(1, 2), F(3)):
        found = float(evaluate(derivative(read(expr), "m"), {m: place}))
        assert found == pytest.approx(float(sp.diff(expr, m).subs(m, sp.Rational(place))), rel=1e-12)


@pytest.mark.parametrize(
    ("condition", "at_one"),
    [
        (Relation("<", "m", F(1)), 7), (Relation("<=", "m", F(1)), 7), (Relation(">", "m", F(1)), 5),
        (Relation(">=", "m", F(1)), 5), (Relation("=", "m", F(1)), 7), (Relation("!=", "m", F(1)), 5),
        (("not", Relation(">", "m", F(1))), 7), (Relation("<", ("exp", "m"), ("exp", F(1))), 7),
        (("and", Relation(">=", "m", F(1)), Relation("<", ("^", "m", 3), F(8))), 5), (True, 5), (False, 7),
        (Relation(">=", ("^", ("+", "m", F(-1)), 5), F(0)), 5),
        (("or", Relation("<", "m", F(1)), Relation("=", "m", F(1))), 7),
    ],
)  # fmt: skip
def test_a_kink_belongs_to_the_piece_that_holds_beside_it(condition: object, at_one: int) -> None:
    pieces = ("pieces", (("*", F(5), "m"), condition), (("*", F(7), "m"), True))
    assert at(right_derivative(pieces, "m"), F(1)) == at_one


def test_a_slope_that_does_not_depend_on_the_variable_is_a_number() -> None:
    assert right_derivative(("+", F(1), ("*", F(-1), "m")), "m") == F(-1)
    assert right_derivative(("log", "K"), "m") == F(0)
