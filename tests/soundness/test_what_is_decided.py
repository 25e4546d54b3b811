"""Theorems whose pieces, rates and costs are unusual, and what is known of them: none may stay UNDECIDED."""

from typing import Any

import pytest
from conftest import check_kept
from sympy import And, Eq, Expr, Max, Min, Ne, Piecewise, Rational, exp, log, sqrt

from gaptron import BinaryLoss, GapMap, MarginLoss, SoftmaxLoss, Theorem
from gaptron.symbols import K, Parameter, X, gamma, m, p, z
from gaptron.theory.theorem import Contact
from gaptron.theory.verdict import Verdict

pytestmark = pytest.mark.usefixtures("lent")

SECONDS = 15.0
squared = Max(1 - m, 0) ** 2
w = Parameter("w", 1, 1)


def rate(learning_rate: Any, **arguments: Any) -> dict[str, Any]:
    return {"loss": MarginLoss(squared), "gap_map": GapMap(squared), "learning_rate": learning_rate} | arguments


def loss(phi: Expr, gap_map: Expr = squared, learning_rate: Any = 1 / (4 * K), **arguments: Any) -> dict[str, Any]:
    return {"loss": MarginLoss(phi), "gap_map": GapMap(gap_map), "learning_rate": learning_rate} | arguments


LOGISTIC = log(1 + exp(-m), 2)

TRUE: dict[str, dict[str, Any]] = {
    "rate with log(K)": rate(1 / (4 * K * (1 + log(K)))),
    "rate with 2^-K": rate(2 ** (-K) / 4),
    "rate with a root of K": rate(1 / (4 * K ** Rational(3, 2))),
    "a pole between integers": rate(1 / (4 * K * (2 * K - 5) ** 2)),
    "one K by itself": rate(Piecewise((Rational(1, 8), Eq(K, 2)), (1 / (5 * K), True))),
    "one K by itself, where the rest is not defined": rate(
        Piecewise((Rational(1, 8), Eq(K, 2)), (1 / (4 * K * (1 + 1 / sqrt(K - 2))), True))
    ),
    "K < 3 is K = 2": rate(Piecewise((Rational(1, 8), K < 3), (1 / (4 * K), K >= 3))),
    "a rate for some K": rate(Piecewise((1 / (4 * K), K <= 100)), classes=range(2, 101)),
    "a loss by K": loss(Piecewise((squared, Eq(K, 2)), (squared, K >= 3))),
    "a condition that always holds": loss(Piecewise((squared, (m + 1) ** 2 <= m**2 + 2 * m + 1), (0, True))),
    "a piece that ends at K": loss(Piecewise((squared, m <= K), (0, True))),
    "ties of maxima": loss((Max(2 - 2 * m, 0) - Max(1 - m, 0)) ** 2),
    "exponential beside linear": loss(Piecewise((1 - m, m <= 0), (exp(-m), True)), exp(-m)),
    "logistic beside linear": loss(
        Piecewise((1 - m / (2 * log(2)), m <= 0), (LOGISTIC, True)), LOGISTIC, log(2) / (2 * K)
    ),
    "a softmax loss with a maximum": {
        "loss": SoftmaxLoss(Max(0, -log(p, 2))),
        "gap_map": GapMap(Min(1, -log(p, 2))),
        "learning_rate": log(2) / (2 * K),
    },
    "a constant loss": {"loss": SoftmaxLoss(1), "gap_map": GapMap(1), "learning_rate": 1 / (4 * K)},
    "a parameter with one value": loss(w * squared, learning_rate=w / (4 * K)),
    "the best decoder of a loss with a parameter": {
        "loss": SoftmaxLoss(-Parameter("h", 1, 2) * log(p, 2)),
        "decoder": "best",
        "learning_rate": Rational(1, 8),
    },
    "two labels, one vector": {
        "loss": BinaryLoss(Max(1 - z, 0) ** 2),
        "gap_map": GapMap(squared),
        "learning_rate": Rational(1, 4),
    },
    "cost by K": rate(Rational(1, 16), abstention_cost=Piecewise((Rational(1, 4), K <= 3), (Rational(1, 2), True))),
    "exploration by K": rate(
        gamma / (4 * K**2 * X**2),
        feedback="bandit",
        exploration=Piecewise((Rational(1, 4), K <= 3), (Rational(1, 2), True)),
    ),
    "a guarded condition": loss(Piecewise((squared, And(m > -2, 1 / (m + 3) > 0)), (squared, True))),
    "sharp at the right place": rate(1 / (4 * K), sharp_at=Contact(right=True, margin=0)),
}
FALSE: dict[str, dict[str, Any]] = {
    "a rate that is too large beyond K = 625": rate(1 / (100 * sqrt(K))),
    "log(K) too much": rate(log(K) / (5 * K)),
    "half of the loss at K = 2": loss(Piecewise((squared / 2, Eq(K, 2)), (squared, K >= 3)), learning_rate=1 / (8 * K)),
    "no rate beyond K = 100": rate(Piecewise((1 / (4 * K), K <= 100))),
    "an undefined condition": loss(Piecewise((squared, sqrt(m) >= 0), (0, True))),
    "a map that is 0 at a tie": rate(1 / (4 * K), gap_map=GapMap(Piecewise((0, Eq(m, 0)), (squared, True)))),
    "a jump at a point": loss(Piecewise((squared, Ne(m, 1)), (5, True))),
    "the slope of a psi that is a number": {
        "loss": SoftmaxLoss(1 - p),
        "gap_map": GapMap(1 - p),
        "learning_rate": 1 / (4 * K),
    },
    "the best decoder of a loss with a parameter": {
        "loss": SoftmaxLoss((1 - p ** Parameter("h", 0, 1)) / Parameter("h", 0, 1)),
        "decoder": "best",
        "learning_rate": 5,
    },
    "sharp where two classes cannot be": rate(1 / (4 * K), sharp_at=Contact(right=False, margin=-1, top_margin=0)),
    "a regret with a root of a parameter": rate(1 / (4 * K), regret=2 * K + sqrt(Parameter("w", -1, 1))),
}
QUICK = {"K < 3 is K = 2", "a condition that always holds", "no rate beyond K = 100", "a jump at a point"}


def verdict(arguments: dict[str, Any]) -> tuple[Verdict, list[str | None]]:
    result = check_kept([Theorem(name="decided", **arguments)], SECONDS, 2)[0]
    return result.verdict, [outcome.reason for outcome in result.outcomes if outcome.reason]


def _named(found: dict[str, dict[str, Any]]) -> list[Any]:
    return [pytest.param(n, id=n, marks=() if n in QUICK else pytest.mark.slow) for n in found]


@pytest.mark.few(1)
@pytest.mark.parametrize("name", _named(TRUE))
def test_is_proved(name: str) -> None:
    assert verdict(TRUE[name]) == (Verdict.PROVED, [])


@pytest.mark.slow
@pytest.mark.parametrize("name", _named(FALSE))
def test_is_refuted(name: str) -> None:
    assert verdict(FALSE[name])[0] is Verdict.REFUTED


@pytest.mark.slow
def test_a_rate_that_fails_only_beyond_sixty_thousand_classes() -> None:
    assert verdict(rate(1 / (1000 * sqrt(K))))[0] is Verdict.REFUTED
