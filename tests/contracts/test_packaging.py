"""The wheel and the sdist carry the shipped theorems: installed, the command works from any folder."""

import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from conftest import REPOSITORY, Shipped

pytestmark = pytest.mark.slow


def run(*command: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, command)], cwd=cwd, text=True, capture_output=True, check=False)


def done(*command: object, cwd: Path) -> str:
    found = run(*command, cwd=cwd)
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


@pytest.fixture(scope="module")
def hatchling(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter that has hatchling."""
    folder = tmp_path_factory.mktemp("hatchling")
    venv.create(folder)
    python = folder / "bin" / "python"
    done(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "hatchling", cwd=folder)
    return python


@pytest.fixture(scope="module")
def wheel(hatchling: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(hatchling, "wheel", REPOSITORY, tmp_path_factory.mktemp("wheel"))


def built(hatchling: Path, kind: str, source: Path, folder: Path) -> Path:
    """What hatchling writes of a folder."""
    done(hatchling, "-m", "hatchling", "build", "--target", kind, "--directory", folder, cwd=source)
    (file,) = folder.glob("gaptron-*")
    return file


def names(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def test_what_coqc_leaves_beside_the_library_is_not_in_the_wheel(hatchling: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    for name in ("gaptron", "proofs"):
        shutil.copytree(REPOSITORY / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(REPOSITORY / name, source / name)
    left = ["Sums.vo", "Sums.vok", "Sums.vos", "Sums.glob", ".Sums.aux", ".depend", ".lia.cache"]
    for name in left:
        (source / "proofs" / "coq" / name).touch()
    found = {Path(name).name for name in names(built(hatchling, "wheel", source, tmp_path / "dist"))}
    assert {"Sums.v", "PaperProofs.v", "_CoqProject", "Makefile"} <= found
    assert not found & set(left)


def test_the_wheel_has_what_is_shipped(wheel: Path) -> None:
    best = {f"gaptron/best_streams/{file.name}" for file in (REPOSITORY / "properties" / "best_streams").glob("*.json")}
    proofs = {f"gaptron/{file.relative_to(REPOSITORY)}" for file in (REPOSITORY / "proofs").glob("*/*.p[yr]*")}
    assert best
    assert {Path(name).suffixes[-1] for name in proofs} >= {".py", ".proof", ".json"}
    assert {*best, *proofs, "gaptron/py.typed", "gaptron/commands/templates/paper.py.txt"} <= names(wheel)


def test_the_sdist_makes_the_same_wheel_and_has_the_tests(hatchling: Path, wheel: Path, tmp_path: Path) -> None:
    sdist = built(hatchling, "sdist", REPOSITORY, tmp_path / "dist")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    source = tmp_path / sdist.name.removesuffix(".tar.gz")
    assert (source / "tests" / "conftest.py").exists()
    assert names(built(hatchling, "wheel", source, tmp_path / "again")) == names(wheel)


def test_the_wheel_proves_a_theorem_of_ones_own(wheel: Path, tmp_path: Path) -> None:
    """With the packages that are here: what it needs besides, the next test installs."""
    venv.create(tmp_path / "borrowing")
    python = tmp_path / "borrowing" / "bin" / "python"
    into = ("--python", python, "install", "--quiet", "--no-index", "--no-deps", "--no-compile")
    done(sys.executable, "-m", "pip", *into, wheel, cwd=tmp_path)
    (packages,) = (tmp_path / "borrowing").glob("lib/python*/site-packages")
    (packages / "borrowed.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    shutil.copy(REPOSITORY / "examples" / "squared_hinge.py", tmp_path / "mine.py")
    where = done(python, "-c", "import gaptron; print(gaptron.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(tmp_path)
    command = tmp_path / "borrowing" / "bin" / "gaptron"
    assert done(command, "check", "--no-cache", "mine.py", cwd=tmp_path).endswith("1 PROVED\n")


def test_an_installed_wheel_proves_the_shipped_theorems(wheel: Path, tmp_path: Path, shipped: Shipped) -> None:
    venv.create(tmp_path / "empty")
    binaries = tmp_path / "empty" / "bin"
    into = ("--python", binaries / "python", "install", "--quiet", "--no-compile")
    done(sys.executable, "-m", "pip", *into, wheel, cwd=tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    # All that was installed is compiled at its first import: not in the time that a theorem file has to load.
    done(binaries / "python", "-c", "import gaptron.checking.host, gaptron.checking.workers", cwd=elsewhere)
    searched = done(binaries / "gaptron", "check", "--no-cache", "--only", "Theorem 2, hinge", cwd=elsewhere)
    assert searched.endswith("1 PROVED\n")
    said = done(binaries / "gaptron", "check", "--cache", shipped.cache, cwd=elsewhere)
    assert said.endswith(f"{len(shipped.document['theorems'])} PROVED\n")
    assert str(REPOSITORY) not in said
    without = run(binaries / "gaptron", "run", cwd=elsewhere)
    assert without.returncode == 2
    assert "gaptron[sklearn]" in without.stderr
