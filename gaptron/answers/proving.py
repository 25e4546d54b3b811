"""``prove``: the claims of proof files, line by line."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from gaptron.papers.checked_files import (
    ProofLibrary,
    ProvedClaim,
    hypotheses,
    read_trees,
    reading,
    tree_file,
    trees_text,
)
from gaptron.system.atomic import write_atomically
from gaptron.system.documents import Document
from gaptron.system.exits import warn
from gaptron.theory.shipped import FileError

Found = Mapping[Path, Sequence[ProvedClaim]]


def proved(files: Sequence[Path], seconds: float, search: bool = True) -> Found:
    """The claims of each file; later files may cite those of earlier ones. Trees that are found are kept.

    ``seconds`` is the limit of the search for one claim.

    Raises
    ------
    FileError
        If a file cannot be read: line and column; if no claim is stated.
    """
    library, found = ProofLibrary(), dict[Path, list[ProvedClaim]]()
    for path in files:
        with reading(path):
            found[path] = _of_file(library, path, search, seconds)
    if not any(found.values()):
        raise FileError(f"{', '.join(map(str, files))}: no claim is stated")
    return found


def _of_file(library: ProofLibrary, path: Path, search: bool, seconds: float) -> list[ProvedClaim]:
    text = path.read_text(encoding="utf-8")
    trees = read_trees(path)
    found = [library.decide(stated, trees.get(stated.name), search, seconds) for stated in library.read(text)]
    kept = trees_text(found)
    if search and any(claim.searched and claim.tree for claim in found):
        try:
            write_atomically(tree_file(path), kept)
        except OSError as error:
            warn(f"{tree_file(path)}: the trees are not kept: {error.strerror or error}")
    return found


def document(found: Found) -> Document:
    """For ``prove --json``."""
    return {"schema": 1, "claims": [_row(path, claim) for path, some in found.items() for claim in some]}


def _row(path: Path, claim: ProvedClaim) -> Document:
    return {
        "id": claim.stated.name, "file": str(path), "statement": claim.stated.text, "status": claim.status,
        "line": claim.line or None, "reason": claim.reason or None,
        "values": claim.values or None, "whole": claim.whole,
        "hypotheses": hypotheses(claim), "idle": claim.idle,
        "replayed": not claim.searched, "seconds": round(claim.seconds, 3),
    }  # fmt: skip
