"""The cases of a theorem's surrogate gap as constraints on its learning rate."""

from collections.abc import Iterator

import sympy as sp

from gaptron.obligations.constraint import Constraint
from gaptron.obligations.gap import LABEL, cases
from gaptron.obligations.sharp import rate
from gaptron.theorem import Theorem


def gap_constraints(theorem: Theorem) -> Iterator[Constraint]:
    """The cases of the surrogate gap for the theorem's own gap map; 1 where the gap is not defined."""
    for kind, region, _, claims in cases(theorem, rate):
        labels = [relation.rhs for relation in region if LABEL in relation.free_symbols]
        name = f"{kind}, y = {labels[0]}" if labels else kind
        for claim in claims:
            gap = claim.then.lhs
            yield Constraint(name, claim.given, gap.subs(rate, 0), sp.diff(gap, rate))
