"""What Coq prints of everything that reviewers read: definitions, statements by hand, and what their proofs assume."""

from pathlib import Path

from gaptron.coq.library import axioms_in, compiled, coq_version
from gaptron.ledger.reviewers import STATED, defined, stated
from gaptron.system.documents import Document

EXPORTED = "PaperProofs."  # compiled beside exports: tests/formal/test_whole_theorems.py compares its axioms


def question() -> str:
    """The file that asks; what is assumed comes first, before any name of the library can stand for another."""
    modules = {file[:-2] for file in defined()} | {file[:-2] for file, _ in stated().values()}
    proofs = [proof for _, proof in stated().values() if not proof.startswith(EXPORTED)]
    lines = [
        "From Coq Require Import Reals List.",
        f"From Gaptron Require {' '.join(sorted({proof.split('.')[0] for proof in proofs}))}.",
        *(f'Redirect "axioms.{proof}" Print Assumptions {proof}.' for proof in proofs),
        f"From Gaptron Require Import {' '.join(sorted(modules))}.",
        "Import ListNotations.",
        "Open Scope R_scope.",
        "Set Printing Width 100.",
        *(f'Redirect "d.{file}.{n}" Print {file[:-2]}.{n}.' for file, names in defined().items() for n in names),
        *(_statement(name, *found) for name, found in stated().items()),
    ]
    return "\n".join(lines) + "\n"


def printed(library: Path, folder: Path) -> Document:
    """As ``reviewers.json`` has it, without seconds; of theorems from exports, without axioms.

    Parameters
    ----------
    library : Path
        Compiled.
    folder : Path
        Where the answers are written.
    """
    compiled({"Ask.v": question()}, folder, library)

    def said(file: str) -> str:
        return (folder / f"{file}.out").read_text(encoding="utf-8").partition("\n\nArguments")[0].strip()

    def axioms(proof: str) -> list[str]:
        return [] if proof.startswith(EXPORTED) else axioms_in(said(f"axioms.{proof}"))

    return {
        "coq": coq_version().split()[0],
        "definitions": {file: {n: said(f"d.{file}.{n}") for n in names} for file, names in defined().items()},
        "statements": {
            name: {"printed": said(f"s.{name}"), "axioms": axioms(proof)} for name, (_, proof) in stated().items()
        },
    }


def _statement(name: str, file: str, proof: str) -> str:
    command = f"Print {file[:-2]}.{name}" if file in STATED else f"Check {proof}"
    return f'Redirect "s.{name}" {command}.'
