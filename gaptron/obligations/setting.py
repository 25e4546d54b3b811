"""What is known of the symbols of a theorem beside K: the ranges of parameters, and gamma in [0, 1]."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import sympy as sp
from sympy.core.relational import Relational

from gaptron.obligations.claims import Claim, Obligation
from gaptron.obligations.mixture import always_explores
from gaptron.symbols import T, gamma
from gaptron.theorem import Theorem


def in_setting(theorem: Theorem, obligations: Iterable[Obligation]) -> Iterator[Obligation]:
    """The obligations with what is known of their symbols among the hypotheses of each claim."""
    known = list(_known(theorem))
    for obligation in obligations:
        yield replace(obligation, claims=tuple(_with(claim, known) for claim in obligation.claims))


def _with(claim: Claim, known: list[Relational]) -> Claim:
    symbols = set().union(*(relation.free_symbols for relation in (*claim.given, claim.then)))
    return Claim((*claim.given, *(relation for relation in known if relation.free_symbols <= symbols)), claim.then)


def _known(theorem: Theorem) -> Iterator[Relational]:
    for parameter in theorem.parameters:
        if parameter.low is not None:
            yield sp.Ge(parameter, parameter.low, evaluate=False)
        if parameter.high is not None:
            yield sp.Le(parameter, parameter.high, evaluate=False)
    if theorem.exploration is not None:
        yield sp.Ge(T, 1, evaluate=False)
        yield sp.Le(gamma, 1, evaluate=False)
        if always_explores(theorem):
            yield sp.Gt(gamma, 0, evaluate=False)
