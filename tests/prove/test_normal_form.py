"""The search's normal form: terms as quotients, signs of factors, the facts of a combination. Not trusted."""

from fractions import Fraction
from math import inf
from typing import Any

import pytest
from kernel_language import claim, relation, term

from gaptron.kernel import Relation
from gaptron.kernel.enclosures import Interval
from gaptron.language.terms import read_term, term_data
from gaptron.prove.certify import certify
from gaptron.prove.goals import bounds_on, facts_of
from gaptron.prove.hypotheses import Hypotheses
from gaptron.prove.rational_functions import polynomial_term, quotient

F = Fraction


@pytest.mark.parametrize(
    ("text", "expected", "factors"),
    [
        ("0", "0", {}),
        ("x", "x", {}),
        ("2*x", ["*", "2", "x"], {}),
        ("x*x*y", ["*", ["^", "x", 2], "y"], {}),
        ("x + 3", ["+", "3", "x"], {}),
        ("-x", ["*", "-1", "x"], {}),
        ("1/(2*x)", "1/2", {"x": 1}),
        ("x/(x**3*y)", "1", {"x": 2, "y": 1}),
        ("x**2/x", "x", {}),
        ("1/x + 1/x**2", ["+", "1", "x"], {"x": 2}),
        ("1/((x + 1)*(y + 1))", "1", {"x+1": 1, "y+1": 1}),
        ("((x + 1)*(y + 1))**-2", "1", {"x+1": 2, "y+1": 2}),
        ("(2*x + 2)**-2", "1/4", {"x+1": 2}),
        ("(2*x)**-2", "1/4", {"x": 2}),
        ("((x + 1)**-1)**-1", ["+", "1", "x"], {}),
        (
            "((x + 1)**-2)**-2",
            ["+", "1", ["*", "4", "x"], ["*", "6", ["^", "x", 2]], ["*", "4", ["^", "x", 3]], ["^", "x", 4]],
            {},
        ),
        ("((x + 1)**-2)**2", "1", {"x+1": 4}),
        ("((x + 1)**-1)**0", "1", {}),
        ("(3*x + 3)/(x + 1)", "3", {}),
        ("(3*x + 3)*(x + 1)**-2", "3", {"x+1": 1}),
        ("(x**2 + 2*x + 1)/(x + 1)", ["+", "1", ["*", "2", "x"], ["^", "x", 2]], {"x+1": 1}),
        ("exp(5*x)*exp(-3*x)", ["^", ["exp", "x"], 2], {}),
        (f"exp({10**100}*x)*exp(-{10**100}*x)", "1", {}),
        ("exp(-3/2*x)", "1", {"exp": 3}),
        ("exp(x)", ["exp", "x"], {}),
        ("0/x", "0", {}),
    ],
)
def test_the_quotient_is(text: str, expected: Any, factors: dict[str, int]) -> None:
    numerator, denominators = quotient(read_term(term(text)))
    assert term_data(polynomial_term(numerator)) == expected
    named = {"x": '"x"', "y": '"y"', "exp": '["exp",["*","1/2","x"]]'}
    found = {
        (atoms[0] if len(atoms := [m[0][0] for m, _ in f if m]) == len(f) else f"{atoms[0][1]}+1"): e
        for f, e in denominators.items()
    }
    assert found == {named.get(name, name): exponent for name, exponent in factors.items()}


def test_logarithms_have_factors_that_are_prime() -> None:
    assert quotient(("log", F(9973 * 9967)))[0] == {(('["log","9973"]', 1),): F(1), (('["log","9967"]', 1),): F(1)}
    left = 10007 * 10009
    assert quotient(("log", F(left)))[0] == {((f'["log","{left}"]', 1),): F(1)}


def hypotheses(text: str) -> Hypotheses:
    return Hypotheses(claim(f"{text} |- 0 <= 1").given)


