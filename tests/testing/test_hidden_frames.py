"""What pytest shows of a mistake in a user's test: their line and our sentence, none of our frames."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY

pytestmark = pytest.mark.usefixtures("lent")

HEAD = """
from sympy import Max, Symbol
from gaptron import GapMap, Implication, Lemma, MarginLoss, StructuredTheorem, Theorem
from gaptron.structured import Classes, Cost, SquaredNorm
from gaptron.symbols import K, m
from gaptron.testing import Stream, assert_bound, assert_theorem

def theorem(**given):
    loss = Max(1 - m, 0) ** 2
    return Theorem(name="mine", loss=MarginLoss(loss), gap_map=GapMap(loss), **given)

def test_mine():
"""


def shown(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_mine.py").write_text(f"{HEAD}    {line}\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=folder, text=True, capture_output=True, check=False)
    assert done.returncode == 1
    assert f">   {' ' * 4}{line}" in done.stdout
    return done.stdout


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("theorem(learning_rate='1')", "learning_rate = '1' is not a number or a sympy expression"),
        ("theorem(learning_rate=-K)", "learning_rate = -K is not positive at K = 2"),
        ("MarginLoss(Symbol('a'))", "MarginLoss phi = a uses the symbol a: allowed here: m, K"),
        ("GapMap(None)", "is not a number or a sympy expression"),
        ("Lemma(name='', implications=())", "name = '' is not a non-empty string"),
        ("Implication(name='a', statement='b', given=(), then=1)", "1 is not a relation"),
        ("Cost([])", "TheoremError"),
        ("assert_theorem(theorem(learning_rate=1 / K), examples=1)", '"mine" is REFUTED'),
        ("assert_theorem(theorem(learning_rate=1000), prove=False, examples=50)", 'the bound of "mine" is broken'),
        ("assert_bound(theorem(learning_rate=1000), Stream.of(2, ['1', '1'], [0, 0]))", "is broken"),
    ],
)
def test_no_frame_of_ours_is_shown(line: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = shown(line, tmp_path, monkeypatch)
    assert said in found
    assert [text for text in found.splitlines() if "gaptron/" in text and ".py:" in text] == []


def test_an_error_that_is_ours_shows_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = "Theorem.__post_init__(None)"
    assert "gaptron/theory/theorem.py:" in shown(line, tmp_path, monkeypatch)
