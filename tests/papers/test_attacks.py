"""Attacks on the proof language: each states something that is false or does not follow, and is refused."""

import re
from pathlib import Path

import pytest

from gaptron.papers.files import ProofLibrary
from gaptron.papers.layout import PlaceError
from gaptron.papers.search import LIMITS

TEXT = Path(__file__).with_name("attacks.txt").read_text(encoding="utf-8")
ATTACKS: dict[str, str] = dict(part.split("\n", 1) for part in re.split(r"^== ", TEXT, flags=re.MULTILINE)[1:])  # type: ignore[misc]


def refused(text: str) -> bool:
    library = ProofLibrary()
    try:
        return not all(library.decide(stated, None, True).status == "holds" for stated in library.read(text))
    except PlaceError:
        return True


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LIMITS, "first", 0.2)
    monkeypatch.setattr(LIMITS, "second", 0.3)


@pytest.mark.few(12)
@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", list(ATTACKS))
def test_an_attack_is_refused(name: str) -> None:
    assert refused(ATTACKS[name])


@pytest.mark.usefixtures("quick")
def test_what_is_so_is_not_refused() -> None:
    text = "setting S:\n  number x, y\n  assume x <= y\nclaim a in S: x <= y + 1\n  (1) x < y + 1/2\n"
    assert not refused(text)


def test_there_are_all_of_them() -> None:
    assert len(ATTACKS) >= 40
