"""Which files are meant by a folder, by a pattern and by a name."""

from pathlib import Path

import pytest

from gaptron.theory.shipped import FileError, python_files

THEOREM = "mine = Theorem()\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "b.py": "",
        "a.py": THEOREM,
        "notes.txt": THEOREM,
        "deep/er/c.py": THEOREM,
        "deep/script.py": "print(1)\n",
        ".venv/lib/d.py": THEOREM,
        "_old/e.py": THEOREM,
        "other/f.py": "claim = gaptron.Claim()\n",
    }.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path


def names(folder: Path, *paths: str) -> list[str]:
    return [str(file.relative_to(folder)) for file in python_files([folder / path for path in paths])]


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (("",), ["a.py", "b.py", "deep/er/c.py", "other/f.py"]),
        (("deep",), ["deep/script.py", "deep/er/c.py"]),
        (("deep", "a.py", "deep/er/c.py"), ["deep/script.py", "deep/er/c.py", "a.py"]),
        (("?.py",), ["a.py", "b.py"]),
        (("deep/**/*.py",), ["deep/er/c.py", "deep/script.py"]),
        (("d*",), ["deep/script.py", "deep/er/c.py"]),
        (("nothere.py",), ["nothere.py"]),
    ],
)
def test_a_folder_means_what_builds_theorems_below_it(folder: Path, paths: tuple[str, ...], found: list[str]) -> None:
    assert names(folder, *paths) == found


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("from gaptron import Theorem as T\nmine = T()\n", True),
        ("import gaptron as g\nmine = g.Theorem()\n", True),
        ("from gaptron import Theorem\nmake = Theorem\nmine = make ()\n", True),
        ("from functools import partial\nimport gaptron\nmake = partial(gaptron.StructuredTheorem)\n", True),
        ("mine = Theorem(\n", True),  # which loading refuses
        ('"""What Theorem 1 says, as Theorem() would."""\nprint(1)  # Claim(\n', False),
        ("class Theorems: ...\n", False),
    ],
)
def test_below_a_folder_a_file_counts_whatever_its_theorems_are_built_by(
    tmp_path: Path, text: str, is_found: bool
) -> None:
    (tmp_path / "top.py").write_text("")
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "one.py").write_text(text)
    assert names(tmp_path, "") == ["top.py"] + ["below/one.py"] * is_found


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("z*.py", "no file matches this pattern"),
        ("empty", "this folder holds no Python file"),
        ("deep/e*/q", "no file"),
        ("scripts", "none below it that names Theorem, StructuredTheorem, Lemma, Claim"),
    ],
)
def test_nothing_found_is_said(folder: Path, path: str, said: str) -> None:
    (folder / "empty").mkdir()
    (folder / "scripts/below").mkdir(parents=True)
    (folder / "scripts/below/one.py").write_text("print(1)\n")
    with pytest.raises(FileError) as refused:
        python_files([folder / path])
    assert str(refused.value).startswith(f"{folder / path}: ")
    assert said in str(refused.value)


def test_a_name_with_a_bracket_is_no_pattern(tmp_path: Path) -> None:
    (tmp_path / "mine[1].py").write_text(THEOREM)
    assert names(tmp_path, "mine[1].py") == ["mine[1].py"]
