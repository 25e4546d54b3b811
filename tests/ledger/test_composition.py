"""How the grounds of a claim are composed: whole if all of them are written in the proof language."""

import pytest
import sympy as sp

from gaptron import GapMap, Implication, InProof, Lemma, MarginLoss, Obligations, Rests, Theorem
from gaptron.ledger.grounds import UNWRITTEN, Found, composition
from gaptron.papers.checked_files import ProofLibrary, ProvedClaim
from gaptron.symbols import K, m
from gaptron.theory.claims import Ground
from gaptron.theory.verdict import Verdict

x = sp.symbols("x", real=True)
SQUARE = Implication(name="square", statement="a square", given=(x >= 1,), then=x**2 >= 1)
HALF = sp.Max(1 - m, 0) ** 2
WHOLE = Theorem(name="smooth", loss=MarginLoss(HALF), gap_map=GapMap(HALF), learning_rate=1 / (4 * K), regret=2 * K)
ONE_STEP = Lemma(name="one step", implications=(SQUARE,))
IN_PROOF = InProof("mine.proof", "mine/one")
TEXT = "setting S:\n  {}\nclaim mine/one in S: x**2 >= 1\n"


def proved(declared: str = "number x >= 1") -> ProvedClaim:
    library = ProofLibrary()
    (stated,) = library.read(TEXT.format(declared))
    return library.decide(stated, None, True)


def found(ground: Ground, claim: ProvedClaim | None = None) -> Found:
    return Found(ground, Verdict.PROVED, ("kernel",), proved=claim)


@pytest.mark.parametrize(
    ("beside", "kind"),
    [
        (Obligations(WHOLE), "whole"),
        (Obligations(WHOLE, "gap*"), "steps"),
        (Obligations(WHOLE, "no such*"), "steps"),
        (Obligations(ONE_STEP), "steps"),
        (Rests("mine/other"), "steps"),
    ],
    ids=["a theorem", "a part of one", "no obligation", "a lemma", "another claim"],
)
def test_beside_a_proof_a_theorem_decided_as_a_whole_leaves_nothing_open(beside: Ground, kind: str) -> None:
    composed = composition([found(IN_PROOF, proved()), found(beside)])
    assert (composed.kind, composed.open) == (kind, () if kind == "whole" else (UNWRITTEN,))


def test_a_theorem_without_a_proof_does_not_say_how_the_claim_follows() -> None:
    composed = composition([found(Obligations(WHOLE))])
    assert (composed.kind, composed.hypotheses, composed.open) == ("steps", None, (UNWRITTEN,))


def test_what_the_author_supposes_is_open() -> None:
    composed = composition([found(IN_PROOF, proved("number x\n  assume x >= 2"))])
    assert [(row["text"], row["kind"]) for row in composed.hypotheses or ()] == [("x >= 2", "ours")]
    assert (composed.kind, composed.open) == ("steps", ("x >= 2",))
