"""Rounds on a curve that together rule every learning rate out, where the largest one falls to 0.

At each r >= 16 there is a round whose constraint fails at eta = c/r, and so at every larger learning rate. The curve is
guessed in floats; the lemma that says so is put to the proof.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import ceil

import numpy as np
import sympy as sp

from gaptron.constants.contact_lemma import RELAXED, in_words
from gaptron.constants.rate_constraint import RateConstraint, all_follow
from gaptron.constants.rate_search import Binding, rates_at
from gaptron.system.documents import Document
from gaptron.theory.theorem import Lemma

r = sp.Symbol("r", positive=True)
FIRST = 16
FARTHER = np.geomspace(FIRST, 1e4, 9)
FAR = 100  # a scalar beyond goes to infinity with r; any other to the simplest number that is NEAR
NEAR = 1e-3
MOST = 1e4  # of the factor c


@dataclass(frozen=True)
class RateCurve:
    """The round at r, and the factor c of the learning rate c/r at which its constraint fails."""

    constraint: RateConstraint
    place: dict[sp.Symbol, sp.Expr]
    factor: int

    def lemma(self, name: str) -> Lemma:
        """That the rounds exist, and that each rules out c/r and, as the slope is not negative, all that is larger."""
        fixed, slope = (part.subs(self.place) for part in (self.constraint.fixed, self.constraint.slope))
        inside = [relation.subs(self.place) for relation in self.constraint.region]
        inside += [sp.Gt(value, 0, evaluate=False) for symbol, value in self.place.items() if symbol.is_positive]
        ends = [
            *(relation for relation in inside if relation != sp.true),
            sp.Ge(slope, 0, evaluate=False),
            sp.Gt(fixed + self.factor / r * slope, 0, evaluate=False),
        ]
        found = all_follow("curve/", "a round whose gap is positive", (r >= FIRST,), ends)
        return Lemma(name=name, implications=found)

    @property
    def in_words(self) -> str:
        """The rounds and their learning rates."""
        return f"{in_words(self.constraint, self.place)} for eta >= {self.factor / r}, at every r >= {FIRST}"

    def document(self, n_classes: int) -> Document:
        """For the witnesses of JSON."""
        place = {str(symbol): str(value) for symbol, value in self.place.items()}
        rate = str(self.factor / r)
        return {"K": n_classes, "kind": self.constraint.kind, "curve": place, "learning_rate": rate, "r": f">= {FIRST}"}


def curve(contact: Binding, n_classes: int) -> RateCurve | None:
    """The first on which the largest learning rate falls like 1/r, as far as doubles tell."""
    constraint = contact.constraint.at(n_classes)
    if constraint is None or RELAXED & set(contact.constraint.region):
        return None
    for place in _places(contact):
        values = sp.lambdify(r, list(place.values()), "numpy")(FARTHER)
        points = np.stack([np.broadcast_to(np.asarray(value, dtype=float), FARTHER.shape) for value in values], axis=1)
        factors = rates_at(contact.constraint, n_classes, points) * FARTHER
        is_inside = sp.false not in [relation.subs(place) for relation in constraint.region]
        if is_inside and 0 <= factors.max() <= min(MOST, 4 * factors[0]):
            return RateCurve(constraint, place, ceil(2 * factors.max()) or 1)
    return None


def _places(contact: Binding) -> Iterator[dict[sp.Symbol, sp.Expr]]:
    """Expressions in r, not all constant, that lead where the contact is."""
    for values in product(*map(_towards, contact.point.values())):
        if any(value.has(r) for value in values):
            yield dict(zip(contact.point, values, strict=True))


def _towards(value: float) -> list[sp.Expr]:
    if abs(value) > FAR or not np.isfinite(value):
        return [(1 if value > 0 else -1) * way for way in (r, sp.log(r), r**2)]
    end = sp.nsimplify(value, rational=True, tolerance=NEAR)
    return [end, *(end + sign * way for way in (1 / r, 1 / r**2) for sign in (1, -1))]
