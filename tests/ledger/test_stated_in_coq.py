"""The evidence ``coq`` by a statement that a claim names: what Coq accepts as the claim says, and nothing else."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import REPOSITORY, Command, shipped_entries
from markupsafe import escape

from gaptron import Breaks, Claim, Instance, Shows
from gaptron.checking.cache import Cache
from gaptron.coq.library import everything, folder
from gaptron.ledger import compared as module_of_comparisons
from gaptron.ledger import stated as module
from gaptron.ledger.html.page import page as as_html
from gaptron.ledger.recomputation import BY_HAND, Audited, audit
from gaptron.ledger.rendering import as_dict
from gaptron.ledger.reviewers import recorded, stated
from gaptron.ledger.stated import NamedStatements
from gaptron.system.documents import Document
from gaptron.theory.files import Filed
from gaptron.theory.refusals import TheoremError
from gaptron.theory.shipped import FileError

LEMMA, PROOF = "PaperBandit.v:Lemma1", "LemmaOne.v:lemma_one_as_printed"
NAMED = {
    "gaptron/lemma1": ["Lemma1", "Lemma1_at_a_cost"],
    "gaptron/smooth-hinge-convex": ["Loss3_as_printed_is_not_convex"],
    "gaptron/lemma1-printed-smooth-hinge": ["Loss3_as_printed_breaks_Lemma1"],
    "gaptron/t6-bound": ["Theorem6_false_from_55"],
    "gaptron/t6-bound-to-54": ["Theorem6_to_54"],
    "gaptron/t6-tuning": ["Theorem6_not_tuned_from_12"],
    "gaptron/t6-tuning-to-11": ["Theorem6_tuned_to_11", "Theorem6_to_11"],
    "gaptron/bandit-second-moment": ["BanditSecondMoment"],
    "slides/bandit-needs-min-probability": ["BanditProbabilities"],
    "new/delay-exact": ["DelayExact"],
    "new/logistic-lower-bound": ["LogisticLowerBound"],
}
NOT_STATED = (  # the printed rate and both branches; any x_1; the losses themselves; any regularizers
    "gaptron/t4-bound", "blog/t1-bound", "gaptron/bandit-unbiased-logistic", "gaptron/bandit-unbiased-hinge",
    "gaptron/bandit-unbiased-smooth", "blog/exercise1",
)  # fmt: skip


def claim(holds: bool = True, **more: object) -> Claim:
    ground = (Shows if holds else Breaks)(lambda: Instance({"x": 1}, 1 if holds else 2, 1, "="))
    known = {"id": "mine/one", "source": "page 1", "statement": "a square is 1", "grounds": ground}
    return Claim(**known, recorded="PROVED" if holds else "REFUTED", **more)  # type: ignore[arg-type]


def audited(one: Claim, asked: Callable[[str, str], Document] | None) -> Audited:
    (row,) = audit([Filed(Path("mine.py"), one)], 5.0, None, 1, stated=asked)
    return row


def accepts(*_: str) -> Document:
    return {"accepted": True, "axioms": []}


def refuses(*_: str) -> Document:
    return {"accepted": False, "reason": "it is false"}


# --- what a claim may name --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Lemma1", "PaperBandit.v:", "../PaperBandit.v:Lemma1", "A.v:x. Axiom y", 3])
def test_names_are_names(name: object) -> None:
    with pytest.raises(TheoremError, match="is not of the form"):
        claim(coq={LEMMA: name})


def test_what_is_not_decided_names_nothing() -> None:
    with pytest.raises(TheoremError, match="coq of what is UNDECIDED"):
        Claim(
            id="mine/one", source="page 1", statement="s", grounds=Shows(list), recorded="UNDECIDED", coq={LEMMA: PROOF}
        )


@pytest.mark.slow
def test_what_is_named_is_read_by_reviewers_and_proved_there() -> None:
    known = {filed.claim.id: filed.claim.coq for filed in shipped_entries()[1] if filed.claim.coq}
    assert {name: [one.split(":")[1] for one in coq] for name, coq in known.items()} == NAMED
    assert not known.keys() & set(NOT_STATED)
    page = (REPOSITORY / "docs" / "formal_details.md").read_text()
    for claim_, coq in known.items():
        assert f"\n| `{claim_}`" in page
        for statement, theorem in coq.items():
            file, name = statement.split(":")
            assert f"`{name}`" in page
            assert stated()[name] == (file, theorem.replace(".v:", "."))


# --- evidence ---------------------------------------------------------------------------------------------------


@pytest.fixture
def compare(monkeypatch: pytest.MonkeyPatch) -> Callable[[Claim], None]:
    """Records that a person compared a claim with what it names."""

    def compared(one: Claim) -> None:
        read = {one.id: {"digest": module_of_comparisons.digest(one), "says": "it is the claim"}}
        monkeypatch.setattr(module_of_comparisons, "_compared", lambda: read)

    return compared


@pytest.mark.parametrize("holds", [True, False])
def test_coq_is_evidence_if_all_that_is_named_is_accepted(holds: bool, compare: Callable[[Claim], None]) -> None:
    one = claim(holds, coq={LEMMA: PROOF, "Blog.v:BlogExercise1": "BlogExercise.v:blog_exercise_1"})
    compare(one)
    plain, row = audited(one, None), audited(one, accepts)
    assert BY_HAND not in plain.evidence
    assert row.evidence == (BY_HAND, *plain.evidence)
    assert not row.problems
    assert as_dict(row)["stated_in_coq"] == one.coq
    first, second = as_dict(row)["coq"]
    assert first == {
        "name": "Lemma1", "file": "PaperBandit.v", "theorem": PROOF, "compared": "compared by hand: it is the claim",
        "statement": recorded()["statements"]["Lemma1"]["printed"],
    }  # fmt: skip
    page = as_html([row])
    assert f"Evidence: {BY_HAND}, " in page
    assert str(escape(second["statement"])) in page
    half = audited(one, lambda statement, theorem: accepts() if statement == LEMMA else refuses())
    assert BY_HAND not in half.evidence
    assert half.problems == ["Coq does not accept Blog.v:BlogExercise1 by BlogExercise.v:blog_exercise_1: it is false"]


def test_words_that_nobody_compared_have_no_evidence(compare: Callable[[Claim], None]) -> None:
    """Whatever a claim is called, and whatever Coq accepts: another's digest is of other words."""
    coq = {"Blog.v:BlogExercise1": "BlogExercise.v:blog_exercise_1"}
    honest = claim(coq=coq)
    for changed in ({}, {"id": "gaptron/lemma1"}, {"coq": {LEMMA: PROOF}}, {"coq": {"Blog.v:None": PROOF}}):
        one = Claim(**{
            "id": honest.id, "source": "page 1", "statement": "the Riemann hypothesis, and E[M] <= 0",
            "grounds": honest.grounds, "recorded": "PROVED", "coq": coq,
        } | changed)  # fmt: skip
        if one.id == honest.id:
            compare(honest)
        row = audited(one, accepts)
        assert row.verdict == "PROVED"
        assert row.evidence == ("exact",)
        (problem,) = row.problems
        assert problem.startswith(f"nobody compared these words with {', '.join(one.coq)} of Coq (proofs/coq/compared")
        assert [shown["compared"] for shown in as_dict(row)["coq"]] == ["compared by nobody"]
    compare(honest)
    assert BY_HAND in audited(honest, accepts).evidence


