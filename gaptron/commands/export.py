"""The verb ``export``: every obligation as SMT-LIB 2, for any solver; with --coq whole theorems for Coq."""

import sys
from pathlib import Path

import click

from gaptron.answers.smtlib import write_scripts
from gaptron.system.exits import fail, warn
from gaptron.system.options import FOLDER, PATH
from gaptron.theory.files import FileError, load, shipped_files
from gaptron.theory.theorem import Lemma

EXIT_CODES = """\b
Exit codes:
  0  everything was written
  1  with --coq: a theorem is REFUTED; its refutation is written if it has a Coq form
  2  usage or input error
  3  some obligation has no SMT-LIB form, or some theorem no Coq form; the others were written
"""


@click.command(epilog=EXIT_CODES)
@click.argument("folder", type=FOLDER)
@click.argument("files", nargs=-1, type=PATH)
@click.option("--coq", is_flag=True, help="Write whole theorems, or their refutations, as a Coq development.")
def export(folder: Path, files: tuple[Path, ...], coq: bool) -> None:
    """Write every obligation of FILES (with no file, of the shipped theorems) to FOLDER as SMT-LIB 2.

    The obligation holds if a solver answers unsat to every check-sat of its file. Logarithms and exponentials of
    variables are fresh constants there, with tangents that are true of them: a sat answer to such a question says only
    that these facts do not suffice. Reading a FILE runs its Python.

    With --coq, FOLDER is a Coq development of the whole theorems, library included: make -C FOLDER compiles it, and
    theorems.json lists each that is PROVED with its statement and its axioms, refutations.json what fails at some round
    of those that are REFUTED. With the files of Theorems 1, 2 and 3 of the paper among them, these are there as they
    are stated by hand (Paper.v), proved from the exported ones (PaperProofs.v).
    """
    try:
        statements = [statement for file in files or shipped_files() for statement in load(file)]
        if coq and all(isinstance(statement.item, Lemma) for statement in statements):
            fail("there are lemmas only: --coq exports theorems")
        folder.mkdir(parents=True, exist_ok=True)
        if coq:
            from gaptron.answers.developments import write_developments

            sys.exit(write_developments(folder, statements))
        left_out = write_scripts(folder, statements)
    except (FileError, OSError) as error:
        fail(f"{folder}: cannot be written: {error.strerror}" if isinstance(error, OSError) else error)
    for name in left_out:
        warn(f"{name} has no SMT-LIB form")
    sys.exit(3 if left_out else 0)
