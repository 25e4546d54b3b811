"""``make mutants``: what is explained exists, and a change of what is trusted is noticed or not as it should be."""

import subprocess
import sys

import pytest
from conftest import REPOSITORY
from small_changes import ROOMS, explained, mutants

LEAST = {"kernel": 1800, "proofs": 900}


@pytest.mark.slow
@pytest.mark.one_in(1)
@pytest.mark.parametrize("name", ROOMS)
def test_every_explained_change_is_one_that_is_made(name: str) -> None:
    keys = [mutant.key for mutant in mutants(ROOMS[name])]
    assert len(set(keys)) == len(keys) > LEAST[name]
    found = explained(ROOMS[name])
    assert found <= set(keys)
    assert len(found) <= 0.02 * len(keys)
    text = ROOMS[name].explained.read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| `")]
    assert len(rows) == len(found)
    assert all(len(row) == 2 and len(row[1]) > 10 for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "only", "change"),
    [
        ("kernel", "rules/logic.py apart", "rules/logic.py apart: sign in ('<', '>') -> sign not in ('<', '>')"),
        ("proofs", "rules.py cite", "rules.py cite: require(not thm.local, 'it rests on an assumption') -> pass"),
    ],
)
def test_what_a_rule_demands_cannot_be_dropped(name: str, only: str, change: str) -> None:
    script = REPOSITORY / "tests" / "small_changes.py"
    done = subprocess.run([sys.executable, script, name, "--only", only], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, lines
    assert "100.00% killed" in lines[-2]
    assert any(f"`{change}`" in line for line in lines)
