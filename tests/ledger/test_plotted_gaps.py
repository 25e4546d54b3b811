"""The gaps that the report plots are those of the round."""

import json
import shutil
import subprocess
from dataclasses import replace
from fractions import Fraction

import pytest

from gaptron.ledger.html.gaps import beta, gap, script, shown_theorems
from gaptron.numbers.evaluate import value_at
from gaptron.rounds import score_gradient, top_label, value
from gaptron.rounds.exact import round_at
from gaptron.theory.losses import SoftmaxLoss
from gaptron.theory.theorem import Theorem

THEOREMS = shown_theorems()
GAPS = {name: gap(theorem) for name, theorem in THEOREMS.items()}
RATE, BETA = Fraction(1, 3), Fraction(1, 4)


def of_round(theorem: Theorem, scores: list[Fraction], n: int) -> float:
    label = 0
    a = float(round_at(theorem.loss, scores, theorem.data.gap_map).gap)
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
    found = value_at(GAPS[name], {"m": margin, "K": Fraction(n), "eta": RATE, "beta": BETA})
    assert float(found) == pytest.approx(of_round(theorem, [margin, Fraction(0), *others], n), abs=1e-12)


def test_the_script_names_every_gap() -> None:
    assert "Math.log" in script()
    assert all(f"{name}: (m, K, eta, beta) => " in script() for name in THEOREMS)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_script_computes_the_gaps() -> None:
    margins = [Fraction(n, 16) for n in (-20, -16, -1, 0, 4, 5, 16)]
    ask = f"{json.dumps([float(place) for place in margins])}.map(m => GAPS[name](m, 5, {float(RATE)}, {float(BETA)}))"
    program = f"{script()}console.log(JSON.stringify(Object.fromEntries(Object.keys(GAPS).map(name => [name, {ask}]))))"
    done = subprocess.run(["node", "-e", program], capture_output=True, text=True, check=True)
    for name, found in json.loads(done.stdout).items():
        meant = [value_at(GAPS[name], {"m": place, "K": Fraction(5), "eta": RATE, "beta": BETA}) for place in margins]
        assert found == pytest.approx(list(map(float, meant)), abs=1e-12)
