"""The benchmarks run, and what they measure is what the documents say where that can be told apart."""

import subprocess
import sys

import pytest
from conftest import REPOSITORY

pytestmark = pytest.mark.slow

GOOD = "examples/squared_hinge.py"
REFUSED = ("audit --only nothing", "explain zzz", "run nothere.csv")


def said(script: str, *arguments: str) -> str:
    command = [sys.executable, str(REPOSITORY / "benchmarks" / script), *arguments]
    done = subprocess.run(command, cwd=REPOSITORY, text=True, capture_output=True, timeout=1800, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_table_one_tells_the_algorithms_apart() -> None:
    rows = [line.strip("| \n").split(" | ") for line in said("table_one.py", "--quick").splitlines() if line[0] == "|"]
    adversary = {(row[0], row[1]): row[3] for row in rows}
    separable = {(row[0], row[1]): row[4] for row in rows}
    assert float(adversary["Perceptron", "full"]) == pytest.approx(0.5, abs=0.05)
    assert adversary["Gaptron, hinge", "full"] == "negative"
    assert abs(float(separable["Gaptron, hinge", "full"])) < 0.1
    assert 0.4 < float(separable["Gaptron, hinge", "bandit"]) < 0.7
    assert 0.5 < float(separable["Banditron", "bandit"]) < 0.75


def test_one_bound_quoted_is_broken_and_no_other_is_used_beyond_its_end() -> None:
    rows = [
        line.strip("| \n").split(" | ") for line in said("quoted_bounds.py", "--quick").splitlines() if line[0] == "|"
    ]
    shares = {row[0]: float(row[2]) for row in rows[2:]}
    assert len(shares) > 8
    assert [name for name, share in shares.items() if share > 1 + 1e-9] == ["Perceptron, c^2 + 2 c sqrt(2 L)"]


def test_the_sharp_constants_of_the_documentation_are_found_again() -> None:
    kept = (REPOSITORY / "docs" / "sharpened.md").read_text()
    rows = [line for line in said("sharpened.py", "--quick").splitlines() if line.count(", sharp for ") == 3]
    assert len(rows) == 5
    assert all(row in kept for row in rows)


def test_the_scaling_benchmark_runs() -> None:
    assert "slope" in said("scaling.py", "--quick")


def test_the_profile_says_where_the_time_of_verbs_goes() -> None:
    shown = said("where_time_goes.py", "--quick")
    seconds = {line.split("gaptron ")[1]: float(line.split()[0]) for line in shown.splitlines() if "  gaptron " in line}
    assert all(seconds[f"check {GOOD}"] > 2 * seconds[refused] for refused in REFUSED)
    for title in ("import gaptron.theory.files", "loading: 1 files", "deriving obligations: 1 files"):
        assert title in shown
