"""Sessions of the documentation are run as they stand, in order, in one folder. GAPTRON_RECORD=1 rewrites them."""

import os
import re
import shlex
from pathlib import Path

import pytest
from conftest import REPOSITORY, Command

from gaptron.theory.files import load_whole

SESSION = re.compile(
    r"<!-- session(?:, in (?P<file>.+?): (?P<old>.+?) becomes (?P<new>.+?))? -->\n"
    r"```console\n(?P<text>.*?)```",
    re.DOTALL,
)
PAGES = [page for page in sorted((REPOSITORY / "docs").glob("*.md")) if SESSION.search(page.read_text())]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_session_says_what_is_written(page: Path, gaptron: Command, tmp_path: Path) -> None:
    folder = tmp_path / "session"
    folder.mkdir()
    (folder / "examples").symlink_to(REPOSITORY / "examples")

    def said(match: re.Match[str]) -> str:
        if match["file"]:  # what the reader changes with an editor
            edited = (folder / match["file"]).read_text()
            assert match["old"] in edited
            (folder / match["file"]).write_text(edited.replace(match["old"], match["new"]))
        lines = []
        for command in re.findall(r"^\$ gaptron (.+)$", match["text"], re.MULTILINE):
            done = gaptron(*shlex.split(command), cwd=folder)
            assert done.returncode in (0, 1, 3), done.stderr
            lines += [f"$ gaptron {command}\n", done.stdout, done.stderr]
        return match[0].replace(match["text"], "".join(lines))

    text = page.read_text()
    expected = SESSION.sub(said, text)
    if os.environ.get("GAPTRON_RECORD"):
        page.write_text(expected)
    else:
        assert text == expected


def test_what_is_quoted_is_in_the_paper() -> None:
    folder = REPOSITORY / "examples" / "tilted_hinge"
    text = " ".join((folder / "paper.md").read_text().split())
    quotes = [filed.claim.quote for filed in load_whole(folder / "paper.py")[1] if filed.claim.severity]
    assert quotes
    assert all(quote in text for quote in quotes)


def test_there_is_a_session() -> None:
    assert [page.stem for page in PAGES] == ["audit_a_paper", "first_theorem"]


def test_the_report_and_the_errata_are_written(gaptron: Command, tmp_path: Path) -> None:
    """The files that the tutorial names."""
    done = gaptron("audit", "examples/tilted_hinge", "--html", tmp_path / "r.html", "--errata", tmp_path / "e.md")
    assert done.returncode == 0
    title = "A. Author, A tilted hinge loss for online multiclass classification (2026)"
    assert f"<h1>Audit of {title}</h1>" in (tmp_path / "r.html").read_text()
    assert f"## {title}" in (tmp_path / "e.md").read_text()
    assert "van der Hoeven" not in (tmp_path / "r.html").read_text()
