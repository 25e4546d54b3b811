"""Random theorems: what is PROVED resists a dense search for a bad round, and what is REFUTED has a real witness.

Both sides are computed here from the definitions, with nothing of the prover or the learner.
"""

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from sympy import Expr, Max, Min, Piecewise, Rational, exp, log

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.checking.checker import check
from gaptron.door.reading import read
from gaptron.language.slopes import left_slope, right_slope
from gaptron.numbers.arrays import array_function, on_arrays
from gaptron.numbers.evaluate import ball, evaluate, is_less, value_at
from gaptron.symbols import K, m
from gaptron.theory.verdict import Verdict

pytestmark = pytest.mark.slow

CLASS_COUNTS = (2, 3, 4, 5, 6, 9, 20, 101, 1000)
MARGINS = np.unique(np.concatenate([np.linspace(0, 3, 601), 1 / np.arange(2, 20), np.geomspace(3, 1e4, 200)]))
TOLERANCE = 1e-6
SECONDS = 1


def between(rng: random.Random, low: int, high: int, parts: int = 8) -> Rational:
    return Rational(rng.randint(low * parts, high * parts), parts)


def random_loss(rng: random.Random) -> Expr:
    kind = rng.randrange(5)
    if kind == 0:
        return Max(*[between(rng, 0, 2) - between(rng, 0, 3) * m for _ in range(rng.randint(1, 3))], 0)
    if kind == 1:
        return between(rng, 1, 2, 4) * Max(between(rng, 1, 2, 4) - m, 0) ** 2
    if kind == 2:
        value, slope = rng.choice([Rational(1), Rational(1), between(rng, 1, 2)]), between(rng, 1, 3, 4)
        curve = value * (1 - slope * m / value) ** 2
        return Piecewise((value - 2 * slope * m, m <= 0), (curve, m < value / slope), (0, True))
    if kind == 3:
        return between(rng, 1, 2, 4) * log(1 + exp(-between(rng, 1, 2, 2) * m), 2)
    return Max(1 - m, 0) + between(rng, 0, 1) * Max(-m, 0) ** 2


def random_theorem(rng: random.Random, name: str) -> Theorem:
    loss = random_loss(rng)
    gap_map = rng.choice([Min(1, loss), Max(1 - m, 0) ** 2, Max(1 - m, 0), Piecewise((1 - m, m <= 1 / K), (0, True))])
    rate = rng.choice([1 / (4 * K), 1 / (8 * K), 1 / (16 * K), 1 / (64 * K), (1 - 1 / K) / K])
    off_above = rng.choice([None, None, 1 / K, Rational(1, 2)])
    classes = rng.choice([None, None, 2, 3, range(2, 6)])
    return Theorem(name=name, loss=MarginLoss(loss, off_above=off_above), gap_map=GapMap(gap_map), learning_rate=rate,
                   classes=classes)  # fmt: skip


def worst_gap(theorem: Theorem, n_classes: int) -> float:
    """The largest surrogate gap over a dense grid of margins, both one-sided slopes at kinks."""
    at_classes = theorem.loss.phi.subs(K, n_classes)
    phi, slope = on_arrays(at_classes, m), array_function(right_slope(read(at_classes), "m"), "m")
    a = on_arrays(theorem.gap_map.expression.subs(K, n_classes), m)(MARGINS)
    eta = float(theorem.learning_rate.subs(K, n_classes))
    beta = np.inf if theorem.loss.off_above is None else float(theorem.loss.off_above.subs(K, n_classes))

    def cost(margins: Any) -> Any:
        steepest = np.max([np.abs(slope(margins + shift)) for shift in (-1e-9, 0.0, 1e-9)], axis=0)
        return phi(margins) - eta * steepest**2

    right = a * (n_classes - 1) / n_classes - np.where(beta >= MARGINS, cost(MARGINS), 0)
    smallest = a if n_classes == 2 else np.minimum.accumulate(a)
    wrong = 1 - smallest / n_classes - cost(-MARGINS)
    return float(max(right.max(), wrong.max()))


def gap_by_definition(theorem: Theorem, witness: dict[str, Any]) -> Any:
    scores = [Fraction(score) for score in witness["scores"]]
    label, count = witness["label"], Fraction(witness["K"])
    order = sorted(range(len(scores)), key=lambda k: (-scores[k], k))
    top_margin = scores[order[0]] - scores[order[1]]
    margin = scores[label] - max(score for k, score in enumerate(scores) if k != label)
    a = evaluate(theorem.gap_map.expression, {m: top_margin, K: count})
    right = order[0] == label
    risk = a * (count.numerator - 1) / count.numerator if right else 1 - a / count.numerator
    off = theorem.loss.off_above
    if right and off is not None and top_margin > evaluate(off, {K: count}):
        return risk
    at = {m: margin, K: count}
    slope_of = left_slope if "subgradient" in witness else right_slope
    slope = value_at(slope_of(read(theorem.loss.phi), "m"), {"m": margin, "K": count})
    parts = [risk, evaluate(theorem.loss.phi, at), slope, evaluate(theorem.learning_rate, {K: count})]
    if not all(isinstance(part, Fraction) for part in parts):
        parts = [ball(part) for part in parts]
    risk, loss, slope, eta = parts
    return risk - loss + eta * slope * slope


@pytest.mark.parametrize("seed", range(2))
def test_verdicts_agree_with_the_definitions(seed: int) -> None:
    rng = random.Random(seed)
    theorems = [random_theorem(rng, f"random {number}") for number in range(15)]
    results = check(theorems, SECONDS, 2)
    counts = {verdict: sum(result.verdict is verdict for result in results) for verdict in Verdict}
    assert counts[Verdict.PROVED] >= 1
    assert counts[Verdict.REFUTED] >= 5
    for theorem, result in zip(theorems, results, strict=True):
        if result.verdict is Verdict.PROVED:
            assert max(worst_gap(theorem, k) for k in CLASS_COUNTS if theorem.claims(k)) < TOLERANCE, theorem
        for outcome in result.outcomes:
            if outcome.witness is not None and "gap" in outcome.witness:
                assert theorem.claims(outcome.witness["K"])
                gap = gap_by_definition(theorem, outcome.witness)
                stated = outcome.witness["gap"]
                if isinstance(stated, str):
                    assert gap == Fraction(stated) > 0
                else:
                    assert is_less(Fraction(0), gap)
                    assert Fraction(stated[0]) <= Fraction(stated[1])
                    assert not gap < float(Fraction(stated[0])) - 1e-9
