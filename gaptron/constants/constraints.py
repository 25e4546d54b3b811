"""The cases of a theorem's surrogate gap as constraints on its learning rate."""

from collections.abc import Iterator

import sympy as sp

from gaptron.obligations.constraint import Constraint
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.gap import cases
from gaptron.obligations.guesses import seems_empty
from gaptron.obligations.sharp import rate
from gaptron.theory.theorem import Theorem


def gap_constraints(theorem: Theorem) -> Iterator[Constraint]:
    """The cases of the surrogate gap for the theorem's own gap map; 1 where the gap is not defined."""
    for case in cases(theorem, rate, Coverage()):
        name = case.kind if case.label is None else f"{case.kind}, y = {case.label}"
        for claim in case.claims:
            if not seems_empty(claim.given):
                gap = claim.then.lhs
                yield Constraint(name, claim.given, gap.subs(rate, 0), sp.diff(gap, rate), case.label)