@pytest.mark.slow
@pytest.mark.parametrize("name", ["statement", "used definition", "verdict"])
def test_a_changed_text_on_either_side_is_stale(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (one,) = (filed.claim for filed in shipped_entries()[1] if filed.claim.id == "gaptron/lemma1")
    assert module_of_comparisons.not_compared(one) is None
    said = recorded()
    if name == "statement":
        said["statements"]["Lemma1"]["printed"] += " "
    elif name == "used definition":
        said["definitions"]["Definitions.v"]["dot"] += " "  # by norm2 and inner
    else:
        one = replace(one, recorded="REFUTED")
    monkeypatch.setattr(module_of_comparisons, "recorded", lambda: said)
    assert module_of_comparisons.not_compared(one) is not None
    said["definitions"]["Blog.v"]["leader"] += " "  # of other statements
    assert name == "verdict" or module_of_comparisons.digest(one) in str(module_of_comparisons.not_compared(one))


@pytest.mark.slow
def test_what_is_shipped_is_compared_and_nothing_else() -> None:
    assert module_of_comparisons._compared().keys() == NAMED.keys()
    for filed in shipped_entries()[1]:
        assert module_of_comparisons.not_compared(filed.claim) is None, filed.claim.id


def test_nothing_is_asked_of_what_is_not_as_recorded_and_nothing_is_evidence_of_it() -> None:
    wrong = Claim(
        id="mine/one", source="page 1", statement="s", recorded="REFUTED", coq={LEMMA: PROOF},
        grounds=Shows(lambda: Instance({"x": 1}, 1, 1, "=")),
    )  # fmt: skip
    row = audited(wrong, lambda *_: pytest.fail("asked"))
    assert row.evidence == ("exact",)
    assert row.problems[0] == "recorded REFUTED, computed PROVED"


# --- what is compared, without Coq ------------------------------------------------------------------------------


@pytest.fixture
def asked() -> NamedStatements:
    """Coq would print what is recorded."""
    asked = NamedStatements(Cache(None, pytest.fail))
    vars(asked)["printed"] = recorded()
    return asked


def test_a_statement_that_is_not_shown_to_reviewers_is_refused(asked: NamedStatements) -> None:
    asked.require_read(LEMMA)
    for name in ("PaperBandit.v:Lemma2", "Definitions.v:guarantee", "Paper.v:Lemma1", "Nothing.v:Lemma1"):
        assert asked(name, PROOF) == {
            "accepted": False, "reason": f"{name} is no statement by hand that is shown to reviewers",
        }  # fmt: skip


@pytest.mark.parametrize(("file", "name"), [("PaperBandit.v", "bracket"), ("Definitions.v", "expectation")])
def test_another_definition_than_the_recorded_is_refused(asked: NamedStatements, file: str, name: str) -> None:
    asked.printed["definitions"][file][name] += " "
    said = asked(LEMMA, PROOF)
    assert said == {
        "accepted": False,
        "reason": f"what Coq prints of {file}:{name} is not what is recorded for reviewers",
    }


@pytest.mark.parametrize("name", [LEMMA, "Blog.v:BlogExercise1"])
def test_another_statement_than_the_recorded_is_refused(asked: NamedStatements, name: str) -> None:
    """Also of one that may be a part of it."""
    asked.printed["statements"]["Lemma1"]["printed"] = "Lemma1 = True\n     : Prop"
    assert f"what Coq prints of {LEMMA} is not" in asked(name, PROOF)["reason"]


def test_a_record_of_an_older_library_is_a_sentence(asked: NamedStatements, monkeypatch: pytest.MonkeyPatch) -> None:
    older = recorded()
    del older["definitions"]["PaperBandit.v"]["bracket"], older["statements"]["BlogExercise1"]
    monkeypatch.setattr(module, "recorded", lambda: older)
    said = asked(LEMMA, PROOF)["reason"]
    assert said == "what Coq prints of PaperBandit.v:bracket is not what is recorded for reviewers"
    del asked.printed["definitions"]["PaperBandit.v"]["bracket"]
    with pytest.raises(FileError, match=r"older than the library: it has no bracket of PaperBandit\.v"):
        asked(LEMMA, PROOF)


@pytest.mark.usefixtures("lent")
def test_explain_shows_them_in_the_words_of_coq(gaptron: Command) -> None:
    said = gaptron("explain", "slides/bandit-needs-min-probability").stdout
    where = "PaperBandit.v:BanditProbabilities, proved by BanditEstimates.v:bandit_probabilities"
    assert f"\n  in Coq: {where}: compared by hand: the claim, for every label\n    BanditProbabilities = " in said
    assert "gamma / INR K <= exploring K gamma a ystar k" in said


def test_a_statement_made_of_what_is_not_shown_is_refused(
    asked: NamedStatements, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {name: everything()[name] for name in ("Definitions.v", "Sums.v")}
    monkeypatch.setattr(module, "needed_by", lambda _: texts)
    assert asked(LEMMA, PROOF)["reason"] == "PaperBandit.v is made of Sums.v, which reviewers are not shown"


# --- against Coq ------------------------------------------------------------------------------------------------


@pytest.fixture
def coq(library: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> NamedStatements:
    """Asks coqc, with the library that is compiled; what is recorded stands for what it prints."""
    monkeypatch.setattr("gaptron.checking.coq_evidence.default_folder", lambda: library.parent)
    asked = NamedStatements(Cache(tmp_path / "cache.sqlite", pytest.fail))
    vars(asked)["printed"] = recorded()
    return asked


@pytest.mark.coq
@pytest.mark.slow
def test_coq_accepts_what_is_shipped(coq: NamedStatements) -> None:
    for filed in shipped_entries()[1]:
        for statement, theorem in filed.claim.coq.items():
            said = coq(statement, theorem)
            assert said["accepted"], said


@pytest.mark.coq
@pytest.mark.slow
@pytest.mark.parametrize(
    ("theorem", "reason"),
    [
        ("LemmaOne.v:lemma_one_at_a_cost", "has type"),
        ("LossThree.v:loss_3_breaks_lemma_1", "has type"),
        ("LemmaOne.v:lemma_one_as_written", "not found"),
        ("LemmaTwo.v:lemma_one_as_printed", "LemmaTwo"),
        ("PaperBandit.v:Lemma1", "has type"),
    ],
)
def test_coq_refuses_another_theorem(coq: NamedStatements, theorem: str, reason: str) -> None:
    said = coq(LEMMA, theorem)
    assert not said["accepted"]
    assert reason in said["reason"]


@pytest.mark.coq
@pytest.mark.slow
def test_what_coq_prints_is_asked_once_an_audit(library: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("gaptron.checking.coq_evidence.default_folder", lambda: library.parent)
    with closing(Cache(tmp_path / "cache.sqlite", pytest.fail)) as cache:
        asked = NamedStatements(cache)
        assert asked(LEMMA, PROOF)["accepted"]
        monkeypatch.setattr(module, "printed", lambda *_: pytest.fail("asked again"))
        assert asked(LEMMA, PROOF)["accepted"]


@pytest.mark.coq
@pytest.mark.slow
def test_an_axiom_is_refused(library: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    axiom = "From Gaptron Require Import PaperBandit.\nAxiom mine : Lemma1.\nTheorem lemma_one_as_printed : Lemma1.\n"
    texts = everything() | {"Mine.v": axiom + "Proof. exact mine. Qed.\n"}
    home = tmp_path / "coq"
    home.mkdir()
    for name, text in texts.items():
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text(text)
    monkeypatch.setattr("gaptron.coq.library.folder", lambda: home)
    monkeypatch.setattr("gaptron.checking.coq_evidence.default_folder", lambda: tmp_path / "kept")
    asked = NamedStatements(Cache(None, pytest.fail))
    vars(asked)["printed"] = recorded()
    said = asked(LEMMA, "Mine.v:lemma_one_as_printed")
    assert said == {"accepted": False, "reason": "it rests on Mine.mine"}
    assert folder() != home
