"""A part of the criterion: claims that establish it, and distributions at which it would fail where a claim does."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from gaptron.language.expanded import expanded
from gaptron.language.expressions import Expression, evaluated, variables
from gaptron.language.formulas import formula, where
from gaptron.language.normal import Normal, put, slope
from gaptron.obligations.pieces import Region
from gaptron.obligations.sequents import Sequent
from gaptron.theory.structured.distributions import OutputDistribution
from gaptron.theory.structured.limits import INSIDE
from gaptron.theory.structured.structured_theorem import StructuredTheorem

Point = Mapping[str, Fraction]
Failing = Callable[[Sequent, Point], Iterator[OutputDistribution]]
REST = formula("1 - v")


@dataclass(frozen=True)
class CriterionCase:
    """``failing`` proposes distributions for a point at which a claim fails; whether they break it is checked anew."""

    id: str
    statement: str
    claims: tuple[Sequent, ...]
    failing: Failing


@dataclass(frozen=True)
class StructuredSurrogate:
    """The numbers of the criterion H_L(w) <= alpha (s J(w) - kappa Var(w)), as expressions in the size.

    ``strength`` is 2 kappa/s = eta s: how strongly convex Omega must be for F = s Omega - kappa ||.||^2 to be convex.
    """

    scale: Expression
    alpha: Expression
    kappa: Expression
    strength: Expression

    @staticmethod
    def of(theorem: StructuredTheorem) -> "StructuredSurrogate | None":
        """None without a learning rate."""
        numbers, eta = theorem.data.numbers, theorem.data.step
        if eta is None:
            return None
        s, alpha = numbers["scale"], numbers["coefficient"]
        kappa, strength = (written(text, s=s, eta=eta) for text in ("eta*s**2/2", "eta*s"))
        return StructuredSurrogate(s, alpha, kappa, strength)

    def at(self, theorem: StructuredTheorem, size: int) -> "StructuredSurrogate":
        """For one size."""
        there = {theorem.size.name: Fraction(size)}
        parts = (put(part, there) for part in (self.scale, self.alpha, self.kappa, self.strength))
        return StructuredSurrogate(*parts)


class OnUnit(Normal):
    """A table of operations for 0 < v < 1."""

    def _is_positive(self, part: Expression) -> bool:
        return part == REST or super()._is_positive(part)


ON_UNIT = OnUnit({}, INSIDE)


def slope_on_unit(value: Expression) -> Expression:
    """The derivative in v, defined where it is by its form if 0 < v < 1."""
    return evaluated(slope(value, "v"), ON_UNIT)


def written(text: str, **values: Expression) -> Expression:
    """The formula multiplied out: of numbers and functions whose definedness is claimed as they are written."""
    return expanded(formula(text, **values), INSIDE)


def size_conditions(theorem: StructuredTheorem, at_least: int = 1) -> Region:
    """The sizes claimed, from ``at_least`` on."""
    n, last = theorem.size.name, theorem.last_size
    upper = [] if last is None else [f"n <= {last}"]
    return where(f"n >= {max(theorem.first_size, at_least)}", *upper, n=n)


def size_at(theorem: StructuredTheorem, point: Point) -> int:
    """The size at a point; the smallest one claimed where the claim does not speak of it."""
    return int(point.get(theorem.size.name, Fraction(theorem.first_size)))


def mentioned(theorem: StructuredTheorem, region: Region, *parts: Expression) -> Region:
    """The region, if the size occurs in one of the expressions."""
    return region if any(theorem.size.name in variables(part) for part in parts) else ()
