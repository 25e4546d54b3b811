"""What pytest shows of a mistake in a user's test: their line and our sentence, none of our frames."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY

HEAD = """
from sympy import Max, Symbol
from gaptron import GapMap, Implication, Lemma, MarginLoss, StructuredTheorem, Theorem
from gaptron.structured import Classes, Cost, SquaredNorm
from gaptron.symbols import K, m
from gaptron.testing import Stream, assert_bound, assert_theorem

def theorem(**given):
    loss = Max(1 - m, 0) ** 2
    return Theorem(name="mine", loss=MarginLoss(loss), gap_map=GapMap(loss), **given)
"""
SECTION = re.compile(r"^_+ test_mine_(\d+) _+$", re.MULTILINE)
OURS = "Theorem.__post_init__(None)"
SAID = (
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
)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory, lent_cache: Path) -> dict[str, str]:
    """What one run of pytest shows of each line, in a test of its own."""
    folder = tmp_path_factory.mktemp("mine")
    lines = [*(line for line, _ in SAID), OURS]
    tests = (f"\n\ndef test_mine_{number}():\n    {line}\n" for number, line in enumerate(lines))
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_mine.py").write_text(HEAD + "".join(tests))
    given = {"PYTHONPATH": str(REPOSITORY), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "GAPTRON_CACHE": str(lent_cache)}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=folder, text=True, capture_output=True, check=False, env={**os.environ, **given})
    assert done.returncode == 1, done.stderr
    _, *parts = SECTION.split(done.stdout.partition("short test summary")[0])
    assert parts[::2] == [str(number) for number in range(len(lines))], done.stdout
    return dict(zip(lines, parts[1::2], strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(("line", "said"), SAID)
def test_no_frame_of_ours_is_shown(line: str, said: str, shown: dict[str, str]) -> None:
    found = shown[line]
    assert f">   {' ' * 4}{line}" in found
    assert said in found
    assert [text for text in found.splitlines() if "gaptron/" in text and ".py:" in text] == []


@pytest.mark.slow
def test_an_error_that_is_ours_shows_where_it_is(shown: dict[str, str]) -> None:
    assert f">   {' ' * 4}{OURS}" in shown[OURS]
    assert "gaptron/theory/theorem.py:" in shown[OURS]
