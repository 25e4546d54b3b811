"""The surrogate gap of each case at exact points, against the formula of the lemma written out by hand."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import pytest
from sympy import Expr, Max, Min, Piecewise, Rational, diff, log

from gaptron import BinaryLoss, GapMap, MarginLoss, SoftmaxLoss, Theorem
from gaptron.door.reading import read
from gaptron.guesses.computer_algebra import SympyGuesses
from gaptron.numbers.evaluate import Number, enclosure, evaluate, truth_at, value_at
from gaptron.obligations import reduction_of
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.reduction import Case
from gaptron.symbols import K, X, gamma, m, p, z

RISING, SQUARE = GapMap(1 - p / 2), GapMap((1 - Min(1, m) / 2) ** 2)
BANDIT: dict[str, Any] = {"feedback": "bandit", "exploration": Rational(1, 5), "learning_rate": gamma / (4 * K * X**2)}
FULL: dict[str, Any] = {"learning_rate": 1 / (4 * K)}
ETA = {"bandit": gamma / (4 * K), "full": 1 / (4 * K)}
PHI, PSI = Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, True)), (1 - p) * (2 - log(p))
HALF, EXPLORED = Fraction(1, 2), Fraction(1, 5)
SHARES = [Fraction(n, 12) for n in range(1, 12)]
MARGINS = [Fraction(n, 4) for n in range(0, 9)]


def at(expr: Expr, **point: Fraction) -> Fraction:
    return _close(evaluate(expr, {symbol: point[symbol.name] for symbol in expr.free_symbols}))


def _close(value: Number) -> Fraction:
    low, high = enclosure(value)
    return (low + high) / 2


@lru_cache
def of_theorem(theorem: Theorem) -> list[Case]:
    eta = read(ETA[theorem.feedback].subs(gamma, EXPLORED))
    return list(reduction_of(theorem).cases(eta, Coverage(SympyGuesses.of(theorem))))


def holding(theorem: Theorem, point: dict[str, Fraction], kind: str) -> Iterator[Case]:
    """The cases that the point is in."""
    for case in of_theorem(theorem):
        where = [relation for relation in case.region if "y" not in relation.names]
        if case.kind == kind and all(truth_at(relation, point) for relation in where):
            yield case


def risk(theorem: Theorem, a: Fraction, right: bool, n: Fraction) -> tuple[Fraction, Fraction]:
    """P(wrong) without the cost of exploration, and the weight 1/p'(y) of ||g||^2."""
    if theorem.feedback == "full":
        return (a * (n - 1) / n, Fraction(1)) if right else (1 - a / n, Fraction(1))
    share = max(a, EXPLORED)
    paid = EXPLORED * (n - 1) / n
    if right:
        return share * (n - 1) / n - paid, 1 / (1 - share * (n - 1) / n)
    return 1 - share / n - paid, n / share


def check(found: list[Case], point: dict[str, Fraction], expected: Fraction) -> None:
    for case in found:
        assert abs(_close(value_at(case.gap, point)) - expected) < Fraction(1, 10**20), (case, point)


@pytest.mark.few(1)
@pytest.mark.one_in(1)
@pytest.mark.parametrize("how", [BANDIT, FULL], ids=["bandit", "full"])
def test_softmax_rounds(how: dict[str, Any]) -> None:
    """At the wrong label the gap map sees p*, the loss p_y: a weight at the one is none at the other."""
    theorem = Theorem(name="softmax", loss=SoftmaxLoss(PSI), gap_map=RISING, **how)
    eta, seen = ETA[theorem.feedback].subs(gamma, EXPLORED), 0
    for n, top in product(map(Fraction, (2, 3, 4)), SHARES):
        a = at(RISING.expression, p=top)
        squares = {0: (1 - top) ** 2, 1: top**2 + (1 - 2 * top) ** 2, 2: top * (1 - top)}
        others = squares[0 if top >= HALF else 1 if top >= Fraction(1, 3) else 2]
        point = {"K": n, "p": top}
        cost, weight = risk(theorem, a, True, n)
        steep = at(diff(PSI, p) * p, p=top) ** 2
        right = cost - at(PSI, p=top) + at(eta, K=n) / 2 * weight * steep * ((1 - top) ** 2 + others)
        found = list(holding(theorem, point, "right"))
        check(found, point, right)
        seen += len(found)
        for q in SHARES:
            rest = 1 - q - top
            shared = top**2 + (rest**2 if top >= rest else top * rest)
            cost, weight = risk(theorem, a, False, n)
            steep = at(diff(PSI, p) * p, p=q) ** 2
            wrong = cost - at(PSI, p=q) + at(eta, K=n) / 2 * weight * steep * ((1 - q) ** 2 + shared)
            here = {**point, "q": q}
            found = list(holding(theorem, here, "wrong"))
            check(found, here, wrong)
            seen += len(found)
    assert seen > 50


@pytest.mark.parametrize("how", [FULL, BANDIT], ids=["full", "bandit"])
def test_margin_rounds(how: dict[str, Any]) -> None:
    theorem = Theorem(name="margin", loss=MarginLoss(PHI), gap_map=SQUARE, **how)
    eta, seen = ETA[theorem.feedback].subs(gamma, EXPLORED), 0
    for n, top in product(map(Fraction, (2, 3, 5)), MARGINS):
        a = at(SQUARE.expression, m=top)
        cost, weight = risk(theorem, a, True, n)
        slopes = {Fraction(-2) if top <= 0 else 2 * (top - 1)}
        for slope in slopes:
            gap = cost - at(PHI, m=top) + at(eta, K=n) * weight * slope**2
            found = list(holding(theorem, {"K": n, "m": top}, "right"))
            check(found, {"K": n, "m": top}, gap)
            seen += len(found)
        for behind in MARGINS:
            cost, weight = risk(theorem, a, False, n)
            gap = cost - at(PHI, m=-behind) + at(eta, K=n) * weight * 4
            point = {"K": n, "s": top, "t": behind}
            found = list(holding(theorem, point, "wrong"))
            check(found, point, gap)
            seen += len(found)
    assert seen > 50


def test_rounds_of_one_weight_vector() -> None:
    plus, minus = Max(1 - z, 0) ** 2, 2 * Max(1 + z, 0)
    theorem = Theorem(name="binary", loss=BinaryLoss(plus=plus, minus=minus), gap_map=SQUARE, **FULL)
    seen = 0
    for score, (label, loss) in product([*MARGINS, *(-x for x in MARGINS)], ((1, plus), (-1, minus))):
        right = (score >= 0) == (label == 1)
        cost, _ = risk(theorem, at(SQUARE.expression, m=abs(score)), right, Fraction(2))
        smooth = (1 - z) ** 2 if label == 1 else 2 * (1 + z)
        slope = at(diff(smooth, z), z=score) if at(loss, z=score) > 0 else Fraction(0)
        gap = cost - at(loss, z=score) + Fraction(1, 16) * slope**2
        point = {"z": score, "K": Fraction(2)}
        found = [case for case in holding(theorem, point, "right" if right else "wrong") if case.label == label]
        if at(loss, z=score) > 0:
            check(found, point, gap)
            seen += len(found)
    assert seen > 10
