"""Steps that are lemmas of the kernel's rules: what they ask for, and that the kernel accepts what is made of it."""

from fractions import Fraction
from typing import Any

import pytest
from kernel_language import DIRECT, ONE, add_up, claim, combination, relation, term, weaken
from kernel_rows import TRIVIAL

from gaptron.kernel import Claim, Rejected, Relation, check
from gaptron.language.terms import Term, read_term
from gaptron.prove.derived_rules import (
    Entangled,
    by_clearing,
    by_coefficients,
    by_exponential,
    cleared,
    coefficient_goals,
    exponential_goal,
)
from gaptron.prove.hints import written
from gaptron.prove.rational_functions import quotient

F = Fraction
HALF = combination(("1", [0]), ONE)


def relations(text: str) -> list[Any]:
    return [relation(part) for part in text.split(";")]


def accepted(asked: Claim, proof: Any) -> None:
    """The kernel accepts it for the claim, and not for its negation."""
    check(asked, written(asked, proof))
    opposite = asked.instead(asked.then.negation())
    with pytest.raises(Rejected):
        check(opposite, written(asked, proof))
    with pytest.raises(Rejected):
        check(opposite, written(opposite, proof))


CLEARED = [
    ("x > 0 |- 1/x >= 0", combination(("1", [1]), ONE)),
    ("x > 0; y > 0 |- y/x > 0", add_up(1, 2)),
    ("x < 0; y < 0 |- y/x > 0", add_up(1, 2)),
    ("x >= 0 |- x >= 0", add_up(0, 1)),
]


@pytest.mark.parametrize(("text", "proof"), CLEARED)
def test_without_denominators(text: str, proof: Any) -> None:
    accepted(claim(text), by_clearing(claim(text), proof))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x >= 0 |- 1/x >= 0", "may not be nonzero"),
        ("x > 0 |- 1/x == 1/x", "not an inequality"),
        ("|- x/x <= 1", "may not be nonzero"),
        ("|- 0*log(x) <= 0", "may not be positive"),
    ],
)
def test_what_may_be_undefined_is_not_cleared(text: str, says: str) -> None:
    with pytest.raises(Rejected, match=says):
        cleared(claim(text))


COEFFICIENTS = [
    ("K >= 2 |- K**2 >= 4", "2", [TRIVIAL, combination(("1", [0]), ("4", [])), HALF]),
    ("2 < K |- K**2 >= 4", "2", [TRIVIAL, combination(("1", [0]), ("4", [])), HALF]),
    ("K >= 2; x >= 0 |- K*x >= 2*x", "2", [weaken([], TRIVIAL), add_up(0, 1)]),
    ("K >= 2; K - 1 > 0 |- 1/(K - 1) <= 1", "2", [TRIVIAL, HALF]),
    ("K > 2 |- K >= 2", "2", [TRIVIAL, HALF]),
    ("K >= 2 |- (K - 2)**2 > -1", "2", [HALF, TRIVIAL, HALF]),
    ("K >= 2 |- K > 1", "2", [HALF, HALF]),
    ("K >= 2 |- K <= K", "2", [TRIVIAL]),
    ("K >= 0 |- K**2 >= 0", "0", [TRIVIAL, TRIVIAL, HALF]),
    ("x != 1; K >= 2; y != 0 |- K**2 >= 4", "2", [TRIVIAL, combination(("1", [0]), ("4", [])), HALF]),
]


@pytest.mark.parametrize(("text", "start", "parts"), COEFFICIENTS)
def test_by_the_coefficients_of_powers(text: str, start: str, parts: list[Any]) -> None:
    asked = claim(text)
    proof = by_coefficients(asked, "K", F(start), parts)
    check(asked, written(asked, proof))
    if asked.then.sign != "<=" or asked.then.left != asked.then.right:
        accepted(asked, proof)


def test_what_the_coefficients_must_be() -> None:
    goals = coefficient_goals(claim("K >= 2; x > 0; K*x > 1 |- K**2*x > 4"), "K", F(2))
    assert [goal.data["given"] for goal in goals] == [relations("x > 0")] * 3
    assert [goal.then.sign for goal in goals] == [">", ">=", ">="]
    texts = ["4*x - 4", "4*x", "x"]
    assert [quotient(g.then.left) for g in goals] == [quotient(read_term(term(text))) for text in texts]
    assert [goal.then.data for goal in coefficient_goals(claim("K >= 2 |- K <= K"), "K", F(2))] == relations("0 >= 0")


