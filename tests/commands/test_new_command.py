"""``gaptron new``: starting points that run, whole or not at all, and never over something that is there."""

from pathlib import Path

import pytest
from conftest import REPOSITORY, Command, is_one_sentence

pytestmark = pytest.mark.usefixtures("lent")


@pytest.mark.slow
def test_a_new_paper_is_audited_at_once(gaptron: Command, tmp_path: Path) -> None:
    assert gaptron("new", "paper", "mine", cwd=tmp_path).returncode == 0
    page = tmp_path / "page.html"
    done = gaptron("audit", "mine", "--html", page, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "2 PROVED, 1 REFUTED, 1 UNDECIDED; all as recorded" in done.stdout
    assert "REFUTED       my-paper/remark-2: K=2, scores=" in done.stdout  # the witness
    assert "A. Author, My paper (2026)" in page.read_text()
    written = {file.name for file in tmp_path.glob("mine/*")}
    assert written == {"paper.py", "lemma3.proof", "lemma3.proof.json", "README.md"}
    assert "gaptron audit mine" in (tmp_path / "mine" / "README.md").read_text()


def test_the_tree_of_a_new_paper_is_what_search_finds(gaptron: Command, tmp_path: Path) -> None:
    gaptron("new", "paper", "mine", cwd=tmp_path)
    tree = tmp_path / "mine" / "lemma3.proof.json"
    given = tree.read_text()
    tree.unlink()
    assert gaptron("prove", "mine/lemma3.proof", cwd=tmp_path).returncode == 0
    assert tree.read_text() == given


@pytest.mark.slow
def test_a_constant_that_is_changed_is_noticed(gaptron: Command, tmp_path: Path) -> None:
    gaptron("new", "paper", "mine", cwd=tmp_path)
    paper = tmp_path / "mine" / "paper.py"
    text = paper.read_text()
    assert "learning_rate=1 / (4 * K)" in text
    paper.write_text(text.replace("learning_rate=1 / (4 * K)", "learning_rate=1 / (3 * K)"))
    done = gaptron("audit", "mine", "--only", "theorem-1", cwd=tmp_path)
    assert done.returncode == 1
    assert "recorded PROVED, computed REFUTED" in done.stdout


def test_a_new_theorem_is_proved_at_once(gaptron: Command, tmp_path: Path) -> None:
    assert gaptron("new", "theorem", "mine.py", cwd=tmp_path).returncode == 0
    done = gaptron("check", "mine.py", cwd=tmp_path)
    assert (done.returncode, done.stdout[:6]) == (0, "PROVED")
    assert "gaptron check mine.py" in (tmp_path / "mine.py").read_text()


@pytest.mark.parametrize("what", ["theorem", "paper"])
@pytest.mark.parametrize("name", ["there", "folder", "nowhere/mine"])
def test_nothing_is_overwritten_or_left_half_written(gaptron: Command, tmp_path: Path, what: str, name: str) -> None:
    (tmp_path / "there").write_text("mine")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.rglob("*"))
    done = gaptron("new", what, name, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"gaptron: {name}: ")
    assert is_one_sentence(done.stderr)
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "there").read_text() == "mine"


@pytest.mark.parametrize("what", ["theorem", "paper"])
@pytest.mark.parametrize("name", ["--help", 'a"""; exit()', "two\nlines", "`x`", "<b>"])
def test_a_name_that_would_be_read_as_something_else_is_refused(
    gaptron: Command, tmp_path: Path, what: str, name: str
) -> None:
    done = gaptron("new", what, "--", name, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "a name of letters, digits" in done.stderr
    assert is_one_sentence(done.stderr)
    assert not list(tmp_path.iterdir())


def test_a_folder_without_python_is_named(gaptron: Command, tmp_path: Path) -> None:
    done = gaptron("audit", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"gaptron: {tmp_path}: this folder holds no Python file\n"


@pytest.mark.slow
def test_a_paper_has_one_title(gaptron: Command, tmp_path: Path) -> None:
    text = (REPOSITORY / "examples" / "tilted_hinge" / "paper.py").read_text()
    for number in (1, 2):
        changed = text.replace('id="tilted/', f'id="tilted/no{number}-').replace("Author", f"Author {number}")
        (tmp_path / f"part{number}.py").write_text(changed)
    done = gaptron("audit", tmp_path)
    assert done.returncode == 2
    assert "part2.py: the paper 'tilted' has two titles" in done.stderr
