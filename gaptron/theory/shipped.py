"""Where the theorem files are that come with the package."""

import io
import re
import tokenize
from collections.abc import Iterable, Sequence
from glob import glob, has_magic
from os.path import exists, isdir
from pathlib import Path

from gaptron.system.near import known, matches
from gaptron.system.printable import printable


class FileError(Exception):
    """A theorem file that cannot be used: the message names the file, the line and what is wrong.

    ``line`` is that line, or None if it is about the whole file.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


NO_FILE = Path("-")  # of a theorem that is handed over as an object
KINDS = ("Theorem", "StructuredTheorem", "Lemma", "Claim")
HELD = re.compile(  # by the module, or returned by a function of it, and not inside of a claim
    r"^(?:(?:\w+ = (?:\w+\()?| {4}(?:return )?)(?:Theorem|StructuredTheorem|Lemma)|\w+ = replace)\(", re.MULTILINE
)
FOLDERS = ("gaptron", "blog", "slides", "soba", "notes", "colt24", "neurips25", "new")


def place(file: str | Path, line: int) -> str:
    """Where a theorem is written; one that is handed over as an object is in memory."""
    return "in memory" if Path(file) == NO_FILE else f"{file}:{line}"


def python_files(paths: Sequence[Path]) -> list[Path]:
    """The files that are named, those of folders that are named, and those that match a pattern, in order.

    Of the folders in a folder, unless they are hidden, those files whose code names the class of a theorem, lemma or
    claim, under whatever name it is then used; what stands beside them is not run.

    Raises
    ------
    FileError
        If a folder holds no Python file, or nothing matches a pattern.
    """
    return list(dict.fromkeys(file for path in paths for file in _meant(path)))


def _meant(path: Path) -> list[Path]:
    if isdir(path):
        return _inside(path)
    if exists(path) or not has_magic(str(path)):
        return [path]
    found = sorted(map(Path, glob(str(path), recursive=True)))
    if not found:
        raise FileError(f"{path}: no file matches this pattern")
    return [one for one in found if not isdir(one)] or [file for one in found for file in _inside(one)]


def _inside(folder: Path) -> list[Path]:
    found = sorted(folder.glob("*.py")) + [file for file in sorted(folder.glob("*/**/*.py")) if _builds(file, folder)]
    if not found and any(folder.glob("*/**/*.py")):
        raise FileError(f"{folder}: no Python file in this folder, and none below it that names {', '.join(KINDS)}")
    if not found:
        raise FileError(f"{folder}: this folder holds no Python file")
    return found


def _builds(file: Path, folder: Path) -> bool:
    if any(part.startswith((".", "_")) for part in file.relative_to(folder).parts):
        return False
    try:
        text = file.read_text(errors="replace")
        return any(kind in text for kind in KINDS) and not _code_names(text).isdisjoint(KINDS)
    except (OSError, SyntaxError, tokenize.TokenError):  # loading it says why
        return True


def _code_names(text: str) -> set[str]:
    """All names in the code, not those in comments and texts."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {token.string for token in tokens if token.type == tokenize.NAME}


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
    return [file for file in shipped_files() if HELD.search(file.read_text())]


def mentions(file: Path, name: str) -> bool:
    """Whether the name, or a part of one, stands in the text of the file, in capitals or not; it is not run.

    Every shipped theorem and claim has its name written out (``tests/contracts/test_proofs_index.py``).
    """
    try:
        return bool(name) and name.lower().encode() in file.read_bytes().lower()
    except OSError:  # loading it says why
        return True


def shipped_names() -> list[str]:
    """The names of all shipped theorems and lemmas, and the identifiers of claims; none of the files has to be run."""
    return [name for file in shipped_files() for name in re.findall(r'\b(?:id|name)="([^"{}]+)"', file.read_text())]


def shipped_claims() -> list[str]:
    """The identifiers of all shipped claims, document/name, as the files write them; none has to be run."""
    return [name for file in shipped_files() for name in re.findall(r'\bid="([^"]+)"', file.read_text())]


def require_named(names: Sequence[str], only: str | None, document: str | None) -> None:
    """FileError unless a claim's identifier contains a pattern, and is of a document."""
    if not any(is_named(name, only, document) for name in names):
        raise FileError(no_claim({"--only": only, "--document": document}))


def is_named(name: str, only: str | None, document: str | None) -> bool:
    """Whether the identifier contains a pattern (* and ? match anything), and is of a document."""
    return matches(name, only) and document in (None, name.partition("/")[0])


def no_claim(options: dict[str, str | None]) -> str:
    """That no claim fits all of these options."""
    return "no claim with " + " ".join(f"{name} {value}" for name, value in options.items() if value is not None)


def require_mentioned(name: str) -> None:
    """FileError, with the names that are near, unless a shipped file mentions the theorem or claim."""
    if not any(mentions(file, name.partition(": ")[0]) for file in shipped_files()):
        raise FileError(no_such(name, shipped_names()))


def no_such(name: str, names: Iterable[str]) -> str:
    """That nothing has this name, and which are near."""
    return f"{printable(name) or repr(name)}: no claim or theorem has such a name: {known(name, names)}"