@pytest.mark.parametrize(
    ("given", "factor", "sign"),
    [
        ("x > 0", "x", 1),
        ("x < 0", "x", -1),
        ("x != 0", "x", 0),
        ("x >= 0", "x", None),
        ("x == 0", "x", None),
        ("-1/2*x > 0", "x", -1),
        ("-1/2*x < 0", "x", 1),
        ("x < 0; x != 0", "x", -1),
        ("x < 0; y < 0", "x*y", 1),
        ("x < 0; y > 0", "x*y", -1),
        ("x < 0; y != 0", "x*y", 0),
        ("x < 0", "x*y", None),
        ("x < 0", "x**2", 1),
        ("x != 0", "x**2", 0),
        ("x*y > 0", "x*y", 1),
        ("x*y < 0; x != 0", "x*y", -1),
        ("", "exp(x)", 1),
        ("x < 0", "exp(y)*x", -1),
        ("x >= 0", "root(x, 2)", None),
        ("1/x > 0", "x", None),
        ("1 > 0", "x", None),
        ("1/x > 0; y > 0", "y", 1),
    ],
)
def test_the_sign_of_a_factor_is(given: str, factor: str, sign: int | None) -> None:
    ((found, _),) = (
        quotient(("^", ("+", read_term(term(factor)), F(0)), -1))[1].items()
        if "*" not in factor
        else [(tuple(quotient(read_term(term(factor)))[0].items()), 1)]
    )
    assert hypotheses(given).sign(found) == sign


@pytest.mark.parametrize(
    ("given", "conclusion", "expected"),
    [
        ("x > 0", "1/x <= y", ">= x*y + -1"),
        ("x < 0", "1/x <= y", ">= 1 + -1*x*y"),
        ("x != 0", "1/x <= y", ">= x**2*y + -1*x"),
        ("x != 0", "1/x**2 < y", "> x**2*y + -1"),
        ("x < 0", "1/x**3 > y", "> x**3*y + -1"),
        ("x > 0; x < 5", "x + y >= 2", ">= -2 + x + y"),
    ],
)
def test_a_relation_is_cleared_to(given: str, conclusion: str, expected: str) -> None:
    kind, _, wanted = expected.partition(" ")
    found = hypotheses(given).fact(Relation.read(relation(conclusion)))
    assert found == (kind, quotient(read_term(term(wanted)))[0])


def told(given: str) -> list[tuple[str, Any]]:
    """The facts of a claim with these hypotheses and the conclusion 0 <= 1."""
    return [(kind, term_data(polynomial_term(p))) for kind, p in facts_of(claim(f"{given} |- 0 <= 1"), [])]


def test_the_facts_are_the_hypotheses_the_atoms_and_the_negated_conclusion() -> None:
    assert told("x <= 1; x != 0; exp(x) == 2; y < 0; y >= -root(x, 2)") == [
        (">=", ["+", "1", ["*", "-1", "x"]]),
        ("=", ["+", "-2", ["exp", "x"]]),
        (">", ["*", "-1", "y"]),
        (">=", ["+", "y", ["root", "x", 2]]),
        (">", ["exp", "x"]),
        (">=", ["root", "x", 2]),
        ("=", ["+", ["*", "-1", "x"], ["^", ["root", "x", 2], 2]]),
        (">", "-1"),
    ]


def test_the_facts_of_a_root_of_a_quotient() -> None:
    below = ["*", ["^", "x", 3], ["^", ["root", ["*", "y", ["^", "x", -3]], 2], 2]]
    assert ("=", ["+", below, ["*", "-1", "y"]]) in told("root(y/x**3, 2) >= 1")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("x <= 1", (-inf, F(1))),
        ("x > 1; x >= -1", (F(1), inf)),
        ("-1/2*x <= 1; 2*x < 1; 3*x <= 2", (F(-2), F(1, 2))),
        ("x != 1; x == 1; x <= y; x**2 <= 1; exp(x) <= 1; 1/x <= 1; y >= 1", (-inf, inf)),
    ],
)
def test_the_bounds_on_a_variable_are(given: str, expected: Interval) -> None:
    assert bounds_on(claim(f"{given} |- 0 <= 1").given, "x", 32) == expected


@pytest.mark.parametrize(
    "text",
    [
        "1 <= s/w; s <= 0; s >= 0; w >= 1/2 |- x < x",
        "1 <= s/w; s <= 0; s >= 0; w <= -1/2 |- x < x",
        "1 == s/w; s <= 0; s >= 0 |- x < x",
        "w >= 1/2; 1/w - 1/w >= 1 |- 1/x <= 1",
        "s > -1; t >= 0 |- (1 + t)**2 - s*(1 + s)*(1 + t)**2/(1 + s)**2 >= 0",
    ],
)
def test_denominators_that_the_search_cancels_are_cancelled_in_the_certificate_too(text):
    """Of a hypothesis that is false for every value of one; and of the conclusion, with fewer factors than it needs."""
    certify(claim(text), 20)
