"""``gaptron export``: every obligation as SMT-LIB 2, for any solver; with --coq whole theorems for Coq."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click
import sympy as sp

from gaptron.checking.check import plan
from gaptron.obligations import Obligation, Sequent
from gaptron.prove.smt import scripts
from gaptron.system.atomic import write_atomically
from gaptron.system.exits import fail, warn
from gaptron.system.printable import printable
from gaptron.theory.files import FileError, FileNames, Statement, load, shipped_files
from gaptron.theory.theorem import Lemma
from gaptron.theory.verdict import UndecidedError

EXIT_CODES = """\b
Exit codes:
  0  everything was written
  1  with --coq: a theorem is REFUTED; its refutation is written if it has a Coq form
  2  usage or input error
  3  some obligation has no SMT-LIB form, or some theorem no Coq form; the others were written
"""
ABSTRACTED = "; a logarithm or exponential of a variable is a constant here: sat says that its tangents do not suffice"
POINTS = (sp.Rational(1, 4), sp.Rational(1, 2), sp.Integer(1), sp.Integer(2))


@click.command(epilog=EXIT_CODES)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
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
            from gaptron.commands.developments import write_developments

            sys.exit(write_developments(folder, statements))
        names = FileNames()
        left_out = [name for statement in statements for name in _write(folder, statement, names)]
    except (FileError, OSError) as error:
        fail(f"{folder}: cannot be written: {error.strerror}" if isinstance(error, OSError) else error)
    for name in left_out:
        warn(f"{name} has no SMT-LIB form")
    sys.exit(3 if left_out else 0)


def _write(folder: Path, statement: Statement, names: FileNames) -> Iterator[str]:
    """Write the obligations of one theorem; those that cannot be written are named."""
    for obligation in plan(statement.item):
        try:
            text = as_smtlib(statement.item.name, obligation)
        except (UndecidedError, NotImplementedError):
            yield f"{statement.item.name}: {obligation.id}"
            continue
        write_atomically(folder / names.name(statement.item.name, obligation.id, "smt2"), text)


def as_smtlib(theorem: str, obligation: Obligation) -> str:
    """The obligation as one script; UndecidedError if there is no such form."""
    if obligation.unsupported is not None or not obligation.claims:
        raise UndecidedError(obligation.unsupported or "no claims")
    head = [f"; {printable(line)}" for line in (f"{theorem}: {obligation.id}", obligation.statement)]
    lines = [*head, "; it holds if every check-sat answers unsat"]
    if not all(claim.is_algebraic for claim in obligation.claims):
        lines.append(ABSTRACTED)
    lines.append("(set-logic QF_NRA)")
    for claim in obligation.claims:
        for script in scripts(claim if claim.is_algebraic else algebraic(claim)):
            lines += ["(push 1)", *script, "(check-sat)", "(pop 1)"]
    return "\n".join(lines) + "\n"


def algebraic(claim: Sequent) -> Sequent:
    """The claim with a symbol for every logarithm and exponential of variables, and facts that hold of it."""
    facts: list[sp.Basic] = []
    while True:
        sides = [side for relation in (*claim.given, claim.then) for side in relation.args]
        inner = next((node for side in sides for node in _innermost(side)), None)
        if inner is None:
            return Sequent((*claim.given, *facts), claim.then)
        symbol = sp.Dummy("value", real=True)
        facts += [fact.xreplace({inner: symbol}) for fact in _facts(inner, symbol)]
        claim = Sequent(
            tuple(relation.xreplace({inner: symbol}) for relation in claim.given), claim.then.xreplace({inner: symbol})
        )


def _innermost(expr: sp.Expr) -> Iterator[sp.Expr]:
    """Logarithms and exponentials of variables that contain no other."""
    for node in sp.postorder_traversal(expr):
        if isinstance(node, (sp.exp, sp.log)) and node.free_symbols:
            yield node


def _facts(node: sp.Expr, symbol: sp.Symbol) -> list[sp.Basic]:
    argument = node.args[0]
    if isinstance(node, sp.exp):
        return [
            symbol > 0,
            sp.Ge(symbol, 1 + argument, evaluate=False),
            sp.Le(symbol * (1 - argument), 1, evaluate=False),
        ]
    above = [sp.Le(symbol, sp.log(c) + (argument - c) / c, evaluate=False) for c in POINTS]
    below = [sp.Ge(symbol, sp.log(c) + 1 - c / argument, evaluate=False) for c in POINTS]
    return [*above, *below]
