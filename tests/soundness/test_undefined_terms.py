"""No solver proves what is said of a root or a quotient that does not exist, with which anything would follow."""

import pytest
from sympy import Add, Eq, Expr, Ge, Le, Max, Mul, Piecewise, Rational, sqrt, symbols
from sympy.core.relational import Relational

import gaptron
from gaptron import Implication, Lemma

u, x = symbols("u x", real=True)


def decided(given: tuple[Relational, ...], then: Relational) -> str:
    said = Implication(name="one", statement="a root", given=given, then=then)
    lemma = Lemma(name="roots", source="none", implications=(said,))
    return str(gaptron.check(lemma).verdict)


@pytest.mark.few(8)
@pytest.mark.one_in(1)
@pytest.mark.parametrize(
    ("given", "then"),
    [
        ((u <= -1, x <= -1), Eq(sqrt(u * x), sqrt(u) * sqrt(x), evaluate=False)),
        ((u <= -1,), Ge(sqrt(u), 1, evaluate=False)),
        ((u <= 0,), Ge(sqrt(u) + 1, 0, evaluate=False)),
        ((u <= 0,), Ge(sqrt(1 - sqrt(u - 1)), 0, evaluate=False)),
        ((u >= 0,), Ge(sqrt(1 - sqrt(u)), 0, evaluate=False)),
        ((u >= 0,), Le(1 / sqrt(u), x**2 + 1 / sqrt(u), evaluate=False)),
        ((), Ge((u**3) ** Rational(1, 3), u, evaluate=False)),
        ((), Ge(sqrt(1 / x), 0, evaluate=False)),
        ((x >= 0,), Le(1 / x, x**2 + 1 / x, evaluate=False)),
        ((), Eq(Mul(u, 1 / u, evaluate=False), 1, evaluate=False)),
        ((), Eq(Mul(u**2, 1 / u, evaluate=False), u, evaluate=False)),
        ((), Eq(Mul(0, 1 / u, evaluate=False), 0, evaluate=False)),
        ((), Eq(Add(1 / u, -1 / u, evaluate=False), 0, evaluate=False)),
        ((u <= 0,), Ge(Max(1, 1 / u), 1, evaluate=False)),
        ((u <= 0,), Ge(Piecewise((1, 1 / u >= 0), (2, True)), 1, evaluate=False)),
        ((), Le(1 / (1 + 1 / x), x**2 + 1 / (1 + 1 / x), evaluate=False)),
    ],
    ids=str,
)
def test_what_is_undefined_is_not_proved(given: tuple[Relational, ...], then: Relational) -> None:
    assert decided(given, then) in ("REFUTED", "UNDECIDED")


@pytest.mark.few(2)
@pytest.mark.one_in(1)
@pytest.mark.parametrize(
    ("given", "root"),
    [((u >= 1,), sqrt(u)), ((x > 0,), sqrt(1 / x)), ((u >= 1, x >= u), sqrt(sqrt(u * x) - 1))],
    ids=str,
)
def test_what_is_defined_is_proved(given: tuple[Relational, ...], root: Expr) -> None:
    assert decided(given, Ge(root, 0, evaluate=False)) == "PROVED"
