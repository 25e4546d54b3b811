"""The gallery of losses of the literature: its table says what check says now."""

import json
import sys
from functools import cache
from itertools import permutations

import pytest
from conftest import REPOSITORY, Command

from gaptron.theory.files import Statement, load

FOLDER = REPOSITORY / "examples" / "literature"
FEW = ("squared hinge, eta = 1/(4 K)", "ramp", "sparsemax, coefficient 1", "mean absolute error, 2 (1 - p)")


@cache
def gallery() -> dict[str, Statement]:
    """The theorems by name: the files are run by the first test that asks."""
    found = [statement for file in sorted(FOLDER.glob("*.py")) for statement in load(file)]
    named = {statement.item.name: statement for statement in found}
    assert len(named) == len(found)
    return named


def table() -> dict[str, list[str]]:
    """The cells of a row by the name of its theorem."""
    lines = (REPOSITORY / "benchmarks" / "literature.md").read_text().splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return {name: cells for name, *cells in rows[1:]}


def test_every_loss_has_a_source_and_a_name_that_only_finds_it() -> None:
    assert len(gallery()) >= 40
    assert all(statement.item.source for statement in gallery().values())
    assert not [(one, other) for one, other in permutations(gallery(), 2) if one in other]


def test_the_table_has_a_row_for_each_and_what_it_counts_is_so() -> None:
    rows = table()
    assert {name: cells[0] for name, cells in rows.items()} == {
        name: statement.item.source for name, statement in gallery().items()
    }
    decided = sum(cells[1] != "UNDECIDED" for cells in rows.values())
    assert f"{decided} of {len(rows)} are decided." in (REPOSITORY / "benchmarks" / "literature.md").read_text()


def agrees(name: str, gaptron: Command) -> None:
    done = gaptron("check", gallery()[name].file, "--only", name, "--json")
    (checked,) = json.loads(done.stdout)["theorems"]
    assert table()[name][1:3] == [checked["verdict"], checked["refutes"] or ""]


@pytest.mark.few(1)
@pytest.mark.parametrize("name", FEW)
def test_some_verdicts_are_those_of_the_table(name: str, gaptron: Command) -> None:
    agrees(name, gaptron)


@pytest.mark.slow
@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", table())
def test_every_verdict_is_that_of_the_table(name: str, gaptron: Command) -> None:
    agrees(name, gaptron)


@pytest.mark.slow
def test_the_benchmark_measures_a_row() -> None:
    from subprocess import run

    command = [sys.executable, "benchmarks/literature.py", "--only", FEW[0]]
    said = run(command, cwd=REPOSITORY, text=True, capture_output=True, check=True).stdout
    assert "1 of 1 are decided." in said
    kept, (new,) = table()[FEW[0]], [line for line in said.splitlines() if line.startswith(f"| {FEW[0]}")]
    assert [cell.strip() for cell in new.strip("|").split("|")][1:4] == kept[:3]
