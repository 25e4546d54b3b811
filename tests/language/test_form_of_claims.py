"""The form of expressions in claims: the same value, and defined at the same points, where what is positive is."""

import random
from fractions import Fraction

import pytest

from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula, relation, where
from gaptron.language.normal import NORMAL, Normal, alike, put, slope
from gaptron.language.relations import Relation
from gaptron.numbers.evaluate import Number, enclosure, value_at

CLOSE = Fraction(1, 10**25)
POINTS = [
    {"m": Fraction(m), "t": Fraction(t), "K": Fraction(k), "p": Fraction(p)}
    for m, t, k, p in ((0, 1, 2, "1/2"), (-1, 0, 3, "1/3"), ("1/4", -2, 4, "2/7"), (1, 1, 9, 1), (2, 4, 2, "1/16"))
]


def value(expression: Expression, point: dict[str, Fraction]) -> Number | None:
    try:
        return value_at(expression, point)
    except (ValueError, ZeroDivisionError):
        return None


def same(one: Number | None, other: Number | None) -> bool:
    if one is None or other is None:
        return one is other
    (low, high), (least, most) = enclosure(one), enclosure(other)
    slack = CLOSE * max(1, abs(low))
    return low - slack <= most and least - slack <= high


def drawn(generator: random.Random, depth: int) -> Expression:
    """Any expression, written without regard for any form."""
    if depth == 0 or generator.random() < 0.15:
        return generator.choice(("m", "t", "K", "p", "K", "m", *map(Fraction, (0, 1, -1, 2, "1/2", 4, 9))))
    head = generator.choice(("+", "+", "*", "*", "*", "^", "^", "root", "exp", "log"))
    if head in ("+", "*"):
        return (head, *(drawn(generator, depth - 1) for _ in range(generator.choice((2, 2, 3)))))
    inside = drawn(generator, depth - 1)
    if head == "^":
        return (head, inside, generator.choice((-3, -2, -1, -1, 2, 3)))
    return (head, inside, 2) if head == "root" else (head, inside)


def is_small(expression: Expression, point: dict[str, Fraction]) -> bool:
    """Whether no exponential in it is of a number too large for a ball."""
    if not isinstance(expression, tuple):
        return True
    below = [part for part in expression[1:] if not isinstance(part, int)]
    if not all(is_small(part, point) for part in below):
        return False
    found = value(below[0], point) if expression[0] == "exp" else None
    return found is None or max(map(abs, enclosure(found))) < 50


@pytest.mark.few(8)
@pytest.mark.one_in(1)
@pytest.mark.parametrize("seed", range(24))
def test_values_and_where_there_is_none_stay(seed: int) -> None:
    generator = random.Random(seed)
    changed = 0
    for _ in range(60):
        expression = drawn(generator, generator.choice((2, 3, 4)))
        written = put(expression)
        changed += written != expression
        for point in POINTS:
            if is_small(expression, point):
                assert same(value(expression, point), value(written, point)), (expression, written, point)
    assert changed > 20


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("m/m", {"m": 0}),
        ("1/(1/m)", {"m": 0}),
        ("m**2*m**-1", {"m": 0}),
        ("sqrt(m)*sqrt(m)", {"m": -1}),
        ("sqrt(m)**2", {"m": -1}),
        ("sqrt(m**2)*sqrt(m)", {"m": -1}),
        ("0*(1/m)", {"m": 0}),
        ("0*sqrt(m)", {"m": -1}),
        ("0*log(m)", {"m": 0}),
        ("log(m) - log(m)", {"m": 0}),
        ("log(m**2)/2 + log(m)*0", {"m": -1}),
        ("log(m)**2", {"m": -3}),
        ("sqrt(m*t)", {"m": -1, "t": 1}),
        ("(m*t)**-1*m", {"m": 0, "t": 1}),
        ("exp(1/m)*exp(-1/m)", {"m": 0}),
        ("sqrt(m)*m**-1*m", {"m": 0}),
        ("(1/m)**-2", {"m": 0}),
        ("1/(m - m)", {"m": 3}),
    ],
)
def test_what_has_no_value_gets_none(text: str, point: dict[str, int]) -> None:
    assert value(formula(text), {name: Fraction(at) for name, at in point.items()}) is None


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("K*(K - 1)/K", "K - 1"),
        ("K/(1/K)", "K**2"),
        ("sqrt(4*K)", "2*sqrt(K)"),
        ("sqrt(K)*sqrt(K)", "K"),
        ("0*(K - 1)/K", "0"),
        ("m*t - t*m", "0"),
        ("(2*m)**2", "4*m**2"),
        ("log(1/(1 + exp(-m)))", "-log(1 + exp(-m))"),
        ("log(1/3)", "-log(3)"),
        ("exp(m)*exp(-m)", "1"),
        ("log(2)**2/log(2)", "log(2)"),
        ("2*(K - 1)", "2*K - 2"),
        ("sqrt(9/4)", "3/2"),
        ("sqrt(9/8)", "3*sqrt(2)/4"),
        ("8**(-3/2)", "sqrt(2)/32"),
        ("sqrt(1/2)*sqrt(2)", "1"),
        ("sqrt(0)", "0"),
    ],
)
def test_what_is_written_together(text: str, written: str) -> None:
    assert formula(text) == formula(written)


def test_what_is_positive_is_said() -> None:
    table = Normal({}, frozenset(("w",)))
    power = ("*", ("^", "w", 2), ("^", "w", -2))
    assert table.product(power[1:], []) == 1
    assert NORMAL.product(power[1:], []) == power


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("(1 - m)**2", "2*m - 2"),
        ("sqrt(m)", "1/2*m**(-1/2)"),
        ("m*sqrt(m)", "3/2*sqrt(m)"),
        ("log(1 + exp(-m))", "-exp(-m)/(1 + exp(-m))"),
        ("t*m + K", "t"),
        ("exp(m**2)", "2*m*exp(m**2)"),
        ("3", "0"),
    ],
)
def test_slopes(text: str, written: str) -> None:
    assert alike(slope(formula(text), "m"), formula(written))


def test_the_slope_of_a_root_of_a_cube_is_defined_at_its_end() -> None:
    assert value(slope(("^", ("root", "m", 2), 3), "m"), {"m": Fraction(0)}) == 0


def test_what_has_kinks_has_no_slope() -> None:
    with pytest.raises(ValueError, match="kinks"):
        slope(("max", "m", Fraction(0)), "m")


@pytest.mark.parametrize("text", ["m <= t <= K", "m", "m and t", "min(m, 1)", "m ** t", "1.5*m", "m[0]", "'m' <= t"])
def test_what_is_no_formula_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not"):
        relation(text)


def test_names_in_a_formula_stand_for_what_is_given() -> None:
    assert formula("a + b", a=formula("2*b"), b="m") == ("+", ("*", Fraction(2), "b"), "m")
    assert where("a < 1", "b != a", a="x") == (Relation("<", "x", Fraction(1)), Relation("!=", "b", "x"))


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("1 + m", "m + 1", True), ("(1 + m)*t", "t*(m + 1)", True), ("1 - m", "1 + m", False), ("m*t", "m + t", False)],
)
def test_alike_but_for_the_order(one: str, other: str, expected: bool) -> None:
    assert alike(formula(one), formula(other)) is expected
