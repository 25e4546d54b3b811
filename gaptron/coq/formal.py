"""Evidence ``coq``: the whole theorem, compiled by coqc, with its axioms compared with those that are allowed."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from gaptron.coq.compiler import RefusedError, compiled
from gaptron.coq.development import Whole
from gaptron.coq.library import ALLOWED, axioms_in, compiled_library, needed_by

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
    """The development's files, and one that asks Coq what was proved and from what."""
    question = (
        f"Require Import Reals.\nFrom Gaptron Require Import Definitions {whole.module}.\nOpen Scope R_scope.\n"
        f"Set Printing Width 1000.\nCheck {whole.theorem}.\nPrint Assumptions {whole.theorem}.\n"
    )
    return {**whole.files, f"Ask_{whole.module}.v": question}


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
    files = asked(whole)
    try:
        library = compiled_library(needed_by(whole.files.values()), kept)
    except subprocess.CalledProcessError as error:
        raise NotAcceptedError(f"the library does not compile: {error.stderr.strip()}") from error
    work = Path(mkdtemp(dir=kept))
    try:
        return compiled(files, work, library)
    except RefusedError as error:
        raise NotAcceptedError(" ".join(str(error).split())) from error
    finally:
        shutil.rmtree(work)


def read(whole: Whole, said: str) -> Accepted:
    """What Coq printed of the theorem: its type, and its axioms; NotAcceptedError for an axiom that is not allowed."""
    printed = said[said.rindex(f"{whole.theorem}\n     : ") :]
    statement, _, _ = printed.partition("\nAxioms:")
    statement = statement.partition("\nClosed under")[0].partition(" : ")[2]
    axioms = axioms_in(printed)
    if "Closed under the global context" not in printed and not axioms:
        raise NotAcceptedError("Coq did not say what the theorem assumes")
    strange = [axiom for axiom in axioms if axiom not in ALLOWED]
    if strange:
        raise NotAcceptedError(f"it rests on {', '.join(strange)}")
    return Accepted(whole.module, whole.theorem, " ".join(statement.split()), tuple(axioms))
