"""Attacks on the proof language: each states something that is false or does not follow, and is refused."""

import re
from pathlib import Path

import pytest

from gaptron.papers.checked_files import ProofLibrary
from gaptron.papers.layout import PlaceError
from gaptron.papers.premise_search import LIMITS

TEXT = Path(__file__).with_name("attacks.txt").read_text(encoding="utf-8")
PARTS = [part.partition("\n") for part in re.split(r"^== ", TEXT, flags=re.MULTILINE)[1:]]
ATTACKS = {head.split(" -> ")[0]: text for head, _, text in PARTS}
REASONS = {name: reason for name, _, reason in (head.partition(" -> ") for head, _, _ in PARTS)}
NOT_FOUND = ("it does not follow", "no certificate was found")


def why_refused(text: str) -> str:
    """Why the first claim that does not hold is refused; nothing if all hold."""
    library = ProofLibrary()
    try:
        found = [library.decide(stated, None, True) for stated in library.read(text)]
    except PlaceError as error:
        return error.reason
    reasons = [claim.reason for claim in found if claim.status != "holds"]
    return "not found" if reasons and reasons[0].startswith(NOT_FOUND) else next(iter(reasons), "")


def refused(name: str) -> bool:
    """Whether an attack is refused for the reason that is stated beside it, and not for a slip in its text."""
    assert REASONS[name]
    return REASONS[name] in why_refused(ATTACKS[name])


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LIMITS, "first", 0.2)
    monkeypatch.setattr(LIMITS, "second", 0.3)


@pytest.mark.few(4)
@pytest.mark.one_in(1)
@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", list(ATTACKS))
def test_an_attack_is_refused(name: str) -> None:
    assert refused(name)


@pytest.mark.usefixtures("quick")
def test_what_is_so_is_not_refused() -> None:
    text = "setting S:\n  number x, y\n  assume x <= y\nclaim a in S: x <= y + 1\n  (1) x < y + 1/2\n"
    assert why_refused(text) == ""


def test_there_are_all_of_them() -> None:
    assert len(ATTACKS) >= 40


HOLES = {  # ways in which a false claim might be called whole, and the attacks that try them
    "two steps of one name": ["dup-name (two steps of one name)", "dup claim"],
    "a value for a symbol that the setting has": ["Let(K, 1): K declared", "define K again", "Let(T, 3/2)"],
    "a mean in a case of what is drawn": ["average in a case of what is drawn", "sum in a case of the round"],
    "a root or a quotient that is not defined": ["sqrt of what may be negative", "1/0 in a definition", "1/z in max"],
    "facts about texts": ["precedence: difference of vectors", "spaces", "fact made by hand"],
    "what asks for no obligation": ["circular cite", "cite what is below", "1/z defined, z may be 0"],
    "a hypothesis under another name": ["an assumption called protocol", "hidden sign"],
    "an instance outside of its range": ["wrong range in an instance", "integer in an instance"],
    "cases that leave something out": ["cases that leave something out: undefined", "induction from a case"],
    "what is drawn for what is known": [
        *("drawn value for what is known", "drawn value for what is known, in a condition"),
        *("law at a drawn label", "a law that is drawn"),
    ],
}


@pytest.mark.few(3)
@pytest.mark.one_in(1)
@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("hole", HOLES)
def test_no_way_to_a_false_claim_is_open(hole: str) -> None:
    assert [name for name in HOLES[hole] if not refused(name)] == []


@pytest.mark.usefixtures("quick")
def test_a_conclusion_among_its_own_hypotheses_is_never_whole() -> None:
    library = ProofLibrary()
    (stated,) = library.read("setting S:\n  number x\n  assume x <= 0\nclaim a in S: x <= 0\n")
    claim = library.decide(stated, None, True)
    assert (claim.status, claim.whole) == ("holds", False)
    assert {h.text for p in claim.proved for h in p.hyps} == {"x <= 0"}


@pytest.mark.usefixtures("quick")
def test_what_cites_a_claim_that_fell_falls_with_it() -> None:
    library = ProofLibrary()
    text = "setting S:\n  number x >= 0\nclaim a in S: x <= 3\nclaim b in S: x <= 4\n  (1) cite a\n"
    found = [library.decide(stated, None, True) for stated in library.read(text)]
    assert [claim.status for claim in found] == ["false", "not found"]
    assert "a is not proved" in found[1].reason
