"""Where a learning rate stops working: the least -fixed/slope over all rounds, searched in floats.

A search, not a proof: it only says which rational numbers to try to prove, and where a witness may be found.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.relational import Relational

from gaptron.constants.rate_constraint import RateConstraint
from gaptron.guesses.computer_algebra import ends
from gaptron.learners.arithmetic import Array
from gaptron.symbols import K

GRID = 161
FAR = np.geomspace(1e-6, 1e12, 109)
ZOOMS = 30
SHRINK = 0.35
LOCAL = np.linspace(-1, 1, 9)
TOLERANCE = 1e-11
CLOSE = 1e-9
ROUNDING = 2e-16  # of a fixed part: where the slope vanishes too, their ratio is not to be trusted
PROMISING = 0.2  # grid minima larger than the best by less than this share are refined


@dataclass(frozen=True)
class Binding:
    """The round that binds: its constraint, its scalars, and the learning rate at which its gap is zero."""

    rate: float
    constraint: RateConstraint
    point: dict[sp.Symbol, float]


def contacts(constraints: Sequence[RateConstraint], n_classes: int) -> tuple[Binding, ...]:
    """The contacts for this many classes, the simplest first; none if nothing bounds the learning rate."""
    every = [_Rounds(c, n_classes) for c in constraints if n_classes == 2 or not c.two_classes_only]
    coarse = [(*rounds.coarse(), rounds) for rounds in every]
    best = min((rate for rate, *_ in coarse), default=np.inf)
    if best == np.inf:
        return ()
    found = []
    for rate, start, rounds in coarse:
        if rate == best or rate <= best + PROMISING * abs(best) + TOLERANCE:
            value, point = rounds.refined(rate, start) if rate > 0 else (rate, start)
            found.append(Binding(value, rounds.constraint, dict(zip(rounds.variables, map(float, point), strict=True))))
    least = min(contact.rate for contact in found)
    near = [contact for contact in found if contact.rate == least or contact.rate <= least + abs(least) * CLOSE]
    return tuple(sorted(near, key=lambda contact: (len(contact.point), sum(map(abs, contact.point.values())))))


def rates_at(constraint: RateConstraint, n_classes: int, points: Array) -> Array:
    """The learning rates at which the gap is zero, at points in rows of the constraint's variables."""
    return _Rounds(constraint, n_classes).rates(points)


class _Rounds:
    """-fixed/slope on arrays of points, one column for each variable; infinite outside the region."""

    def __init__(self, constraint: RateConstraint, n_classes: int) -> None:
        self.constraint, self.n_classes = constraint, n_classes
        self.variables = constraint.variables
        self.ranges = [_range(constraint, variable, n_classes) for variable in self.variables]
        differences = tuple(_difference(relation) for relation in constraint.region)
        self.compiled = _compiled((K, *self.variables), (constraint.fixed, constraint.slope, *differences))

    def rates(self, points: Array) -> Array:
        with np.errstate(all="ignore"):
            fixed, slope, *differences = (
                np.broadcast_to(np.asarray(part, dtype=float), len(points))
                for part in self.compiled(self.n_classes, *points.T)
            )
            rates = np.where(slope > 0, (ROUNDING - fixed) / slope, np.where(fixed > TOLERANCE, -np.inf, np.inf))
            inside = np.all([d <= TOLERANCE for d in differences], axis=0) if differences else True
        return np.where(inside & ~np.isnan(rates), rates, np.inf)

    def coarse(self) -> tuple[float, Array]:
        """The best of a grid; of several equally good points the simplest."""
        axes = [_axis(low, high) for low, high in self.ranges]
        every = np.unique(np.concatenate(axes)) if axes else np.zeros(0)
        axes = [every[(every >= low) & (every <= high)] for low, high in self.ranges]
        return self._best(_product(axes))

    def refined(self, rate: float, start: Array) -> tuple[float, Array]:
        """The best found by zooming in."""
        best, place = rate, start
        step = np.array([max(0.05, abs(value) / 4) for value in start])
        for _ in range(ZOOMS):
            axes = [
                np.unique(np.concatenate([np.clip(value + LOCAL * width, low, high), [value]]))
                for value, width, (low, high) in zip(place, step, self.ranges, strict=True)
            ]
            if len(axes) > 1:
                axes[1] = np.unique(np.concatenate(axes))
                axes[1] = axes[1][(axes[1] >= self.ranges[1][0]) & (axes[1] <= self.ranges[1][1])]
            value, there = self._best(_product(axes))
            if value < best - 1e-15 * abs(best):
                best, place = value, there
            step = step * SHRINK
        return best, place

    def _best(self, points: Array) -> tuple[float, Array]:
        if not len(points):
            return np.inf, np.zeros(len(self.variables))
        rates = self.rates(points)
        least = rates.min()
        near = points[rates <= least + abs(least) * 1e-13] if np.isfinite(least) else points[rates == least]
        return float(least), near[np.abs(near).sum(axis=1).argmin()]


@lru_cache(maxsize=4096)
def _compiled(variables: tuple[sp.Symbol, ...], parts: tuple[sp.Expr, ...]) -> Any:
    return sp.lambdify(variables, list(parts), "numpy")


def _difference(relation: sp.Basic) -> sp.Expr:
    """What is at most 0 where the relation holds, or holds in the limit."""
    sides = relation.lhs - relation.rhs
    if isinstance(relation, sp.Eq):
        return sp.Abs(sides)
    return -sides if isinstance(relation, (sp.Ge, sp.Gt)) else sides


def _range(constraint: RateConstraint, variable: sp.Symbol, n_classes: int) -> tuple[float, float]:
    ends = [_ends(relation, variable, n_classes) for relation in constraint.region]
    least = 0.0 if variable.is_nonnegative else -np.inf  # what the symbol says, no relation does
    return max((least, *(low for low, _ in ends))), min((high for _, high in ends), default=np.inf)


@lru_cache(maxsize=4096)
def _ends(relation: Relational, variable: sp.Symbol, n_classes: int) -> tuple[float, float]:
    """The ends of what one relation says of the variable; it may say nothing."""
    try:
        low, high = ends(
            (relation.func(*(side.subs(K, n_classes) for side in relation.args), evaluate=False),), variable
        )
    except NotImplementedError:
        return -np.inf, np.inf
    return float(low), float(high)


def _axis(low: float, high: float) -> Array:
    """A grid that contains the ends, dense near them."""
    if np.isfinite(low) and np.isfinite(high):
        ends = FAR[FAR < (high - low) / 4]
        return np.concatenate([np.linspace(low, high, GRID), low + ends, high - ends]) if low <= high else np.zeros(0)
    if np.isfinite(low):
        return np.concatenate([low + np.linspace(0, 4, GRID), low + FAR])
    if np.isfinite(high):
        return np.concatenate([high - np.linspace(0, 4, GRID), high - FAR])
    return np.concatenate([np.linspace(-4, 4, GRID), FAR, -FAR])


def _product(axes: list[Array]) -> Array:
    return np.stack([part.ravel() for part in np.meshgrid(*axes, indexing="ij")], axis=1) if axes else np.zeros((1, 0))
