"""The gaps that the report plots are those of the round."""

from dataclasses import replace
from fractions import Fraction

import pytest
import sympy as sp

from gaptron.ledger.html.gaps import beta, eta, gap, script, shown_theorems
from gaptron.numbers.evaluate import evaluate
from gaptron.rounds import score_gradient, top_label, value
from gaptron.rounds.exact import round_at
from gaptron.symbols import K, m
from gaptron.theory.losses import SoftmaxLoss
from gaptron.theory.theorem import Theorem

THEOREMS = shown_theorems()
GAPS = {name: gap(theorem) for name, theorem in THEOREMS.items()}
RATE, BETA = Fraction(1, 3), Fraction(1, 4)


def of_round(theorem: Theorem, scores: list[Fraction], n: int) -> float:
    label = 0
    a = float(round_at(theorem.loss, scores, theorem.gap_map).gap)
    wrong = a * (n - 1) / n if top_label(scores) == label else 1 - a / n
    squares = sum(float(slope) ** 2 for slope in score_gradient(theorem.loss, scores, label))
    return wrong - float(value(theorem.loss, scores, label)) + float(RATE) / 2 * squares


@pytest.mark.parametrize("name", THEOREMS)
@pytest.mark.parametrize("margin", [Fraction(n, 16) for n in (-20, -16, -1, 0, 4, 5, 16)])
@pytest.mark.parametrize("n_classes", [2, 5])
def test_a_plotted_gap_is_that_of_the_round(name: str, margin: Fraction, n_classes: int) -> None:
    theorem = THEOREMS[name]
    n = 2 if name in ("figure1", "binary") else n_classes
    if theorem.parameters:
        theorem = replace(theorem.at({beta: BETA}), learning_rate=RATE)
    others = [] if isinstance(theorem.loss, SoftmaxLoss) else [min(margin, Fraction(0))] * (n - 2)
    found = evaluate(GAPS[name], {m: margin, K: Fraction(n), eta: RATE, beta: BETA})
    assert float(found) == pytest.approx(of_round(theorem, [margin, Fraction(0), *others], n), abs=1e-12)


def test_the_script_holds_what_sympy_prints_of_them() -> None:
    assert "Math.log" in script()
    assert all(f"{name}: (m, K, eta, beta) => " in script() for name in THEOREMS)
    assert sp.jscode(GAPS["figure1"]).split()[0] in script()
