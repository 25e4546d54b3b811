"""Substitution, polynomials, slopes and pieces of data, each against sympy's own at exact points of every piece."""

from collections.abc import Iterator
from fractions import Fraction as F
from itertools import pairwise
from typing import Any

import pytest
import sympy as sp
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from sympy import Abs, Eq, Expr, Max, Min, Ne, Or, Piecewise, Rational, exp, log, sqrt

from gaptron.door.reading import read, read_condition
from gaptron.language.expressions import Expression, everywhere, judged, variables
from gaptron.language.instantiation import Written, is_total, substituted
from gaptron.language.relations import Relation
from gaptron.language.slopes import left_slope, right_slope, sign
from gaptron.language.smooth_pieces import pieces
from gaptron.language.univariate_polynomials import coefficients, polynomial
from gaptron.numbers.evaluate import Number, UncertainError, ball, truth_at, value_at
from gaptron.symbols import K, m
from gaptron.theory.files import load
from gaptron.theory.shipped import shipped_theorem_files
from gaptron.theory.theorem import Theorem

X = "m"
LOSSES: list[Expr] = [
    Piecewise((1 - m, m <= 1), (0, True)),
    Piecewise((0, m >= 1), (1 - m, True)),
    Piecewise((1 - m, Or(m < 1, Eq(m, 1))), (0, True)),
    Piecewise((1 - m, m < 1), (0, Ne(m, 7)), (3, True)),
    Piecewise((0, (m - 1) ** 3 >= 0), (1 - m, True)),
    Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True)),
    Piecewise((5, Eq(m, 0)), (1 - m, True)),
    Piecewise((1 - m, m <= 1 / K), (0, True)),
    Piecewise((Abs(m), m**2 < 2), (Max(m, K), True)),
    Max(1 - m, 0),
    Max(1 - m, 0) ** 2,
    1 - Min(m, 1),
    (1 - m + Abs(1 - m)) / 2,
    Max(1 - m, 0, Rational(1, 2) - m),
    Max(Max(1 - m, 0), Min(1 - m, 0)),
    Max(m * log(2), -m),
    Max(exp(-m), 1),
    (1 - m) * (1 - m / 3),
    log(1 + exp(-m), 2),
    sqrt(1 + m**2) - m,
    sp.Integer(2) ** m + sp.pi * m / K,
    m**3 / (1 + m**2),
]
PLACES = [F(n, 4) for n in range(-12, 13)]
CLASSES = (2, 3, 7)
SMALL = F(1, 10**12)
NUMBERS = st.fractions(-3, 3, max_denominator=4)


def agree(value: Number, meant: Number) -> bool:
    """To 25 digits of a large number, and to as many after the point of a small one."""
    apart = (ball(value) - ball(meant)).abs_upper()
    return bool(apart < ball(F(1, 10**25)) * (ball(meant).abs_upper() + 1))


def close(found: Any, meant: Any, within: float = 1e-25) -> bool:
    digits = F(str(sp.N(meant, 40)))
    return float((ball(found) - ball(digits)).abs_upper()) < within


@pytest.mark.parametrize("expr", LOSSES, ids=str)
def test_a_number_of_classes_is_put_in_everywhere(expr: Expr) -> None:
    for classes in CLASSES:
        found = substituted(read(expr), {"K": F(classes)})
        assert variables(found) <= {X}
        for place in PLACES:
            assert close(value_at(found, {X: place}), expr.subs({K: classes, m: Rational(place)}))


@pytest.mark.parametrize("expr", LOSSES, ids=str)
def test_slopes_are_what_chords_tend_to_on_either_side(expr: Expr) -> None:
    data = substituted(read(expr), {"K": F(3)})
    for side, slope_of in ((1, right_slope), (-1, left_slope)):
        slope = slope_of(data, X)
        for place in PLACES:
            if (side == -1 and expr.has(Eq)) or expr.has(Ne):
                continue  # a value of its own at one point has no slope there
            beside = [value_at(data, {X: place + side * n * SMALL}) for n in (1, 2)]
            chord = (ball(beside[1]) - ball(beside[0])) / ball(side * SMALL)
            assert float(abs(ball(value_at(slope, {X: place})) - chord).abs_upper()) < 1e-9, (side, place)


