"""For reviewers: the definitions with the papers' notation and the statements, all as Coq prints them.

What Coq says is recorded in ``proofs/coq/reviewers.json``, the notation written in ``proofs/coq/notation.toml``.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gaptron.coq.library import everything, folder
from gaptron.system.documents import Document
from gaptron.theory.shipped import FileError

RECORDED, NOTATION = "reviewers.json", "notation.toml"
STATED = ("Paper.v", "PaperBandit.v", "Blog.v", "Slides.v", "New.v")
BASIC = "Definitions.v"
IN_THEOREMS = {
    "optimal_constant": "OptimalTheorem.v",
    "structured_criterion": "StructuredCriterion.v",
    "pairwise_losses": "OptimalAllScores.v",
    "separable_losses": "OptimalAllScores.v",
}
DEFINED = re.compile(r"^(?:Definition|Fixpoint|Record) (\w+)( : Prop :=)?", re.MULTILINE)
PROVED = re.compile(r"^Theorem (\w+) : (\w+)\.$", re.MULTILINE)
NOT_FORMAL = "not_formal"


@dataclass(frozen=True)
class ReadDefinition:
    """A definition that has to be read: in the papers' notation, and as Coq prints it."""

    name: str
    notation: str
    printed: str


@dataclass(frozen=True)
class Stated:
    """A theorem stated by hand: the statement as Coq prints it, its proof, axioms and seconds of coqc."""

    name: str
    proof: str
    printed: str
    axioms: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Reviewed:
    """All that is shown: definitions and statements by their files, and what is not formal, with the reasons."""

    coq: str
    definitions: Mapping[str, tuple[ReadDefinition, ...]]
    statements: Mapping[str, tuple[Stated, ...]]
    not_formal: Mapping[str, str]


def defined() -> dict[str, list[str]]:
    """The definitions that have to be read beside the statements, by file."""
    return {file: names for file, text in _read_files().items() if (names := [n for n, is_ in _names(text) if not is_])}


def stated() -> dict[str, tuple[str, str]]:
    """The statements, by name: their file, and the file and theorem that prove them, FILE.theorem.

    Raises
    ------
    FileError
        If one has no proof.
    """
    home, texts = folder(), everything()
    proofs = texts | {f.name: f.read_text(encoding="utf-8") for f in sorted((home / "exported").glob("*.v"))}
    proved = {what: f"{file[:-2]}.{name}" for file, text in proofs.items() for name, what in PROVED.findall(text)}
    named = {name: file for file in STATED for name, is_ in _names(texts[file]) if is_}
    unproved = sorted(named.keys() - proved)
    if unproved:
        raise FileError(f"proofs/coq states {', '.join(unproved)} and does not prove it")
    found = {name: (file, proved[name]) for name, file in named.items()}
    return found | {name: (file, f"{file[:-2]}.{name}") for name, file in IN_THEOREMS.items()}


def reviewed() -> Reviewed:
    """What is recorded, with the notation beside it.

    Raises
    ------
    FileError
        If a definition or statement of the library has no notation, or is not recorded.
    """
    written, said = notation(), recorded()
    definitions = {
        file: tuple(ReadDefinition(n, entry(written, file, n), entry(said, "definitions", file, n)) for n in names)
        for file, names in defined().items()
    }
    statements: dict[str, tuple[Stated, ...]] = {}
    for name, (file, proof) in stated().items():
        one = entry(said, "statements", name)
        shown = Stated(name, proof, one["printed"], tuple(one["axioms"]), one["seconds"])
        statements[file] = (*statements.get(file, ()), shown)
    return Reviewed(said["coq"], definitions, statements, written[NOT_FORMAL])


def notation() -> dict[str, dict[str, str]]:
    """What each definition is in the papers' notation, by file and name; what is not formal stands beside it."""
    return tomllib.loads((folder() / NOTATION).read_text(encoding="utf-8"))


def recorded() -> Document:
    """What Coq printed; FileError if that is no JSON."""
    try:
        said: Document = json.loads((folder() / RECORDED).read_text(encoding="utf-8"))
    except ValueError as error:
        raise FileError(f"proofs/coq/{RECORDED} cannot be read: {error}") from error
    return said


def entry(known: Mapping[str, Any], *names: str) -> Any:
    """What is recorded or written under these names; FileError if that is older than the library."""
    found: Any = known
    for name in names:
        if name not in found:
            raise FileError(
                f"proofs/coq/{RECORDED} or {NOTATION} is older than the library: it has no {' of '.join(names[::-1])}"
            )
        found = found[name]
    return found


def _read_files() -> dict[str, str]:
    """Those with definitions and no proofs; the statements last."""
    found = {name: text for name, text in everything().items() if "Qed." not in text}
    first = sorted(found.keys() - set(STATED), key=lambda name: (name != BASIC, name))
    return {name: found[name] for name in (*first, *STATED)}


def _names(text: str) -> list[tuple[str, bool]]:
    """Every definition of a file, and whether it is a statement: a proposition without arguments."""
    return [(name, bool(is_closed)) for name, is_closed in DEFINED.findall(text)]
