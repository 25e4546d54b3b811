"""f <= 0 on an interval by balls: what must be accepted, zero slack included, and what must be rejected."""

import time

import pytest
from sympy import Expr, Integer, Max, Rational, Symbol, exp, log, oo, sqrt

from gaptron.prove.interval import Interval, enclose
from gaptron.prove.univariate import prove_nonpositive
from gaptron.verdict import UndecidedError

x = Symbol("x", real=True)
HALF = Rational(1, 2)


def holds(f: Expr, low: Expr, high: Expr, strict: bool = False) -> bool:
    try:
        prove_nonpositive(f, x, low, high, time.monotonic() + 5, strict)
    except UndecidedError:
        return False
    return True


@pytest.mark.parametrize(
    ("f", "low", "high", "why"),
    [
        (log(x) / log(2) + 1, 0, HALF, "contact at the right end, singular at the left"),
        (1 - x / 2 + Rational(3, 4) * log(x) / log(2), 0, HALF, "the tight inequality of Theorem 1 at K = 2"),
        (-(x**2), -1, 1, "contact inside, of second order"),
        (-(x**4), -1, 1, "contact inside, of fourth order"),
        (-((x - HALF) ** 2) * (x + 2), -1, 1, "contact inside, away from the middle"),
        (log(x) - x + 1, 0, oo, "contact inside a half-line"),
        (x * (x - 1), 0, 1, "contact at both ends"),
        (-exp(-x), 0, oo, "a tail without slack"),
        (log(1 + exp(-x)) - exp(-x), 0, oo, "two tails that cancel to second order"),
        (exp(-3 * x / 2) - 2 * exp(-x), 0, oo, "rates that are no multiples of each other"),
        (1 - exp(x) - exp(-x), -oo, oo, "the whole line"),
        (sqrt(x) - 1, 0, 1, "a singular derivative away from the contact"),
        (Integer(0) * x, 0, 1, "the zero function"),
    ],
)
def test_accepted(f: Expr, low: Expr, high: Expr, why: str) -> None:
    assert holds(f, Integer(low) if isinstance(low, int) else low, Integer(high) if isinstance(high, int) else high), (
        why
    )


@pytest.mark.parametrize(
    ("f", "low", "high", "strict", "why"),
    [
        (log(x) / log(2) + 1 + Rational(1, 10**6), 0, HALF, False, "too large by one millionth at the contact"),
        (1 - x / 2 + (Rational(3, 4) - Rational(1, 10**6)) * log(x) / log(2), 0, HALF, False, "a constant too small"),
        (x**3, -1, 1, False, "zero inside, but it grows beyond"),
        (-(x**2) + Rational(1, 10**9), -1, 1, False, "positive on a short interval"),
        (-(x**2), -1, 1, True, "not strict at the contact"),
        (x - 100, 0, oo, False, "positive far out"),
        (1 / x - 1, 0, 1, False, "a pole"),
        (log(x), -1, 1, False, "undefined on half of it"),
        (exp(-2 * x) + sqrt(log(1 + exp(-x)) ** 2) - 1, 0, oo, False, "a root of a square, positive near 0"),
        (exp(-x) - exp(-2 * x), 0, oo, False, "positive, and zero only in the limit"),
        (x, Rational(0), Rational(0), True, "one point, zero, strict"),
        (x - 1 + Rational(1, 10**30), 1, 1, False, "one point, slightly positive"),
    ],
)
def test_rejected(f: Expr, low: Expr, high: Expr, strict: bool, why: str) -> None:
    assert not holds(f, Rational(low) if low != -oo else low, high if high == oo else Rational(high), strict), why


@pytest.mark.parametrize(
    "f", [x**2 - 3 * x, x**3, log(1 + exp(x)), 1 / (2 + x), sqrt(x + 1) * x, exp(-x) * x, (x - 1) ** -2]
)
@pytest.mark.parametrize(
    ("low", "high"), [(-HALF, HALF), (Rational(0), Rational(3, 4)), (Rational(1, 3), Rational(2, 3))]
)
def test_an_enclosure_contains_the_values(f: Expr, low: Rational, high: Rational) -> None:
    from gaptron.evaluate import ball, enclosure, evaluate

    box = enclose(f, {x: Interval(ball(evaluate(low, {})), ball(evaluate(high, {})))})
    for step in range(11):
        point = low + (high - low) * Rational(step, 10)
        below, above = enclosure(ball(evaluate(f, {x: evaluate(point, {})})))
        assert enclosure(box.low)[0] <= above
        assert below <= enclosure(box.high)[1]


def test_a_deadline_is_obeyed() -> None:
    start = time.monotonic()
    hard = sum((exp(-k * x) * log(k + x) for k in range(2, 12)), Integer(0)) - Max(0, 30)
    with pytest.raises(UndecidedError):
        prove_nonpositive(hard + 30 - Rational(1, 10**12), x, Integer(0), Integer(50), time.monotonic() + 0.5)
    assert time.monotonic() - start < 10
