"""The papers' figures and tables, benchmarks/reproduced/, are what `make reproduce` writes, and every table renders."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY, SECONDS

from gaptron.theory.shipped import shipped_claims

REPRODUCED = REPOSITORY / "benchmarks" / "reproduced"
PAGES = sorted(
    page for page in REPOSITORY.rglob("*.md") if not any(part.startswith(".") or part == "build" for part in page.parts)
)


def uneven(text: str) -> list[str]:
    """The rows of Markdown tables with more or fewer cells than their head: a | in a cell has to be escaped."""
    found, width = [], 0
    for line in text.splitlines():
        cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        if width and cells and cells != width:
            found.append(line)
        width = (width or cells) if cells else 0
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_every_row_of_a_table_has_the_cells_of_its_head(page: Path) -> None:
    assert uneven(page.read_text()) == []


def test_a_norm_that_is_not_escaped_is_found() -> None:
    assert uneven("| a | b |\n|---|---|\n| ||U||^2 | 1 |\n") == ["| ||U||^2 | 1 |"]
    assert uneven("| a | b |\n|---|---|\n| \\|\\|U\\|\\|^2 | 1 |\n") == []


@pytest.mark.slow
def test_the_page_is_what_its_script_writes_from_the_results_kept(tmp_path: Path) -> None:
    script, results = REPOSITORY / "benchmarks" / "reproduce.py", REPRODUCED / "figure2.jsonl"
    command = [sys.executable, str(script), "--results", str(results), "--out", str(tmp_path)]
    done = subprocess.run(command, text=True, capture_output=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "README.md").read_text()
    assert text == (REPRODUCED / "README.md").read_text()
    assert {file.name for file in tmp_path.iterdir()} == {file.name for file in REPRODUCED.iterdir()}
    pictures = re.findall(r"!\[[^]]+\]\((\w+\.png)\)", text)
    assert pictures == ["figure1.png", "losses.png", "figure2.png"]
    assert all((REPRODUCED / picture).stat().st_size < 150_000 for picture in pictures)
    assert set(re.findall(r"`(gaptron/[\w-]+)`", text)) <= set(shipped_claims())


def test_table_one_has_a_title_a_caption_and_a_row_for_every_algorithm() -> None:
    text = (REPOSITORY / "benchmarks" / "table_one.md").read_text()
    title, caption, table, last = text.split("\n\n")[1:]
    assert title.startswith("# Table 1 of van der Hoeven (2020)")
    assert "regret" in caption
    assert len(table.splitlines()) == 2 + (REPOSITORY / "benchmarks" / "table_one.py").read_text().count("    Row(")
    assert last.startswith("Vovk's aggregating algorithm")


def printed(script: str, *arguments: str | Path) -> str:
    command = [sys.executable, str(REPOSITORY / "benchmarks" / script), *map(str, arguments)]
    done = subprocess.run(command, text=True, capture_output=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gap", "lower_bound"])
def test_a_picture_is_what_its_script_draws(name: str, tmp_path: Path) -> None:
    printed(f"{name}.py", "--out", tmp_path / "drawn.svg")
    kept = REPOSITORY / "docs" / f"{name}.svg"
    assert (tmp_path / "drawn.svg").read_text() == kept.read_text()
    assert kept.stat().st_size < 60_000


@pytest.mark.slow
def test_the_lower_bound_is_far_above_theorem_13_and_close_to_what_is_attained() -> None:
    """In the table of its page; each stream is above its bound, and below what proximal steps have at most."""
    table, page = printed("lower_bound.py"), (REPOSITORY / "docs" / "optimal_constant.md").read_text()
    assert table in page
    for row in table.splitlines()[2:]:
        _, attained, forced, of_stream, theirs, of_their_stream = map(float, row.strip("| ").split(" | "))
        assert attained > of_stream > forced > 5 * of_their_stream > 25 * theirs
    (row,) = re.findall(r"^\| 1000 \|.*", table, re.MULTILINE)
    (said,) = re.findall(r"!\[At B = (.*?)\]\(lower_bound\.svg\)", page)
    assert set(re.findall(r"\d+\.\d", said)) < set(row.split())
