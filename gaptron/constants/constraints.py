"""The cases of a theorem's surrogate gap as constraints on its learning rate."""

from collections.abc import Iterator
from fractions import Fraction

from gaptron.constants.rate_constraint import RateConstraint, in_symbols
from gaptron.language.normal import put, slope
from gaptron.obligations.assumptions import RATE
from gaptron.obligations.claims import Sequent
from gaptron.obligations.constraint import Constraint
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.gap import cases
from gaptron.obligations.guesses import Guesses
from gaptron.theory.theorem import Theorem


def gap_constraints(theorem: Theorem) -> Iterator[RateConstraint]:
    """The cases of the surrogate gap for the theorem's own gap map; 1 where the gap is not defined."""
    coverage = Coverage(Guesses.of(theorem))
    for case in cases(theorem, RATE, coverage):
        name = case.kind if case.label is None else f"{case.kind}, y = {case.label}"
        kept = [claim for claim in case.claims if not coverage.guesses.seems_empty(claim.given)]
        yield from in_symbols((linear(name, claim, case.label) for claim in kept), coverage.guesses)


def linear(kind: str, claim: Sequent, label: int | None = None) -> Constraint:
    """A claim that a gap, linear in the learning rate, is at most 0."""
    gap = claim.then.left
    return Constraint(kind, claim.given, put(gap, {RATE: Fraction(0)}), slope(gap, RATE), label)
