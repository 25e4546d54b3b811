"""``expect=``: a check passes if every verdict is the one that its file expects, and every report says so."""

import json
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import sympy as sp
from conftest import REPOSITORY, Command

from gaptron import GapMap, Implication, Lemma, MarginLoss, StructuredTheorem, Theorem, TheoremError
from gaptron.reports.expected import exit_code, words
from gaptron.structured import Classes, SquaredNorm, ZeroOne
from gaptron.symbols import K, m
from gaptron.testing import assert_theorem
from gaptron.theory.data import read, written

pytestmark = pytest.mark.usefixtures("lent")

VERDICTS = ("PROVED", "REFUTED", "UNDECIDED")
TRUE, FALSE, OPEN = "squared_hinge", "squared_hinge_too_fast", "no_learning_rate"


def expecting(name: str, verdict: str, folder: Path) -> Path:
    """An example that expects this verdict."""
    text = (REPOSITORY / "examples" / f"{name}.py").read_text()
    assert text.count("    name=") == 1
    file = folder / f"{name}.py"
    file.write_text(text.replace("    name=", f"    expect={verdict!r},\n    name="))
    return file


def theorem(**given: Any) -> Theorem:
    return Theorem(name="t", loss=MarginLoss(sp.Max(1 - m, 0) ** 2), gap_map=GapMap(sp.Max(1 - m, 0) ** 2), **given)


def items(expect: Any) -> list[Any]:
    a = sp.Symbol("a", real=True)
    square = Implication(name="square", statement="a square", given=(), then=sp.Ge(a**2, 0, evaluate=False))
    parts: dict[str, Any] = {"outputs": Classes(), "target": ZeroOne(), "entropy": SquaredNorm()}
    return [
        theorem(learning_rate=1 / (4 * K), expect=expect),
        StructuredTheorem(name="s", **parts, learning_rate=1, expect=expect),
        Lemma(name="l", implications=(square,), expect=expect),
    ]


@pytest.mark.parametrize("verdict", VERDICTS)
def test_it_crosses_between_processes(verdict: str) -> None:
    found = read(written(items(verdict))[0], lambda place: None)
    assert [item.expect for item in found] == [verdict] * 3


@pytest.mark.parametrize("kind", range(3))
@pytest.mark.parametrize("wrong", ["refuted", "", None, True, K, ["REFUTED"]])
def test_another_word_is_one_sentence(kind: int, wrong: object) -> None:
    good = items("PROVED")[kind]
    with pytest.raises(TheoremError, match=r"^expect = .* is not one of 'PROVED', 'REFUTED', 'UNDECIDED'$"):
        replace(good, expect=wrong)


def test_what_is_expected_is_no_part_of_the_statement() -> None:
    assert theorem(expect="REFUTED") == theorem()


def row(verdict: str, expected: str, accepted: bool | None = None) -> dict[str, Any]:
    return {"verdict": verdict, "expected": expected} | ({} if accepted is None else {"coq": {"accepted": accepted}})


@pytest.mark.parametrize(("verdict", "expected"), list(product(VERDICTS, VERDICTS)))
def test_the_exit_code_of_one_theorem(verdict: str, expected: str) -> None:
    code = 0 if verdict == expected else 3 if verdict == "UNDECIDED" else 1
    assert exit_code([row(verdict, expected)]) == code
    assert exit_code([row(v, v) for v in VERDICTS] + [row(verdict, expected)]) == code
    said = words(row(verdict, expected))
    assert (said is None) is (expected == "PROVED")
    assert said in (None, "as expected" if code == 0 else f"expected {expected}, is {verdict}")


def test_one_comes_before_three() -> None:
    assert exit_code([row("UNDECIDED", "PROVED"), row("PROVED", "REFUTED")]) == 1
    assert exit_code([row("UNDECIDED", "PROVED"), row("REFUTED", "REFUTED")]) == 3
    assert exit_code([row("PROVED", "PROVED", accepted=False)]) == 3
    assert exit_code([row("REFUTED", "REFUTED", accepted=False)]) == 3
    assert exit_code([row("REFUTED", "PROVED", accepted=False)]) == 1
    assert exit_code([row("REFUTED", "REFUTED", accepted=True), row("UNDECIDED", "UNDECIDED")]) == 0


