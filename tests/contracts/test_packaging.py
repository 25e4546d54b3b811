"""The wheel carries the shipped theorems: installed in an empty environment, the command works from any folder."""

import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from conftest import REPOSITORY, Shipped

pytestmark = pytest.mark.slow


def run(*command: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, command)], cwd=cwd, text=True, capture_output=True, check=False)


def test_what_coqc_leaves_beside_the_library_is_not_in_the_wheel(tmp_path: Path) -> None:
    source = tmp_path / "source"
    for name in ("gaptron", "proofs"):
        shutil.copytree(REPOSITORY / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(REPOSITORY / name, source / name)
    left = ["Sums.vo", "Sums.vok", "Sums.vos", "Sums.glob", ".Sums.aux", ".depend", ".lia.cache"]
    for name in left:
        (source / "proofs" / "coq" / name).touch()
    built = run(sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", tmp_path, source, cwd=tmp_path)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("gaptron-*.whl")
    names = {Path(name).name for name in zipfile.ZipFile(wheel).namelist()}
    assert {"Sums.v", "PaperProofs.v", "_CoqProject", "Makefile"} <= names
    assert not names & set(left)


def test_an_installed_wheel_proves_the_shipped_theorems(tmp_path: Path, shipped: Shipped) -> None:
    built = run(sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", tmp_path, REPOSITORY, cwd=tmp_path)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("gaptron-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {f"gaptron/{file.relative_to(REPOSITORY)}" for file in (REPOSITORY / "proofs").glob("*/*.py")} <= set(names)
    best = {f"gaptron/best_streams/{file.name}" for file in (REPOSITORY / "properties" / "best_streams").glob("*.json")}
    assert best
    assert {*best, "gaptron/py.typed", "gaptron/commands/templates/paper.py.txt"} <= set(names)
    venv.create(tmp_path / "empty")
    binaries = tmp_path / "empty" / "bin"
    into = ("--python", binaries / "python", "install", "--quiet", "--no-compile")
    installed = run(sys.executable, "-m", "pip", *into, wheel, cwd=tmp_path)
    assert installed.returncode == 0, installed.stderr
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    # All that was installed is compiled at its first import: not in the time that a theorem file has to load.
    assert (
        run(
            binaries / "python", "-c", "import gaptron.checking.host, gaptron.checking.workers", cwd=elsewhere
        ).returncode
        == 0
    )
    searched = run(binaries / "gaptron", "check", "--no-cache", "--only", "Theorem 2, hinge", cwd=elsewhere)
    assert searched.returncode == 0, searched.stdout + searched.stderr
    assert searched.stdout.endswith("1 PROVED\n")
    done = run(binaries / "gaptron", "check", "--cache", shipped.cache, cwd=elsewhere)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(f"{len(shipped.document['theorems'])} PROVED\n")
    assert str(REPOSITORY) not in done.stdout
    without = run(binaries / "gaptron", "run", cwd=elsewhere)
    assert without.returncode == 2
    assert "gaptron[sklearn]" in without.stderr
