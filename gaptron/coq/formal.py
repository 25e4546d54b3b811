"""Evidence ``coq``: the whole theorem, compiled by coqc, with its axioms compared with those that are allowed."""

import re
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from gaptron.coq.compiler import RefusedError, compiled
from gaptron.coq.development import Whole
from gaptron.coq.library import ALLOWED, LibraryError, axioms_in, compiled_library, needed_by, requirements

LOCATED = "".join(f"Constant {full}\n" for full in ALLOWED.values())
READ_FIRST = (
    "Definitions",
    "BanditDefinitions",
    "AbstentionDefinitions",
    "DecoderDefinitions",
    "SwitchedDecoderDefinitions",
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
    return {**whole.files, f"Ask_{whole.module}.v": "\n".join(question) + "\n"}


def read_first(whole: Whole) -> list[str]:
    """The library's files that say what the statement means, as far as the development needs them."""
    needed = {module for text in whole.files.values() for module in requirements(text)}
    return [module for module in READ_FIRST if module in needed]


def said_by_coq(whole: Whole, kept: Path) -> str:
    """Compile the development with the library; what Coq prints.

    Parameters
    ----------
    whole : Whole
    kept : Path
        Where compiled libraries are kept.

    Raises
    ------
    NotAcceptedError
        With what Coq says.
    MissingCoqError
        If there is no coqc.
    """
    try:
        library = compiled_library(needed_by(whole.files.values()), kept)
        with TemporaryDirectory() as work:
            return compiled(asked(whole), Path(work), library)
    except (LibraryError, RefusedError) as error:
        raise NotAcceptedError(" ".join(str(error).split())) from error


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
