"""Why a claim is UNDECIDED, for whoever wrote the theorem: what was not proved, and what might help."""

from collections.abc import Iterator

import sympy as sp
from sympy.core.relational import Relational

from gaptron.guesses.in_sympy import written
from gaptron.obligations import NOWHERE, Sequent
from gaptron.symbols import K
from gaptron.theory.verdict import UndecidedError

LONGEST = 300
SAID_OF = {
    "entropy/strong convexity": "beyond the modulus of the entropy the criterion is necessary, not known to be "
    "sufficient: a smaller learning rate may be proved"
}


def reason(claim: Sequent, failure: UndecidedError, obligation: str = "") -> str:
    """One sentence about the claim, how the search for a proof ended, and hints."""
    shown = written(claim)
    what = "that no point satisfies" if claim.then == NOWHERE else f"of {relation_text(shown.then)} where"
    where = " and ".join(map(relation_text, shown.given)) or "nothing more is given"
    hints = "; ".join(_hints(claim, failure, obligation))
    return f"no proof was found {_cut(f'{what} {where}')}: {failure.reason}{'; ' if hints else ''}{hints}"


def _hints(claim: Sequent, failure: UndecidedError, obligation: str) -> Iterator[str]:
    if obligation in SAID_OF:
        yield SAID_OF[obligation]
        return
    if not claim.refutes:
        yield "the cases could not be told apart: write the conditions of a Piecewise as bounds on one variable"
    if failure.hint:
        yield failure.hint
    if any(_has_k_in_an_atom(side) for side in written(claim).then.args):
        yield "K stands in a logarithm or an exponent: a rate or regret with powers of K, or classes=, is easier"


def _has_k_in_an_atom(expr: sp.Expr) -> bool:
    powers = (part for part in expr.atoms(sp.Pow) if not part.exp.is_Rational)
    return any(K in part.free_symbols for part in (*expr.atoms(sp.log, sp.exp), *powers))


def relation_text(relation: Relational) -> str:
    """The relation as a person would write it."""
    signs = {sp.Ne: "!=", sp.Eq: "="}
    if type(relation) in signs:
        return f"{relation.lhs} {signs[type(relation)]} {relation.rhs}"
    return str(sp.sstr(relation))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
