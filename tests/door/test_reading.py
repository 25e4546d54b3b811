"""What sympy says of a written expression is what the language says of the data that is read from it."""

from fractions import Fraction as F
from typing import Any

import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gaptron.door.reading import name_of, read, read_condition
from gaptron.language.rejection import Rejected
from gaptron.language.relations import Relation
from gaptron.language.terms import read_term
from gaptron.numbers.evaluate import UncertainError, ball, evaluate, holds
from gaptron.symbols import K, m

MOST_DIGITS = 40
EXPONENTS = [*map(sp.Integer, (-2, -1, 2, 3)), sp.Rational(1, 2), sp.Rational(-3, 2)]
NUMBERS = st.fractions(-3, 3, max_denominator=6)


def _written(parts: st.SearchStrategy[sp.Expr]) -> st.SearchStrategy[sp.Expr]:
    """Unevaluated, as a file may hand them over."""

    def of(kind: Any) -> st.SearchStrategy[sp.Expr]:
        return st.lists(parts, min_size=2, max_size=3).map(lambda args: kind(*args, evaluate=False))

    relations = st.builds(
        lambda kind, left, right: kind(left, right, evaluate=False),
        st.sampled_from([sp.Le, sp.Lt, sp.Ge, sp.Gt, sp.Eq, sp.Ne]), parts, parts,
    )  # fmt: skip
    conditions = st.one_of(
        relations, relations.map(lambda one: sp.Not(one, evaluate=False)),
        st.builds(
            lambda kind, one, other: kind(one, other, evaluate=False), st.sampled_from([sp.And, sp.Or]), relations,
            relations,
        ),
    )  # fmt: skip
    return st.one_of(
        *map(of, (sp.Add, sp.Mul, sp.Max, sp.Min)),
        parts.map(lambda one: sp.Abs(one, evaluate=False)),
        parts.map(lambda one: sp.exp(one, evaluate=False)),
        parts.map(lambda one: sp.log(one, evaluate=False)),
        st.builds(lambda one, n: sp.Pow(one, n, evaluate=False), parts, st.sampled_from(EXPONENTS)),
        st.builds(
            lambda one, when, other: sp.Piecewise((one, when), (other, True), evaluate=False), parts, conditions, parts
        ),
    )  # fmt: skip


LEAVES = st.one_of(st.just(m), st.just(K), NUMBERS.map(sp.Rational))
WRITTEN = st.recursive(LEAVES, _written, max_leaves=6)


def by_sympy(expr: sp.Basic, at: dict[sp.Symbol, sp.Rational]) -> sp.Basic:
    """Its own value, from the inside out: each part made again of the values of its arguments, if they are real."""
    if not expr.args:
        return at.get(expr, expr)
    if isinstance(expr, sp.Piecewise):
        return next(by_sympy(value, at) for value, when in expr.args if by_sympy(when, at) == sp.true)
    value = expr.func(*(by_sympy(part, at) for part in expr.args))
    if isinstance(value, sp.Expr) and not (value.is_real and value.is_finite):
        raise ValueError(f"{value} is not real")
    return value


@given(WRITTEN, NUMBERS, st.integers(2, 5))
@settings(max_examples=50, deadline=None)
def test_the_data_has_the_value_that_sympy_says(expr: sp.Expr, margin: F, classes: int) -> None:
    try:
        digits = by_sympy(expr, {m: sp.Rational(margin), K: sp.Integer(classes)}).evalf(MOST_DIGITS)
    except (TypeError, ValueError):
        assume(False)
    assume(abs(digits) < 10**9)
    try:
        found = evaluate(expr, {m: margin, K: F(classes)})
    except UncertainError:
        assume(False)
    assert float((ball(found) - ball(F(str(digits)))).abs_upper()) < 1e-25


def test_what_is_read_is_written_part_for_part() -> None:
    assert read((1 - m) ** 2) == ("^", ("+", F(1), ("*", F(-1), "m")), 2)
    assert read(sp.sqrt(m) + 1 / sp.sqrt(K)) == ("+", ("root", "m", 2), ("^", ("root", "K", 2), -1))
    assert read(sp.E + sp.pi + 2**K) == ("+", ("exp", F(1)), ("pi",), ("power", F(2), "K"))
    pieces = read(sp.Piecewise((1 - m, (m < 1) & ~sp.Eq(m, 0)), (0, True)))
    assert pieces == (
        "pieces",
        (("+", F(1), ("*", F(-1), "m")), ("and", Relation("<", "m", F(1)), Relation("!=", "m", F(0)))),
        (F(0), True),
    )


def test_nothing_is_simplified_away() -> None:
    assert read(sp.Mul(m, sp.Pow(m, -1, evaluate=False), evaluate=False)) == ("*", "m", ("^", "m", -1))
    assert read_condition(sp.Lt(1, 0, evaluate=False)) == Relation("<", F(1), F(0))


@pytest.mark.parametrize("part", [sp.sin(m), sp.oo, sp.zoo, sp.Float(0.5), sp.Integral(m, m)])
def test_what_is_not_understood_is_named(part: sp.Expr) -> None:
    with pytest.raises(ValueError, match="is not a real number"):
        read(1 + part)


def test_a_class_derived_from_one_that_is_understood_is_not() -> None:
    class Other(sp.Symbol):
        pass

    with pytest.raises(ValueError, match="is not a real number"):
        read(Other("m") + 1)


def test_two_symbols_of_one_name_are_refused_and_two_dummies_are_not() -> None:
    with pytest.raises(ValueError, match="two different symbols with the name 'm'"):
        read(m + sp.Symbol("m", positive=True))
    with pytest.raises(ValueError, match="two different symbols with the name 'm'"):
        read_condition(sp.Symbol("m", positive=True) < m)
    one, other = sp.Dummy("m"), sp.Dummy("m")
    assert evaluate(one - 2 * other, {one: F(3), other: F(1)}) == 1
    assert name_of(one) != name_of(other)


@pytest.mark.parametrize("expr", [sp.Max(m, 0), sp.Abs(m), sp.Piecewise((1, m > 0), (0, True)), 2**K])
def test_a_certificate_has_none_of_what_the_kernel_does_not_know(expr: sp.Expr) -> None:
    def as_json(part: Any) -> Any:
        return [p if type(p) is int else as_json(p) for p in part] if isinstance(part, tuple) else str(part)

    with pytest.raises(Rejected):
        read_term(as_json(read(expr)))


def test_conditions_hold_where_sympy_says() -> None:
    for place in (-1, 0, 1, 2):
        given_ = sp.Or(sp.And(m > 0, m < 2), sp.Eq(m, -1))
        assert holds(given_, {m: F(place)}) is bool(given_.subs(m, place))
