"""``make mutants``: what is explained exists, and a change of the kernel is noticed or not as it should be."""

import subprocess
import sys

import pytest
from conftest import REPOSITORY
from kernel_mutants import EXPLAINED, explained, mutants, sources


def test_every_explained_change_is_one_that_is_made() -> None:
    keys = [mutant.key for path in sources() for mutant in mutants(path)]
    assert len(set(keys)) == len(keys) > 1800
    assert explained() <= set(keys)
    assert len(explained()) <= 0.02 * len(keys)
    rows = [line.split(" | ") for line in EXPLAINED.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert len(rows) == len(explained())
    assert all(len(row) == 2 and len(row[1]) > 10 for row in rows)


@pytest.mark.slow
def test_what_a_rule_demands_cannot_be_dropped() -> None:
    script = REPOSITORY / "tests" / "kernel" / "kernel_mutants.py"
    done = subprocess.run([sys.executable, script, "--only", "rules/logic.py apart"], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, lines
    assert "100.00% killed" in lines[-2]
    assert any("`rules/logic.py apart: sign in ('<', '>') -> sign not in ('<', '>')`" in line for line in lines)
