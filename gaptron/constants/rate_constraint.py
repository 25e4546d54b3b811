"""What a learning rate must satisfy, as data and in the sympy of the search."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp
from sympy.core.relational import Relational

from gaptron.door.showing import show
from gaptron.guesses.computer_algebra import SympyGuesses
from gaptron.guesses.in_sympy import SympyRegion
from gaptron.language.normal import put, slope
from gaptron.obligations import reduction_of
from gaptron.obligations.constraint import Constraint, Implied
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.sequents import Sequent
from gaptron.obligations.setting import RATE
from gaptron.symbols import K
from gaptron.theory.theorem import Implication, Theorem

MOST_EQUAL = 8  # numbers of equal labels at which the search looks for what binds


@dataclass(frozen=True)
class RateConstraint:
    """``Constraint``, its region and expressions written with sympy's symbols."""

    kind: str
    region: SympyRegion
    fixed: sp.Expr
    slope: sp.Expr
    label: int | None = None

    @property
    def variables(self) -> tuple[sp.Symbol, ...]:
        """The scalars of the round, in order of their names."""
        found = self.fixed.free_symbols | self.slope.free_symbols
        found |= set().union(*(relation.free_symbols for relation in self.region))
        return tuple(sorted(found - {K}, key=str))

    @property
    def two_classes_only(self) -> bool:
        """Whether K does not occur."""
        return all(K not in part.free_symbols for part in (*self.region, self.fixed, self.slope))

    def at(self, n_classes: int) -> "RateConstraint | None":
        """The constraint for this many classes; None if it says nothing about them."""
        if self.two_classes_only:
            return self if n_classes == 2 else None
        return self.put({K: n_classes})

    def put(self, values: Mapping[sp.Symbol, object]) -> "RateConstraint | None":
        """The constraint with these values; None if its region is certainly empty there."""
        region = [relation.subs(values) for relation in self.region]
        if sp.false in region:
            return None
        kept = tuple(relation for relation in region if relation != sp.true)
        return replace(self, region=kept, fixed=self.fixed.subs(values), slope=self.slope.subs(values))


def in_symbols(
    theorem: Theorem, constraints: Callable[[Theorem, Coverage], Iterable[Constraint]]
) -> Iterator[RateConstraint]:
    """The constraints of a theorem, in its symbols."""
    guesses = SympyGuesses.of(theorem)
    for c in constraints(theorem, Coverage(guesses)):
        fixed, slope = (show(part, guesses.symbols) for part in (c.fixed, c.slope))
        yield RateConstraint(c.kind, guesses.region(c.region), fixed, slope, c.label)


def implications(implied: Iterable[Implied], guesses: SympyGuesses) -> tuple[Implication, ...]:
    """What is implied, as implications of a lemma."""
    return tuple(
        Implication(
            name=one.name, statement=one.statement, given=guesses.region(one.given), then=guesses.relation(one.then)
        )
        for one in implied
    )


def all_follow(
    prefix: str, statement: str, given: SympyRegion, conclusions: Iterable[Relational]
) -> tuple[Implication, ...]:
    """That each of these conclusions holds where all that is given does."""
    pairs = enumerate(conclusions, 1)
    return tuple(Implication(name=f"{prefix}{n}", statement=statement, given=given, then=then) for n, then in pairs)


# --- of the given gap map -----------------------------------------------------------------------------------------


def gap_constraints(theorem: Theorem, coverage: Coverage) -> Iterator[Constraint]:
    """The cases of the surrogate gap for the theorem's own gap map; 1 where the gap is not defined."""
    for case in reduction_of(theorem).cases(RATE, coverage):
        name = case.kind if case.label is None else f"{case.kind}, y = {case.label}"
        kept = (claim for claim in case.claims if not coverage.guesses.seems_empty(claim.given))
        yield from (linear(name, claim, case.label) for claim in kept)


def linear(kind: str, claim: Sequent, label: int | None = None) -> Constraint:
    """A claim that a gap, linear in the learning rate, is at most 0."""
    gap = claim.then.left
    return Constraint(kind, claim.given, put(gap, {RATE: Fraction(0)}), slope(gap, RATE), label)
