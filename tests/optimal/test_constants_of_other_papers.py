"""Theorems beside the constants of COLT 2024 and NeurIPS 2025: one percent better is REFUTED, by an exact instance."""

from dataclasses import replace
from typing import Any

import pytest
from sympy import Eq, Rational, symbols

from gaptron.checking.checker import check
from gaptron.symbols import D, K
from gaptron.theory.files import load
from gaptron.theory.shipped import shipped_files
from gaptron.theory.theorem import Implication, Lemma
from gaptron.theory.verdict import Verdict

FILES = {file.stem: file for file in shipped_files() if file.parent.name == "new"}
LESS = Rational(99, 100)


def shipped(stem: str) -> dict[str, Any]:
    return {filed.item.name: filed.item for filed in load(FILES[stem])}


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["logistic, all algorithms", "natural logistic, all algorithms"])
@pytest.mark.parametrize("classes", [2, 4])
def test_a_percent_less_is_more_than_any_algorithm_can(name: str, classes: int) -> None:
    theorem = shipped("logistic_all_algorithms")[name]
    found = check([replace(theorem, regret=LESS * theorem.regret, classes=classes)], 20, 1)[0]
    assert found.verdict is Verdict.REFUTED
    assert any(outcome.witness and "mistakes" in outcome.witness for outcome in found.outcomes)


@pytest.mark.slow
def test_a_rate_one_percent_up_has_no_decoder() -> None:
    theorem = shipped("structured_natural")["0-1 target, natural logistic"]
    found = check([replace(theorem, learning_rate=theorem.learning_rate / LESS, regret=LESS * theorem.regret)], 20, 1)[
        0
    ]
    assert found.verdict is Verdict.REFUTED


@pytest.mark.parametrize(("factor", "verdict"), [(1, Verdict.PROVED), (LESS, Verdict.REFUTED)])
def test_no_exploration_has_a_percent_less(factor: Any, verdict: Verdict) -> None:
    """The two terms at the best q are D sqrt(2 (K - 1) T/eta_0), and not a percent less."""
    q, rate, root = symbols("q eta_0 root", positive=True)
    rounds = symbols("rounds", nonnegative=True)
    terms = K * D**2 / (2 * q * rate) + q * (K - 1) / K * rounds
    best = (Eq(root**2 * rate, 2 * (K - 1) * rounds), Eq(q * rate * root, K * D))
    tuned = Implication(name="tuned", statement="both terms", given=best, then=terms <= factor * D * root)
    assert check([Lemma(name="tuned", implications=(tuned,))], 20, 1)[0].verdict is verdict
