"""proofs/README.md is generated, and every proof has the same skeleton."""

import os
import re
from collections import Counter
from pathlib import Path

import pytest
from conftest import REPOSITORY, shipped_entries
from proofs_index import index

from gaptron.theory.files import load_whole, shipped_files
from gaptron.theory.shipped import mentions, shipped_claims, shipped_theorem_files

SIX = ("1_logistic", "2_hinge", "3_smooth_hinge", "4_bandit_logistic", "5_bandit_hinge", "6_bandit_smooth_hinge")
PAGE = REPOSITORY / "proofs" / "README.md"
SKELETON = ("**Problem.**", "**Algorithm.**", "**Theoretical guarantee.**", "**References.**")


def test_the_index_is_what_the_files_hold() -> None:
    expected = index(shipped_files())
    if os.environ.get("GAPTRON_RECORD"):
        PAGE.write_text(expected)
    assert PAGE.read_text() == expected


@pytest.mark.slow
def test_no_two_theorems_have_one_name() -> None:
    names = Counter(statement.item.name for statement in shipped_entries()[0])
    assert [name for name, times in names.items() if times > 1] == []  # an export has one of a name


@pytest.mark.slow
def test_every_name_is_written_out_so_that_no_file_is_run_to_learn_that_there_is_none() -> None:
    statements, claims = shipped_entries()
    assert [filed.claim.id for filed in claims] == shipped_claims()
    assert not [s.item.name for s in statements if not mentions(s.file, s.item.name)]


@pytest.mark.slow
def test_check_runs_every_file_that_holds_a_theorem_and_no_other() -> None:
    statements, _ = shipped_entries()
    assert [*dict.fromkeys(s.file for s in statements)] == shipped_theorem_files()


def test_the_index_names_every_file_and_no_other() -> None:
    _, tables = PAGE.read_text().split("\n## gaptron\n")
    named = re.findall(r"\]\((\w+/\w+\.py)\)", tables)
    assert named == [f"{file.parent.name}/{file.name}" for file in shipped_files()]


@pytest.mark.parametrize("file", shipped_files(), ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_proof_has_the_same_skeleton(file: Path) -> None:
    text = file.read_text().split('"""')[1]
    if file.stem.endswith("_claims"):
        theorem = file.stem.removesuffix("_claims")
        assert text.endswith(f"\n\nThe theorem is in {theorem}.py.\n")
        assert file.with_stem(theorem) in shipped_files()
        return
    places = [text.find(part) for part in SKELETON]
    assert -1 not in places
    assert places == sorted(places)


def test_the_six_theorems_are_files_of_their_own() -> None:
    for name in SIX:
        file = REPOSITORY / "proofs" / "gaptron" / f"theorem{name}.py"
        assert 20 <= len(file.read_text().splitlines()) <= 60
        statements, claims = load_whole(file)
        assert (len(statements), claims) == (1, [])
        assert f"](gaptron/{file.name})" in PAGE.read_text().split("\n## gaptron\n")[0]