@pytest.mark.parametrize(
    "text",
    [
        *("|- K >= 2", "K <= 2 |- K >= 2", "2 >= K |- K >= 2", "x >= 2 |- K >= 2"),
        *("K != 2 |- K >= 2", "2 == K |- K >= 2", "2*K >= 2 |- K >= 2", "K >= 3 |- K >= 2"),
    ],
)
def test_the_start_must_be_given(text: str) -> None:
    with pytest.raises(Rejected, match="K >= 2 is not given"):
        coefficient_goals(claim(text), "K", F(2))


@pytest.mark.parametrize("inside", ["exp(K) >= 0", "log(K) <= 9", "root(K, 2) >= 0"])
def test_the_variable_is_in_no_atom(inside: str) -> None:
    with pytest.raises(Entangled, match="K is in an atom"):
        coefficient_goals(claim(f"K >= 2; log(K) <= 9; root(K, 2) >= 0 |- {inside}"), "K", F(2))


EXPONENTIALS = [
    ("x >= 0 |- exp(-x) <= 1", "-1", add_up(1, 2)),
    ("x <= 0 |- exp(1/2*x) <= 1", "1/2", add_up(1, 2)),
    ("x <= 1 |- x <= 11/10", "2", DIRECT),
    ("x >= -1 |- x >= -11/10", "-2", DIRECT),
    ("x <= 0 |- exp(x) <= 1", "1", add_up(1, 2)),
    ("x <= 0 |- exp(2*x) <= 1", "1", combination(("1", [1, 1]), ("2", [0, 1]), ("1", [2]))),
    ("y >= 1; x >= 0 |- exp(-x) <= 1", "-1", combination(("1", [2]), ("1", [3]))),
    ("x <= 0 |- exp(x) <= 1", "1/2", combination(("1", [1, 1]), ("2", [0, 1]), ("1", [2]))),
    ("x >= 0 |- exp(-x) <= exp(-1/2*x)", "-1/2", combination(("1", [0, 1]), ("1", [2]))),
    ("x >= 0 |- exp(-4*x) <= exp(-2*x)", "-2", combination(("1", [0, 1]), ("1", [2]))),
    ("x >= 0 |- exp(-1/2*x) <= exp(-1/3*x)", "-1/6", combination(("1", [0, 0, 1]), ("1", [2]))),
    ("x >= 0 |- exp(-1/2*x) < exp(-1/3*x) + 1", "-1/6", combination(("1", [0, 0, 1]), ("1", []), ("1", [2]))),
]


@pytest.mark.parametrize(("text", "rate", "proof"), EXPONENTIALS)
def test_by_an_exponential_in_the_place_of_a_variable(text: str, rate: str, proof: Any) -> None:
    asked = claim(text)
    goal = exponential_goal(asked, "x", F(rate), "u")
    check(goal, written(goal, proof))
    accepted(asked, by_exponential(asked, "x", F(rate), "u", proof))


@pytest.mark.parametrize(
    ("text", "rate", "says"),
    [
        ("x >= 0 |- exp(-x) <= 1", "0", "not new"),
        ("x >= 0; u <= -1 |- exp(-x) <= 1", "-1", "not new"),
        ("x >= 0 |- exp(-x) <= 1 for integers u", "-1", "not new"),
        ("x >= 0 |- exp(-x)/y <= exp(-x)/y", "-1", "may not be nonzero"),
    ],
)
def test_no_exponential_is_in_the_place_of(text: str, rate: str, says: str) -> None:
    with pytest.raises(Rejected, match=says):
        exponential_goal(claim(text), "x", F(rate), "u")


@pytest.mark.parametrize(
    ("given", "rate", "expected"),
    [
        ("x <= 1", "1", "u > 0; u <= exp(1)"),
        ("x <= 1", "-1", "u > 0; u >= 1/exp(1)"),
        ("x >= 1", "1/2", "u > 0; u >= exp(1/2)"),
        ("x >= 1", "-1/2", "u > 0; u <= 1/exp(1/2)"),
        ("2*x >= 1; y > 0; x <= y; x**2 <= 5", "1", "u > 0; u >= exp(1/2); y > 0"),
    ],
)
def test_the_goal_of_an_exponential(given: str, rate: str, expected: str) -> None:
    found = exponential_goal(claim(f"{given} |- x*exp(2*x) < y"), "x", F(rate), "u")
    assert [(r.sign, quotient(r.difference)) for r in found.given] == [
        (r.sign, quotient(r.difference)) for r in map(Relation.read, relations(expected))
    ]
    power = F(2) / F(rate)
    wanted: Term = ("+", ("*", 1 / F(rate), ("log", "u"), ("^", "u", power.numerator)), ("*", F(-1), "y"))
    assert found.then.sign == "<"
    assert quotient(found.then.left) == quotient(wanted)