@pytest.mark.slow
def test_what_is_as_expected_passes_in_every_report(tmp_path: Path, gaptron: Command) -> None:
    files = [expecting(FALSE, "REFUTED", tmp_path), expecting(OPEN, "UNDECIDED", tmp_path)]
    report = tmp_path / "report.xml"
    done = gaptron("check", *files, "--junit", report)
    assert done.returncode == 0, done.stdout
    assert "proof fails (gap), as expected, " in " ".join(done.stdout.split())
    assert "scores=" not in done.stdout
    assert done.stdout.endswith("\n1 REFUTED, 1 UNDECIDED: all as expected\n")
    assert {(suite.get("failures"), suite.get("errors")) for suite in ElementTree.parse(report).getroot()} == {
        ("0", "0")
    }
    assert "scores=(0, 0), label 0" in gaptron("check", "-v", *files).stdout
    rows = json.loads(gaptron("check", "--json", *files).stdout)["theorems"]
    assert [(r["verdict"], r["expected"]) for r in rows] == [("REFUTED", "REFUTED"), ("UNDECIDED", "UNDECIDED")]
    github = gaptron("check", "--format", "github", *files)
    assert (github.returncode, github.stdout) == (0, "")
    assert json.loads(gaptron("check", "--format", "sarif", *files).stdout)["runs"][0]["results"] == []


@pytest.mark.slow
def test_what_is_not_as_expected_says_so_in_every_report(tmp_path: Path, gaptron: Command) -> None:
    file, report = expecting(TRUE, "REFUTED", tmp_path), tmp_path / "report.xml"
    done = gaptron("check", file, "--junit", report)
    assert done.returncode == 1
    assert "PROVED squared hinge: expected REFUTED, is PROVED\n" in done.stdout
    assert done.stdout.endswith("\n1 PROVED: 1 not as expected\n")
    (suite,) = ElementTree.parse(report).getroot()
    assert [suite.get("tests"), suite.get("failures")] == ["14", "1"]
    (failure,) = suite.findall("testcase/failure")
    assert failure.get("message") == "expected REFUTED, is PROVED"
    github = gaptron("check", "--format", "github", file).stdout
    assert github.endswith(",line=10,title=PROVED::squared hinge: expected REFUTED, is PROVED\n")
    run = json.loads(gaptron("check", "--format", "sarif", file).stdout)["runs"][0]
    assert run["results"][0]["message"]["text"] == "squared hinge: expected REFUTED, is PROVED"
    assert run["results"][0]["ruleId"] in {rule["id"] for rule in run["tool"]["driver"]["rules"]}


def test_an_input_error_comes_before_what_is_expected(tmp_path: Path, gaptron: Command) -> None:
    file = expecting(TRUE, "FALSE", tmp_path)
    done = gaptron("check", file)
    assert done.returncode == 2
    assert done.stderr.endswith(": expect = 'FALSE' is not one of 'PROVED', 'REFUTED', 'UNDECIDED'\n")


@pytest.mark.slow
def test_the_pytest_plugin_passes_what_is_as_expected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    expecting(FALSE, "REFUTED", tmp_path)
    expecting(TRUE, "REFUTED", tmp_path)
    command = [sys.executable, "-m", "pytest", "-p", "gaptron.adapters.pytest_files", "-p", "no:cacheprovider"]
    done = subprocess.run([*command, "--gaptron", "*.py"], cwd=tmp_path, text=True, capture_output=True, check=False)
    assert "1 failed, 1 passed" in done.stdout, done.stdout
    assert "PROVED squared hinge: expected REFUTED, is PROVED" in done.stdout


def test_assert_theorem_asserts_what_is_expected() -> None:
    assert assert_theorem(theorem(learning_rate=1 / (3 * K), expect="REFUTED")).streams == 0
    with pytest.raises(AssertionError, match='"t" expected REFUTED, is PROVED'):
        assert_theorem(theorem(learning_rate=1 / (4 * K), expect="REFUTED"))