@pytest.mark.parametrize("expr", LOSSES, ids=str)
def test_slopes_are_those_of_sympy_inside_the_pieces(expr: Expr) -> None:
    exact = expr.subs(K, 3)
    slope = right_slope(read(exact), X)
    for place in PLACES:
        at = place + F(1, 9)
        by_sympy = sp.diff(exact.rewrite(Piecewise), m).subs(m, Rational(at)).doit()
        assert close(value_at(slope, {X: at}), by_sympy), at


@pytest.mark.parametrize("expr", LOSSES, ids=str)
def test_exactly_one_piece_holds_and_has_the_value(expr: Expr) -> None:
    data = substituted(read(expr), {"K": F(3)})
    found = pieces(data)
    heads = {part[0] for _, value in found for part in everywhere(value) if isinstance(part, tuple)}
    assert not heads & {"pieces", "min", "max", "abs"}
    for place in PLACES:
        values = [value for when, value in found if truth_at(when, {X: place})]
        assert len(values) == 1
        assert close(value_at(values[0], {X: place}), expr.subs({K: 3, m: Rational(place)}))


def _written(below: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    relations = st.builds(Relation, st.sampled_from(["<=", "<", ">=", ">", "=", "!="]), below, below)
    conditions = st.one_of(
        st.booleans(),
        relations,
        st.tuples(st.just("not"), relations),
        st.tuples(st.sampled_from(["and", "or"]), relations, relations),
    )
    return st.one_of(
        st.tuples(st.sampled_from(["+", "*", "min", "max"]), below, below),
        st.tuples(st.sampled_from(["abs", "exp", "log"]), below),
        st.tuples(st.just("^"), below, st.sampled_from([-2, -1, 2, 3])),
        st.tuples(st.just("root"), below, st.integers(2, 3)),
        st.builds(lambda one, when, other: ("pieces", (one, when), (other, True)), below, conditions, below),
    )


WRITTEN = st.recursive(st.one_of(st.just(X), st.just("K"), NUMBERS), _written, max_leaves=7)


def value_or_none(expression: Expression, at: dict[str, F]) -> Any:
    """None where there is no number; an assumption where balls leave it open."""
    try:
        return value_at(expression, at)
    except (UncertainError, ValueError, ZeroDivisionError) as error:
        assume(not isinstance(error, UncertainError))
        return None


@given(WRITTEN, NUMBERS, st.integers(2, 4))
@settings(max_examples=60, deadline=None)
def test_whatever_is_written_keeps_its_value_and_where_it_has_none(data: Expression, place: F, classes: int) -> None:
    at = {X: place, "K": F(classes)}
    meant = value_or_none(data, at)
    for found in (substituted(data), substituted(data, {"K": F(classes)}), substituted(data, at)):
        value = value_or_none(found, at)
        assert (value is None) == (meant is None)
        assert meant is None or agree(value, meant)
    if meant is not None:
        assume(all(value_or_none(part, at) is not None for part in everywhere(data)))
        try:
            values = [value for when, value in pieces(data) if truth_at(when, at)]
        except UncertainError:
            assume(False)
        assert [agree(value_at(v, at), meant) for v in values] == [True]


@given(WRITTEN, NUMBERS, st.integers(2, 4))
@example(("exp", ("^", ("exp", "K"), 2)), F(0), 3)
@example(("*", F(0), ("log", F(0))), F(0), 2)
@settings(max_examples=60, deadline=None)
def test_a_polynomial_is_the_expression_and_its_coefficients_are_constant(data: Expression, place: F, n: int) -> None:
    at = {X: place, "K": F(n)}
    found = coefficients(data, X)
    if found is None:
        return
    assert not any(X in variables(part) for part in found)
    meant, value = value_or_none(data, at), value_or_none(polynomial(found, X), at)
    assert (meant is None) == (value is None)
    assert meant is None or agree(value, meant)
    assert not found or found[-1] != 0


@given(WRITTEN, NUMBERS, st.integers(2, 4))
@settings(max_examples=60, deadline=None)
def test_a_sign_that_is_said_is_the_sign(data: Expression, place: F, classes: int) -> None:
    for part in everywhere(data):
        said, value = sign(part), value_or_none(part, {X: place, "K": F(classes)})
        if said is not None and value is not None:
            assert bool(ball(value) * said > 0) if said else ball(value).contains(0)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (("^", F(0), -1), ("^", F(0), -1)),
        (("*", F(0), ("log", X)), ("*", F(0), ("log", X))),
        (("*", F(0), X), F(0)),
        (("+", ("log", X), ("*", F(-1), ("log", X))), ("*", F(0), ("log", X))),
        (("*", F(2), ("+", F(1), ("*", F(-1), X))), ("+", F(2), ("*", F(-2), X))),
        (("log", ("exp", X)), X),
        (("exp", ("log", X)), ("exp", ("log", X))),
        (("^", ("exp", X), 2), ("exp", ("*", F(2), X))),
        (("^", ("root", X, 2), 2), ("^", ("root", X, 2), 2)),
        (("power", F(2), F(3)), F(8)),
        (("^", F(2), 10**6), ("^", F(2), 10**6)),
        (("pieces", (X, False), (F(1), True), (("log", X), True)), F(1)),
        (("pieces", (X, False)), ("pieces",)),
        (("pieces",), ("pieces",)),
        (("min", F(1), F(-2)), F(-2)),
    ],
    ids=str,
)
def test_what_is_computed_and_what_stays(data: Expression, found: Expression) -> None:
    assert substituted(data) == found


