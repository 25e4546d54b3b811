"""``gaptron check --format github`` and ``--format sarif``: what is not PROVED, and nothing else."""

import json
from pathlib import Path

import pytest
from conftest import Command

from gaptron.reports.hosts import as_github, as_sarif, as_summary

pytestmark = pytest.mark.usefixtures("lent")

TRUE, FALSE = "examples/squared_hinge.py", "examples/squared_hinge_too_fast.py"
OPEN = "the bound is not decided, its proof fails (gap)"
SAID = f"squared hinge, too fast: {OPEN}: K=2, scores=(0, 0), label 0: gap = 1/200"


def test_what_is_refuted_is_an_annotation(gaptron: Command) -> None:
    done = gaptron("check", "--format", "github", FALSE, TRUE)
    assert done.returncode == 1
    assert done.stdout == f"::error file={FALSE},line=10,title=REFUTED::{SAID}\n"


def test_an_input_error_is_an_annotation(gaptron: Command) -> None:
    done = gaptron("check", "--format", "github", "examples/missing.py")
    assert done.returncode == 2
    assert done.stdout.startswith("::error file=examples/missing.py,title=Input error::")


@pytest.mark.parametrize(
    ("name", "line"), [("syntax_error", 5), ("symbol_of_its_own", 8), ("raises", 3), ("empty", None)]
)
def test_an_input_error_is_at_its_line(gaptron: Command, name: str, line: int | None) -> None:
    file = f"examples/{name}.py"
    said = gaptron("check", "--format", "github", file).stdout
    place = f"file={file}," if line is None else f"file={file},line={line},"
    assert said.startswith(f"::error {place}title=Input error::{file}:")
    run = json.loads(gaptron("check", "--format", "sarif", file).stdout)["runs"][0]
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    region = {} if line is None else {"region": {"startLine": line}}
    assert notification["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": file}, **region}}]


@pytest.mark.slow
def test_sarif_and_the_summary_are_written_beside_the_annotations(tmp_path: Path, gaptron: Command) -> None:
    sarif, summary = tmp_path / "found.sarif", tmp_path / "summary.md"
    written = ("--sarif", sarif, "--summary", summary)
    done = gaptron("check", "--format", "github", FALSE, TRUE, "examples/raises.py", *written)
    assert done.returncode == 2
    assert done.stdout.count("::error ") == 2
    assert json.loads(sarif.read_text()) == json.loads(
        gaptron("check", "--format", "sarif", FALSE, TRUE, "examples/raises.py").stdout
    )
    lines = summary.read_text().splitlines()
    assert lines[:3] == ["### gaptron check", "", "1 PROVED, 1 REFUTED"]
    assert "| PROVED | squared hinge | examples/squared\\_hinge.py:10 |" in lines
    assert any(line.startswith("- REFUTED: squared hinge, too fast: ") for line in lines)
    assert lines[-1].startswith("- input error: examples/raises.py:")


def test_a_summary_is_text_and_no_markup() -> None:
    theorem = {"name": "a|b <img> [x](y)", "file": "f.py", "line": 1, "verdict": "PROVED", "expected": "PROVED"}
    assert r"| PROVED | a\|b \<img\> \[x\](y) | f.py:1 |" in as_summary([theorem | {"obligations": []}], {})


def test_what_is_refuted_is_a_result(gaptron: Command) -> None:
    done = gaptron("check", "--format", "sarif", FALSE, "examples/missing.py")
    assert done.returncode == 2
    document = json.loads(done.stdout)
    (run,) = document["runs"]
    (result,) = run["results"]
    assert (document["version"], result["ruleId"], result["level"]) == ("2.1.0", "REFUTED", "error")
    assert result["message"]["text"] == SAID
    assert result["properties"] == {"refutes": "condition"}
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == (FALSE, 10)
    assert run["invocations"][0]["executionSuccessful"] is False
    assert result["ruleId"] in {rule["id"] for rule in run["tool"]["driver"]["rules"]}


@pytest.mark.parametrize(("kind", "said"), [("github", ""), ("sarif", '"results": []')])
def test_an_all_green_run_says_nothing(gaptron: Command, kind: str, said: str) -> None:
    done = gaptron("check", "--format", kind, TRUE)
    assert done.returncode == 0
    assert said in done.stdout
    assert bool(done.stdout) is bool(said)


def test_one_document_at_a_time(gaptron: Command) -> None:
    done = gaptron("check", "--json", "--format", "sarif", TRUE)
    assert (done.returncode, done.stdout) == (2, "")
    assert "stdout can be one of them" in done.stderr


def test_json_is_a_format_too(gaptron: Command) -> None:
    assert json.loads(gaptron("check", "--format", "json", TRUE).stdout)["theorems"][0]["verdict"] == "PROVED"


def test_hostile_names_stay_on_their_line_and_what_is_open_is_a_warning(tmp_path: Path) -> None:
    obligation = {"id": "gap/1", "verdict": "UNDECIDED", "reason": "100 %\n::error::mine", "witness": None}
    theorem = {"name": "a\n::error::b", "file": str(tmp_path / "a,b:c.py"), "line": 3, "obligations": [obligation]}
    theorem |= {"verdict": "UNDECIDED", "expected": "PROVED"}
    (line,) = as_github([theorem], {}, {}).splitlines()
    assert line.startswith("::warning file=")
    assert "a%2Cb%3Ac.py,line=3,title=UNDECIDED::" in line
    assert "100 %25" in line
    (result,) = json.loads(as_sarif([theorem], {}, {}))["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("UNDECIDED", "warning")
    assert "\n" not in result["message"]["text"]
