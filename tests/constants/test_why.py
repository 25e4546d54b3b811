"""Why a theorem is REFUTED: the terms at the witness, the factor, and what a sharp learning rate would be."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import pytest
from conftest import REPOSITORY, Command
from sympy import Max, Rational, exp, log

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.checking.cache import Cache
from gaptron.checking.checker import check
from gaptron.constants.engine import Engine
from gaptron.constants.largest_rates import Finding
from gaptron.constants.questions import QUESTIONS
from gaptron.constants.rate_search import Binding
from gaptron.constants.why import _best_rate, _unknown, why
from gaptron.prove.replayed_round import terms_at
from gaptron.symbols import K, m

pytestmark = pytest.mark.usefixtures("lent")

EXAMPLES = REPOSITORY / "examples"
SQUARED = Max(1 - m, 0) ** 2


def explained(gaptron: Command, name: str, file: Path) -> str:
    done = gaptron("explain", name, file, "--json", "--seconds", 60)
    assert done.returncode == 1, done.stderr
    document = json.loads(done.stdout)
    return "\n".join((document["theorems"][0] if "theorems" in document else document["claim"])["why"])


@pytest.mark.slow
@pytest.mark.parametrize("factor", [Rational(101, 100), 3, 10**6])
def test_the_factor_is_what_the_round_allows(factor: Rational) -> None:
    """With the rate divided by it, the gap of that round is exactly 0; and sharpen's rate is known."""
    rate = factor / (4 * K)
    theorem = Theorem(name="fast", loss=MarginLoss(SQUARED), gap_map=GapMap(SQUARED), learning_rate=rate)
    (checked,) = check([theorem], 20.0, 2)
    witness = next(outcome.witness for outcome in checked.outcomes if outcome.witness)
    terms = terms_at(theorem, witness)
    assert terms.gap == Fraction(witness["gap"]) > 0
    allowed = terms.step / (terms.loss - terms.risk)
    assert allowed > 1
    assert terms_at(replace(theorem, learning_rate=rate / allowed), witness).gap == 0
    said = why(theorem, [witness], Engine(20.0, 2, Cache(None, print)), 60)
    assert f"is {allowed} times that" in said[1]
    assert said[-1].startswith(
        "gaptron sharpen allows eta = 1/(4*K) and regret 2*K, for every K, and nothing better for this map"
    )
    assert said[-1].endswith(f"the learning rate claimed is {factor} times that")


@pytest.mark.slow
def test_of_one_number_of_classes_nothing_is_said_for_every_k() -> None:
    loss = {"loss": MarginLoss(SQUARED), "gap_map": GapMap(SQUARED)}
    theorem = Theorem(name="for three", **loss, learning_rate=1 / (3 * K), classes=3)  # type: ignore[arg-type]
    (checked,) = check([theorem], 20.0, 2)
    said = why(theorem, checked.witnesses, Engine(20.0, 2, Cache(None, print)), 60)
    assert said[-1] == (
        "gaptron sharpen allows eta = 1/12 and regret 6, for K = 3, and nothing better for this map: "
        "the learning rate claimed is 4/3 times that"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("example", "name", "sentences"),
    [
        ("map_below_zero", "below zero", ("the loss does not exceed P(wrong)", "1 - m/2 >= 0 the left side is -1")),
        ("not_convex", "capped", ("the value in the middle is 2", "the first is 4/3 times the second")),
        ("own_costs_too_fast", "own costs", ("what every prediction costs is 3/4", "100/99 times the second")),
        ("bandit_too_fast", "bandit", ("E (eta/2) ||g||^2 = 1.41421", "it knows no largest rate for bandit")),
        ("abstaining_too_fast", "abstaining", ("the expected cost = 2/3", "(eta/2) ||g||^2 is 3/2 times")),
        ("bandit_as_printed", "Theorem 6", ("the left side is 136", "1.00173 times the second")),
        ("below_the_optimum", "logistic", ("every prediction costs is 1/2", "for K = 3, where 3449/18498 is refuted")),
    ],
)
def test_every_kind_of_witness_is_explained(
    gaptron: Command, example: str, name: str, sentences: tuple[str, str]
) -> None:
    said = explained(gaptron, name, EXAMPLES / f"{example}.py")
    for sentence in sentences:
        assert sentence in said


@pytest.mark.slow
def test_a_claim_is_explained_at_the_witness_that_is_shown(gaptron: Command) -> None:
    said = explained(gaptron, "theorem-2", EXAMPLES / "tilted_hinge")
    assert "allows eta = 1/(4*K) and regret 2*K" in said
    assert "the learning rate claimed is 2 times that" in said


def test_what_is_proved_needs_no_why(gaptron: Command) -> None:
    done = gaptron("explain", "squared hinge", EXAMPLES / "squared_hinge.py")
    assert done.returncode == 0
    assert "why:" not in done.stdout


def test_what_sharpen_does_not_certify_at_once_is_said_as_what_the_search_believes() -> None:
    loss = log(1 + exp(-m))
    slow = Theorem(name="slow", loss=MarginLoss(loss), gap_map=GapMap(loss), learning_rate=1 / K)
    answer = Finding(QUESTIONS[0], brackets={3: None}, reasons={3: "eta = 1/9 could not be proved: a page of terms"})
    answer.contacts[3] = (Binding(0.105922, cast(Any, None), {}),)
    assert _best_rate(slow, answer, 3) is None
    said = _unknown(slow, answer, 3, True)
    assert said == "gaptron sharpen takes longer: the search believes in eta = 0.105922, which is not certified"
    answer.impossible[3] = {}
    assert _unknown(slow, answer, 3, False).endswith("a page of terms")
    answer.impossible.clear()
    answer.contacts.clear()
    assert _unknown(slow, answer, 3, True) == "gaptron sharpen takes longer than the seconds that were given"
