"""``export``: every obligation as SMT-LIB 2, for any solver."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import sympy as sp

from gaptron.checking.recall import plan
from gaptron.guesses.in_sympy import WrittenClaim, written
from gaptron.obligations import Obligation
from gaptron.prove.smt import scripts
from gaptron.system.atomic import write_atomically
from gaptron.system.printable import printable
from gaptron.theory.files import FileNames, Statement
from gaptron.theory.verdict import UndecidedError

ABSTRACTED = "; a logarithm or exponential of a variable is a constant here: sat says that its tangents do not suffice"
POINTS = (sp.Rational(1, 4), sp.Rational(1, 2), sp.Integer(1), sp.Integer(2))


def write_scripts(folder: Path, statements: Iterable[Statement]) -> list[str]:
    """A script for every obligation, in a folder; the names of those that have no such form."""
    names = FileNames()
    return [left for statement in statements for left in _write(folder, statement, names)]


def _write(folder: Path, statement: Statement, names: FileNames) -> Iterator[str]:
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
        for script in scripts(written(claim) if claim.is_algebraic else algebraic(written(claim))):
            lines += ["(push 1)", *script, "(check-sat)", "(pop 1)"]
    return "\n".join(lines) + "\n"


def algebraic(claim: WrittenClaim) -> WrittenClaim:
    """The claim with a symbol for every logarithm and exponential of variables, and facts that hold of it."""
    facts: list[sp.Basic] = []
    while True:
        sides = [side for relation in (*claim.given, claim.then, *claim.needed) for side in relation.args]
        inner = next((node for side in sides for node in _innermost(side)), None)
        if inner is None:
            return WrittenClaim((*claim.given, *facts), claim.then, claim.needed)
        symbol = sp.Dummy("value", real=True)
        facts += [fact.xreplace({inner: symbol}) for fact in _facts(inner, symbol)]
        given, needed = (
            tuple(relation.xreplace({inner: symbol}) for relation in region) for region in (claim.given, claim.needed)
        )
        claim = WrittenClaim(given, claim.then.xreplace({inner: symbol}), needed)


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
