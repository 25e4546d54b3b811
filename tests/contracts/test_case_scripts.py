"""The scripts of proofs/gaptron/cases run, and fail when they are wrong. GAPTRON_RECORD=1 rewrites their README."""

import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import REPOSITORY, SECONDS, Command, Completed

from gaptron.theory.shipped import shipped_files

CASES = REPOSITORY / "proofs" / "gaptron" / "cases"
SCRIPTS = sorted(CASES.glob("theorem?.py"))
EMPTY = {
    "theorem1": {"gap/wrong/2"},  # p >= 1/2 is more than the rest
    "theorem3": {"gap/wrong/2"},  # a wrong round with 1 <= s <= t <= 0
    "theorem4": {"gap/wrong/2", "gap/wrong/4"},  # as in Theorem 1
    "theorem6": {"gap/wrong/2", "gap/right/5"},  # as in Theorem 3, and gamma <= (1 - m)^2 = 0
}
CASE, MATCH, COVER = "is sat", "assert not unmatched(", "assert covered("
WRONG = (
    ("theorem2.py", "eta = (1 - 1 / K) / K", "eta = 2 * (1 - 1 / K) / K", CASE),
    ("theorem1.py", "eta = log(2) / (2 * K)", "eta = 8 * log(2) / (2 * K)", CASE),
    ("theorem3.py", "eta = 1 / (4 * K)", "eta = 1 / (5 * K)", MATCH),
    ("theorem5.py", "gap(0, mix, loss, squared_gradient))", "gap(0, mix, loss, squared_gradient / 2))", MATCH),
    ("theorem6.py", "((a, a >= gamma), (gamma, a <= gamma))", "((gamma, a <= gamma),)", COVER),
)
HEAD = """<!-- generated: GAPTRON_RECORD=1 python -m pytest tests/contracts/test_case_scripts.py -->

# The cases of the surrogate gap

`theoremN.py` is Theorem N of van der Hoeven 2020 in sympy and z3 alone: each case of its surrogate gap, and z3's answer
when it is asked for a round of this case with a positive gap. `unsat` is a proof that there is none, for all numbers of
classes at once. The last lines assert that every round is in a case, and that the cases are those that `gaptron check`
decides, one for one; `matching.py` has the translation and the comparison. For example `python theorem2.py`:

```
"""
TABLE = """```

`expectations.py` has the expected mistakes of the six learners on one stream of eight rounds with two classes, as
fractions where they exist, as balls, and in mpmath, where Algorithm 1 is written out once more:

"""


def run(script: Path) -> Completed:
    return subprocess.run(
        [sys.executable, str(script)], text=True, capture_output=True, timeout=SECONDS, check=False, cwd=script.parent
    )


def changed(folder: Path, name: str, old: str, new: str) -> Completed:
    """What a script says with one line changed, in a copy of the folder beside the theorem files."""
    here = folder / "gaptron" / "cases"
    shutil.copytree(CASES, here, ignore=shutil.ignore_patterns("__pycache__"))
    for file in CASES.parent.glob("*.py"):
        shutil.copy(file, here.parent)
    text = (here / name).read_text()
    assert text.count(old) == 1
    (here / name).write_text(text.replace(old, new))
    return run(here / name)


def test_there_are_six_and_neither_check_nor_audit_loads_them() -> None:
    assert CASES not in {file.parent for file in shipped_files()}
    assert [script.name for script in SCRIPTS] == [f"theorem{n}.py" for n in range(1, 7)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    [pytest.param(path, marks=[pytest.mark.slow] * (path.stem != "theorem2")) for path in SCRIPTS],
    ids=lambda path: path.stem,
)
def test_a_script_prints_as_many_cases_as_check_has(script: Path, gaptron: Command) -> None:
    done = run(script)
    assert done.returncode == 0, done.stderr
    assert 30 <= len(script.read_text().splitlines()) <= 60
    said = done.stdout.splitlines()
    assert all(line.endswith(" > 0 is unsat") for line in said)
    file = re.search(r'unmatched\("(\w+\.py)", CASES\)', script.read_text())
    assert file is not None
    listed = gaptron("check", "-v", f"proofs/gaptron/{file[1]}", "--only", f"Theorem {script.stem[-1]}, *").stdout
    of_gap = set(re.findall(r": (gap/\w+/\d+): .* <= 0 for ", listed))
    empty = EMPTY.get(script.stem, set())
    assert empty < of_gap
    assert len(said) == len(of_gap - empty)


@pytest.mark.few(1)
@pytest.mark.parametrize(("name", "old", "new", "said"), WRONG)
def test_a_script_that_is_wrong_fails(name: str, old: str, new: str, said: str, tmp_path: Path) -> None:
    done = changed(tmp_path, name, old, new)
    assert done.returncode == 1
    assert said in done.stdout + done.stderr


@pytest.mark.slow
def test_the_expectations_agree_and_are_recorded() -> None:
    example, table = run(CASES / "theorem2.py"), run(CASES / "expectations.py")
    assert table.returncode == 0, table.stderr
    expected = HEAD + example.stdout + TABLE + table.stdout
    page = CASES / "README.md"
    if os.environ.get("GAPTRON_RECORD"):
        page.write_text(expected)
    assert page.read_text() == expected
    rows = [line.strip("| ").split(" | ") for line in table.stdout.splitlines()[2:]]
    assert [row[0][:9] for row in rows] == [f"Theorem {n}" for n in range(1, 7)]
    assert [row[1] == "none" for row in rows] == [True, False, False, True, True, False]
    assert Fraction(rows[1][1]) == Fraction(rows[1][3]) == Fraction(17, 8)


@pytest.mark.slow
def test_expectations_that_differ_fail(tmp_path: Path) -> None:
    done = changed(tmp_path, "expectations.py", "(1 - beta) / K),", "(1 - beta) / K / 2),")
    assert done.returncode == 1
    assert "AssertionError" in done.stderr
