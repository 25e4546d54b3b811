"""What is known of the symbols of a theorem beside K, each an obligation or a range: gamma in [0, 1], T >= 1."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import sympy as sp

from gaptron.obligations.assumptions import assumptions
from gaptron.obligations.claims import Obligation, Sequent
from gaptron.obligations.mixture import always_explores
from gaptron.obligations.pieces import Region
from gaptron.symbols import Parameter, T, gamma
from gaptron.theory.items import Item
from gaptron.theory.theorem import Theorem


def in_setting(item: Item, obligations: Iterable[Obligation]) -> Iterator[Obligation]:
    """The obligations with what is known of their symbols among the hypotheses of each claim."""
    known = _known(item) if isinstance(item, Theorem) else ()
    for obligation in obligations:
        yield replace(obligation, claims=tuple(_with(claim, known) for claim in obligation.claims))


def _with(claim: Sequent, known: Region) -> Sequent:
    symbols = set().union(*(relation.free_symbols for relation in (*claim.given, claim.then)))
    ranges = [r for symbol in sorted(symbols, key=str) if isinstance(symbol, Parameter) for r in assumptions(symbol)]
    return replace(claim, given=(*claim.given, *ranges, *(r for r in known if r.free_symbols <= symbols)))


def _known(theorem: Theorem) -> Region:
    if theorem.exploration is None:
        return ()
    known = (sp.Ge(T, 1, evaluate=False), sp.Le(gamma, 1, evaluate=False))
    return (*known, sp.Gt(gamma, 0, evaluate=False)) if always_explores(theorem) else known
