"""Where the theorem files are that come with the package."""

from collections.abc import Sequence
from pathlib import Path


class FileError(Exception):
    """A theorem file that cannot be used: the message names the file, the line and what is wrong."""


FOLDERS = ("gaptron", "blog", "slides", "soba", "notes", "colt24", "neurips25", "new")


def python_files(paths: Sequence[Path]) -> list[Path]:
    """The files that are named, and those of the folders that are named, in the order of their names.

    Raises
    ------
    FileError
        If a folder holds no Python file.
    """
    found: list[Path] = []
    for path in paths:
        inside = sorted(path.glob("*.py")) if path.is_dir() else [path]
        if not inside:
            raise FileError(f"{path}: this folder holds no Python file")
        found += inside
    return found


def shipped_files() -> list[Path]:
    """The theorem files that come with the package: ``proofs/`` of the repository, or its copy in the wheel.

    There is one folder a document, and ``new`` for what no document states.
    """
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "proofs", package.parent / "proofs"):
        found = [file for name in FOLDERS for file in sorted((folder / name).glob("*.py"))]
        if found:
            return found
    raise FileError("the shipped theorem files are missing: the installation is incomplete")
