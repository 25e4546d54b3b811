"""``gaptron check --format github`` and ``--format sarif``: what is not PROVED, and nothing else."""

import json
from pathlib import Path

import pytest
from conftest import Command

from gaptron.ledger.hosts import as_github, as_sarif

pytestmark = pytest.mark.usefixtures("lent")

TRUE, FALSE = "examples/squared_hinge.py", "examples/squared_hinge_too_fast.py"
SAID = "squared hinge, too fast: K=2, scores=(0, 0), label 0: gap = 1/200"


def test_what_is_refuted_is_an_annotation(gaptron: Command) -> None:
    done = gaptron("check", "--format", "github", FALSE, TRUE)
    assert done.returncode == 1
    assert done.stdout == f"::error file={FALSE},line=10,title=REFUTED::{SAID}\n"


def test_an_input_error_is_an_annotation(gaptron: Command) -> None:
    done = gaptron("check", "--format", "github", "examples/missing.py")
    assert done.returncode == 2
    assert done.stdout.startswith("::error file=examples/missing.py,title=Input error::")


def test_what_is_refuted_is_a_result(gaptron: Command) -> None:
    done = gaptron("check", "--format", "sarif", FALSE, "examples/missing.py")
    assert done.returncode == 2
    document = json.loads(done.stdout)
    (run,) = document["runs"]
    (result,) = run["results"]
    assert (document["version"], result["ruleId"], result["level"]) == ("2.1.0", "REFUTED", "error")
    assert result["message"]["text"] == SAID
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
    (line,) = as_github([theorem], {}).splitlines()
    assert line.startswith("::warning file=")
    assert "a%2Cb%3Ac.py,line=3,title=UNDECIDED::" in line
    assert "100 %25" in line
    (result,) = json.loads(as_sarif([theorem], {}))["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("UNDECIDED", "warning")
    assert "\n" not in result["message"]["text"]
