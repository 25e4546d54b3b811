"""Evidence ``coq``: the whole theorem, compiled by coqc, with its axioms compared with those that are allowed."""

import re
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from gaptron.coq.development import Whole
from gaptron.coq.library import (
    ALLOWED,
    LibraryError,
    RefusedError,
    axioms_in,
    compiled,
    compiled_library,
    digest,
    everything,
    needed_by,
    requirements,
)

LOCATED = "".join(f"Constant {full}\n" for full in ALLOWED.values())
READ_FIRST = (
    "Definitions",
    "BanditDefinitions",
    "AbstentionDefinitions",
    "DecoderDefinitions",
    "ScoreLosses",
    "Optimal",
    "StructuredDefinitions",
    "RefutationDefinitions",
    "AbstentionRefutationDefinitions",
    "BanditRefutationDefinitions",
    "DecoderRefutationDefinitions",
)
STATEMENT = re.compile(r"^Theorem (\w+) : (.*?)\.\nProof\.", re.DOTALL | re.MULTILINE)


class NotAcceptedError(Exception):
    """Coq refuses a development, or it rests on an axiom that is not allowed: the reason."""


@dataclass(frozen=True)
class Accepted:
    """What Coq says of a theorem that it accepted."""

    module: str
    theorem: str
    statement: str
    axioms: tuple[str, ...]


def printed_statement(whole: Whole) -> str:
    """The theorem as it is written, in one line."""
    for text in whole.files.values():
        for name, statement in STATEMENT.findall(text):
            if name == whole.theorem:
                return " ".join(statement.split())
    raise AssertionError("a development states its theorem")


def asked(whole: Whole) -> dict[str, str]:
    """The development's files, and one that asks Coq what was proved and from what.

    What is assumed is asked for before the development is imported: none of its names can stand for an axiom's then.
    """
    question = [
        "Require Import Reals.",
        f"Require Gaptron.{whole.module}.",
        *(f"Locate Term {name}." for name in ALLOWED),
        f"Print Assumptions {whole.module}.{whole.theorem}.",
        f"From Gaptron Require Import {' '.join(read_first(whole))} {whole.module}.",
        "Open Scope R_scope.",
        "Set Printing Width 1000.",
        f"Check {whole.theorem}.",
    ]
    return {**whole.files, _question(whole): "\n".join(question) + "\n"}


def read_first(whole: Whole) -> list[str]:
    """The library's files that say what the statement means, as far as the development needs them."""
    needed = {module for text in whole.files.values() for module in requirements(text)}
    return [module for module in READ_FIRST if module in needed]


@dataclass(frozen=True)
class Said:
    """What Coq prints of a development, and the compiled files that it was asked about: their digests, by name."""

    text: str
    compiled: Mapping[str, str]


def said_by_coq(whole: Whole, kept: Path) -> Said:
    """Compile the development with the library, and keep it compiled; what Coq prints.

    Parameters
    ----------
    whole : Whole
    kept : Path
        Where compiled libraries and developments are kept.

    Raises
    ------
    NotAcceptedError
        With what Coq says.
    MissingCoqError
        If there is no coqc.
    """
    needed = needed_by(whole.files.values())
    try:
        library = compiled_library(needed, kept)
        with TemporaryDirectory(dir=kept) as folder:
            work = Path(folder)
            said = compiled(asked(whole), work, library)
            digests = _digests([*_compiled(whole.files, work), *_compiled(needed, library)])
            home = _home(whole, kept)
            home.mkdir(parents=True, exist_ok=True)
            for file in _compiled(whole.files, work):
                file.rename(home / file.name)
    except LibraryError as error:
        raise NotAcceptedError(str(error)) from error
    except RefusedError as error:
        raise NotAcceptedError(error.sentence) from error
    return Said(said, digests)


def is_said_again(known: Said, whole: Whole, kept: Path) -> bool:
    """Whether the compiled files are those of the digests, and Coq, asked about them again, prints the same."""
    needed, home = needed_by(whole.files.values()), _home(whole, kept)
    library = kept / digest(everything())
    with TemporaryDirectory(dir=kept) as folder, suppress(OSError, RefusedError):
        for file in _compiled(whole.files, home):
            shutil.copy(file, folder)
        if _digests([*_compiled(whole.files, Path(folder)), *_compiled(needed, library)]) == known.compiled:
            return compiled({_question(whole): asked(whole)[_question(whole)]}, Path(folder), library) == known.text
    return False


def _question(whole: Whole) -> str:
    return f"Ask_{whole.module}.v"


def _home(whole: Whole, kept: Path) -> Path:
    return kept / "developments" / digest({**whole.files, **needed_by(whole.files.values())})


def _compiled(files: Iterable[str], folder: Path) -> list[Path]:
    return [(folder / name).with_suffix(".vo") for name in files]


def _digests(files: Iterable[Path]) -> dict[str, str]:
    return {file.name: sha256(file.read_bytes()).hexdigest() for file in files}


def read(whole: Whole, said: str) -> Accepted:
    """What Coq printed of the theorem: its type, and its axioms; NotAcceptedError for an axiom that is not allowed."""
    _, found, answer = said.rpartition(LOCATED)
    if not found:
        raise NotAcceptedError("the name of an allowed axiom has another meaning")
    assumed, _, printed = answer.partition(f"{whole.theorem}\n     : ")
    axioms = axioms_in(assumed)
    if "Closed under the global context" not in assumed and not axioms:
        raise NotAcceptedError("Coq did not say what the theorem assumes")
    strange = [axiom for axiom in axioms if axiom not in ALLOWED]
    if strange:
        raise NotAcceptedError(f"it rests on {', '.join(strange)}")
    return Accepted(whole.module, whole.theorem, " ".join(printed.split()), tuple(ALLOWED[axiom] for axiom in axioms))
