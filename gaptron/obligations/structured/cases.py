"""A part of the criterion: claims that establish it, and distributions at which it would fail where a claim does."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp

from gaptron.obligations.claims import Sequent
from gaptron.obligations.in_sympy import SympyRegion
from gaptron.theory.structured.distributions import OutputDistribution
from gaptron.theory.structured.theorem import StructuredTheorem

Point = Mapping[sp.Symbol, Fraction]
Failing = Callable[[Sequent, Point], Iterator[OutputDistribution]]


@dataclass(frozen=True)
class CriterionCase:
    """``failing`` proposes distributions for a point at which a claim fails; whether they break it is checked anew."""

    id: str
    statement: str
    claims: tuple[Sequent, ...]
    failing: Failing


@dataclass(frozen=True)
class StructuredSurrogate:
    """The numbers of the criterion H_L(w) <= alpha (s J(w) - kappa Var(w)), as expressions in the size."""

    scale: sp.Expr
    alpha: sp.Expr
    kappa: sp.Expr

    @staticmethod
    def of(theorem: StructuredTheorem) -> "StructuredSurrogate | None":
        """None without a learning rate."""
        kappa = theorem.curvature()
        return None if kappa is None else StructuredSurrogate(theorem.scale, theorem.coefficient, kappa)

    @property
    def strength(self) -> sp.Expr:
        """2 kappa/s = eta s: how strongly convex Omega must be for F = s Omega - kappa ||.||^2 to be convex."""
        return sp.cancel(2 * self.kappa / self.scale)

    def at(self, symbol: sp.Symbol, size: int) -> "StructuredSurrogate":
        """For one size."""
        return StructuredSurrogate(*(part.subs(symbol, size) for part in (self.scale, self.alpha, self.kappa)))


def size_conditions(theorem: StructuredTheorem, at_least: int = 1) -> SympyRegion:
    """The sizes claimed, from ``at_least`` on."""
    first, last = max(theorem.first_size, at_least), theorem.last_size
    least = sp.Ge(theorem.size, first, evaluate=False)
    return (least,) if last is None else (least, sp.Le(theorem.size, last, evaluate=False))


def size_at(theorem: StructuredTheorem, point: Point) -> int:
    """The size at a point; the smallest one claimed where the claim does not speak of it."""
    return int(point.get(theorem.size, Fraction(theorem.first_size)))


def mentioned(theorem: StructuredTheorem, region: SympyRegion, *parts: sp.Expr) -> SympyRegion:
    """The region, if the size occurs in one of the expressions."""
    return region if any(theorem.size in part.free_symbols for part in parts) else ()
