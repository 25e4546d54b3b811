"""Where the theorem files are that come with the package."""

import re
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


def shipped_theorem_files() -> list[Path]:
    """Those of them that hold theorems or lemmas beside claims, as their text says; none has to be run."""
    return [file for file in shipped_files() if re.search(r"\b(Theorem|StructuredTheorem|Lemma)\(", file.read_text())]


def mentions(file: Path, name: str) -> bool:
    """Whether the name, or a part of one, stands in the text of the file, in capitals or not; it is not run.

    Every shipped theorem and claim has its name written out (``tests/contracts/test_proofs_index.py``).
    """
    try:
        return bool(name) and name.lower().encode() in file.read_bytes().lower()
    except OSError:  # loading it says why
        return True


def shipped_claims() -> list[str]:
    """The identifiers of all shipped claims, document/name, as the files write them; none has to be run."""
    return [name for file in shipped_files() for name in re.findall(r'\bid="([^"]+)"', file.read_text())]