def test_conditions_of_numbers_are_truths_and_others_are_turned_round() -> None:
    assert read_condition(sp.Lt(1, 0, evaluate=False)) == Relation("<", F(1), F(0))
    assert judged(Relation("<", F(1), F(0)), Written({})) is False
    assert judged(("or", Relation("<", "K", F(2)), Relation("<", X, F(0))), Written({"K": F(1)})) is True
    assert judged(("and", Relation("<", "K", F(3)), Relation("<", X, F(0))), Written({"K": F(2)})) == Relation(
        "<", X, F(0)
    )
    assert judged(("not", Relation("<", X, F(0))), Written({})) == Relation(">=", X, F(0))
    kept = ("not", Relation("<", ("log", X), F(0)))
    assert judged(kept, Written({})) == kept
    assert not is_total(("^", X, -1))
    assert is_total(("^", X, 2))


@pytest.mark.parametrize(
    "data",
    [("log", X), ("^", X, -1), ("root", X, 2), ("abs", X), ("power", X, X), ("^", X, 65), ("power", F(2), X)],
    ids=str,
)
def test_what_is_no_polynomial_is_none(data: Expression) -> None:
    assert coefficients(data, X) is None
    assert coefficients(substituted(data, {X: "y"}), X) is not None


def every_loss() -> Iterator[tuple[Expr, sp.Symbol]]:
    for file in shipped_theorem_files():
        for statement in load(file):
            if isinstance(statement.item, Theorem):
                yield from ((expr, variable) for _, expr, variable in statement.item.loss.functions)
                yield statement.item.gap_map.expression, statement.item.loss.variable


@pytest.mark.slow
def test_every_shipped_loss_and_gap_map_has_sympys_values_and_slopes() -> None:
    tried = set(every_loss())
    assert len(tried) > 15
    for expr, variable in tried:
        others = {s: Rational(F(3) if s == K else F(1, 2)) for s in expr.free_symbols - {variable}}
        name = str(variable)
        data = substituted(read(expr), {str(s): F(int(v.p), int(v.q)) for s, v in others.items()})
        exact = expr.subs(others)
        slopes = right_slope(data, name), left_slope(data, name)
        for low, high in pairwise(F(n, 12) for n in range(1 if name == "p" else -36, 13)):
            at = (low + high) / 2
            meant = (
                exact.subs(variable, Rational(at)),
                sp.diff(exact.rewrite(Piecewise), variable).subs(variable, Rational(at)),
            )
            assert close(value_at(data, {name: at}), meant[0])
            assert all(close(value_at(slope, {name: at}), meant[1].doit()) for slope in slopes)
            assert [truth_at(when, {name: at}) for when, _ in pieces(data)].count(True) == 1
