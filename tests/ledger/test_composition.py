"""Arguments combined in several processes: one that fails, or whose process ends, costs no other its verdict."""

import os
from typing import Any

import pytest
import sympy as sp

from gaptron import Argument, GapMap, Implication, InProof, Lemma, MarginLoss, Obligations, Theorem
from gaptron.ledger import composition
from gaptron.ledger.composition import Combined, combine_all, of_argument
from gaptron.ledger.grounds import Found
from gaptron.symbols import K, m
from gaptron.theory.compose import compose
from gaptron.theory.verdict import Verdict

x = sp.symbols("x", real=True)
SQUARE = Implication(name="square", statement="a square", given=(x >= 1,), then=x**2 >= 1)


def argument(name: str, least: int, concluded: int = 1) -> Argument:
    return Argument(
        name=name,
        setting="A number and its square",
        hypotheses=(x >= least,),
        steps=(SQUARE,),
        conclusion=x**2 >= concluded,
        example={x: 3},
    )


GOOD, BROKEN, BEYOND = argument("good", 1), argument("broken", 0), argument("beyond", 1, 2)


@pytest.mark.parametrize("processes", [1, 2])
def test_each_argument_gets_its_own_answer(processes: int) -> None:
    found = dict(combine_all([GOOD, BROKEN, BEYOND, GOOD], {}, processes))
    good, broken, beyond, again = (found[number] for number in range(4))
    assert good == again == Combined()
    assert (broken.reason or "").startswith("broken: square: nothing gives")
    assert (beyond.reason or "").startswith("beyond: the conclusion: nothing gives")


def test_a_process_that_ends_leaves_its_argument_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    def dying(one: Argument, others: Any) -> tuple[str, ...]:
        if one is BROKEN:
            os._exit(7)
        return compose(one, others)

    monkeypatch.setattr(composition, "compose", dying)
    found = dict(combine_all([GOOD, BROKEN], {}, 2))
    good, lost = found[0], found[1]
    assert good == Combined()
    assert lost.reason == "broken: its steps could not be combined: the process ended (exit status 7)"
    decided = [Found(BROKEN, Verdict.PROVED, ("kernel",))]
    assert of_argument(GOOD, decided, {}, good).verdict is Verdict.PROVED
    assert of_argument(BROKEN, decided, {}, lost).verdict is Verdict.UNDECIDED


HALF = sp.Max(1 - m, 0) ** 2
WHOLE = Theorem(name="smooth", loss=MarginLoss(HALF), gap_map=GapMap(HALF), learning_rate=1 / (4 * K), regret=2 * K)
ONE_STEP = Lemma(name="one step", implications=(SQUARE,))


@pytest.mark.parametrize(
    ("beside", "kind"),
    [(Obligations(WHOLE), "whole"), (Obligations(WHOLE, "gap*"), "steps"), (Obligations(ONE_STEP), "steps")],
    ids=["a theorem", "a part of one", "a lemma"],
)
def test_beside_a_proof_a_theorem_decided_as_a_whole_leaves_nothing_open(beside: Obligations, kind: str) -> None:
    grounds = [Found(one, Verdict.PROVED, ("kernel",)) for one in (InProof("mine.proof", "mine/one"), beside)]
    assert composition.composition(grounds, {}).kind == kind
