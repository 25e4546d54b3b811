"""Expressions multiplied out: the value stays wherever there is one, and equal ones are written alike."""

import random
from fractions import Fraction

import pytest
from test_form_of_claims import POINTS, drawn, is_small, same, value

from gaptron.language.expanded import expanded
from gaptron.language.expressions import everywhere
from gaptron.language.formulas import formula
from gaptron.language.normal import POSITIVE, alike


@pytest.mark.few(8)
@pytest.mark.one_in(1)
@pytest.mark.parametrize("seed", range(24))
def test_values_stay_where_there_are_any(seed: int) -> None:
    generator, compared = random.Random(seed), 0
    for _ in range(60):
        expression = drawn(generator, generator.choice((2, 3, 4)))
        found = expanded(expression, POSITIVE)
        for point in POINTS:
            if is_small(expression, point) and (known := value(expression, point)) is not None:
                compared += 1
                assert same(known, value(found, point)), (expression, found, point)
    assert compared > 50


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("(m + t)*(m - t)", "m**2 - t**2"),
        ("(m + t)**2", "m**2 + 2*m*t + t**2"),
        ("(m + t)**3/(m + t)", "m**2 + 2*m*t + t**2"),
        ("1/(1/(4*log(2) - 1/4))", "4*log(2) - 1/4"),
        ("m*(1 + t)/m", "1 + t"),
        ("(m - 3/2)*m/(8*m - 12)", "m/8"),
        ("(1 - m)/(m - 1)", "-1"),
        ("log(4/9) - 2*log(2) + log(9)", "0"),
        ("log(K/3)", "log(K) - log(3)"),
        ("log(K**2*p)", "2*log(K) + log(p)"),
        ("log((m - 1)**3)", "3*log(m - 1)"),
        ("(m + 1)**100", "(m + 1)**100"),
        ("sqrt(6) - sqrt(2)*sqrt(3)", "0"),
        ("sqrt(1/6)", "sqrt(2)*sqrt(3)/6"),
        ("0*log(m)", "0"),
        ("sqrt(m)*sqrt(m)", "m"),
        ("2**(1/3)*4**(1/3)", "2"),
        ("(1/2)**(4/3) - 2**(2/3)/4", "0"),
        ("log(2*100160063)", "log(2) + log(100160063)"),
    ],
)
def test_equal_ones_are_written_alike(text: str, written: str) -> None:
    assert alike(expanded(formula(text), POSITIVE), formula(written))


@pytest.mark.parametrize("text", ["sqrt(m**2)", "sqrt((m + t)**2)", "log(m**2)", "(m**2)**(3/2)", "log(m*t)"])
def test_what_may_be_negative_stays_under_a_root_and_a_logarithm(text: str) -> None:
    assert alike(expanded(formula(text), POSITIVE), formula(text))


def test_values_are_put_in_before() -> None:
    found = expanded(formula("(v + 1)*v"), POSITIVE, {"v": formula("1 - m")})
    assert alike(found, formula("m**2 - 3*m + 2"))
    assert "v" not in everywhere(found)


def test_only_what_is_positive_is_taken_to_be_so() -> None:
    assert not alike(expanded(formula("sqrt(m**2)"), POSITIVE), formula("m"))
    assert expanded(formula("sqrt(m**2)"), POSITIVE | {"m"}) == "m"
    assert expanded(Fraction(0), POSITIVE) == 0
