"""The table of what is installed in docs/how_to.md: the packages, their sizes, and that what is not needed is not."""

import os
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from conftest import REPOSITORY
from packaging.requirements import Requirement

THEOREM = REPOSITORY / "examples" / "squared_hinge.py"
IMPORTED = {"z3-solver": "z3", "python-flint": "flint"}
USES = ("searching", "replaying", "kernel")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (REPOSITORY / "docs" / "how_to.md").read_text().split("## Install less")[1].splitlines()
    if line.startswith("| ") and "package" not in line
]
NEEDS = {name: dict(zip(USES, needed, strict=True)) for name, _, *needed in ROWS}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    """The cache and the certificates of a theorem, searched for without what that does not need."""
    folder = tmp_path_factory.mktemp("found")
    kept = ["--cache", folder / "cache", "--certificates", folder / "found"]
    done = run_without(not_needed("searching"), folder, "check", THEOREM, *kept)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "cache", sorted((folder / "found").glob("*.json"))


def not_needed(use: str) -> list[str]:
    return [name for name, needed in NEEDS.items() if needed[use] == "no"]


def run_without(packages: list[str], folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """The command in an interpreter, and its children, that cannot import these packages."""
    modules = [IMPORTED.get(name, name) for name in packages]
    (folder / "sitecustomize.py").write_text(f"import sys\nsys.modules |= dict.fromkeys({modules})\n")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(REPOSITORY)])}
    command = [sys.executable, "-m", "gaptron", *map(str, arguments)]
    return subprocess.run(command, cwd=folder, env=environment, text=True, capture_output=True, check=False)


def command_of(use: str, found: tuple[Path, list[Path]]) -> list[object]:
    cache, certificates = found
    return {
        "searching": ["check", THEOREM, "--no-cache"],
        "replaying": ["check", THEOREM, "--cache", cache],
        "kernel": ["replay", "--kernel-only", *certificates],
    }[use]


def test_the_rows_are_the_dependencies() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    assert set(NEEDS) == {Requirement(text).name for text in project["dependencies"]}


def test_the_sizes_are_those_of_what_is_installed() -> None:
    for name, size, *_ in ROWS:
        assert 0.5 < float(size) / _megabytes(name, set(NEEDS) - {name}) < 2, name


def _megabytes(name: str, others: set[str]) -> float:
    """Of a package and of what it brings beside the others."""
    brought, ahead = set[str](), [name]
    while ahead:
        brought.add(one := ahead.pop())
        needed = [Requirement(text) for text in distribution(one).requires or ()]
        plain = {need.name for need in needed if need.marker is None or need.marker.evaluate({"extra": ""})}
        ahead += plain - brought - others
    files = [
        file.locate() for one in brought for file in distribution(one).files or () if "__pycache__" not in str(file)
    ]
    return sum(Path(file).stat().st_size for file in files if Path(file).exists()) / 1e6


@pytest.mark.slow
@pytest.mark.parametrize("use", USES[1:])  # what is found is searched for
def test_what_is_not_needed_may_be_missing(use: str, found: tuple[Path, list[Path]], tmp_path: Path) -> None:
    done = run_without(not_needed(use), tmp_path, *command_of(use, found))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PROVED" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("use", "name"), [(use, name) for name, needed in NEEDS.items() for use in USES if needed[use] == "yes"]
)
def test_what_is_needed_may_not(name: str, use: str, found: tuple[Path, list[Path]], tmp_path: Path) -> None:
    assert run_without([name], tmp_path, *command_of(use, found)).returncode != 0
