"""Rounds, given by expressions, that rule learning rates out for all K at once, or all learning rates for one K.

At a contact the gap is zero and grows with eta, for every K: no larger learning rate will do. On a curve there is, at
each r >= 16, a round whose constraint fails at eta = c/r, and so at every larger learning rate: none will do. The curve
is guessed in floats; the lemma that says so is put to the proof.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import ceil

import numpy as np
import sympy as sp
from sympy.core.relational import Relational

from gaptron.constants.closed_forms import expression_near
from gaptron.constants.rate_constraint import RateConstraint, all_follow
from gaptron.constants.rate_search import Binding, rates_at
from gaptron.guesses.computer_algebra import SympyGuesses
from gaptron.guesses.in_sympy import SympyRegion, q
from gaptron.obligations.sequents import claims_more_than_two, class_conditions
from gaptron.symbols import K, p
from gaptron.system.documents import Document
from gaptron.theory.theorem import Implication, Lemma, Theorem

Contacts = Mapping[int, tuple[Binding, ...]]
Place = dict[sp.Symbol, sp.Expr]
# softmax cases in which the sum of squares is bounded, not attained: a contact there shows nothing
RELAXED = {p < sp.Rational(1, 3), p < 1 - q - p}
ROUGH = 1e-6  # the place of a smooth minimum is known less well than its value
r = sp.Symbol("r", positive=True)
FIRST = 16
FARTHER = np.geomspace(FIRST, 1e4, 9)
FAR = 100  # a scalar beyond goes to infinity with r; any other to the simplest number that is NEAR
NEAR = 1e-3
MOST = 1e4  # of the factor c


# --- contacts -----------------------------------------------------------------------------------------------------


def contact_lemma(theorem: Theorem, contacts: Contacts, eta: sp.Expr) -> tuple[Lemma, tuple[str, ...]] | None:
    """The lemma that no larger learning rate than eta is possible for any K claimed, and its contacts in words.

    None if no one constraint, at one place in K, binds for all K >= 3 that were looked at (and one for K = 2).
    """
    implications: list[Implication] = []
    words = []
    for first in (2, 3):
        group = {n: found for n, found in contacts.items() if (n == 2) == (first == 2)}
        if not group:
            if first == 3 and claims_more_than_two(theorem):
                return None
            continue
        common = next(commons(group, first), None)
        if common is None:
            return None
        constraint, place = common
        given = SympyGuesses.of(theorem).region(class_conditions(theorem, 3)) if first == 3 else ()
        fixed_classes = {} if first == 3 else {K: sp.Integer(2)}
        conclusions = _conclusions(constraint, place, given, fixed_classes, eta)
        implications += all_follow(f"contact {first}/", "the gap is 0 and grows", given, conclusions)
        words.append(f"{'K >= 3' if first == 3 else 'K = 2'}: {in_words(constraint, place)}")
    return Lemma(name=f"{theorem.name}: no larger learning rate", implications=tuple(implications)), tuple(words)


def in_words(constraint: RateConstraint, place: Mapping[sp.Symbol, object]) -> str:
    """The kind of the rounds and their scalars."""
    where = ", ".join(f"{variable} = {value}" for variable, value in place.items())
    return f"{constraint.kind}{' at ' + where if where else ''}"


def commons(group: Contacts, first_count: int, limits: bool = False) -> Iterator[tuple[RateConstraint, Place]]:
    """The constraints that bind for every K of the group, at places that are expressions in K.

    With ``limits``, a place may be on the boundary of an open region.
    """
    first, *rest = group.values()
    for contact in first:
        if RELAXED & set(contact.constraint.region):
            continue
        same = [next((c for c in found if c.constraint == contact.constraint), None) for found in rest]
        if None in same:
            continue
        at = dict(zip(group, [contact, *same], strict=True))
        place = {
            v: expression_near({n: c.point[v] for n, c in at.items() if c is not None}, ROUGH)
            for v in contact.constraint.variables
        }
        if None in place.values():
            continue
        inside = [r.subs(place).subs(K, 2) if first_count == 2 else r.subs(place) for r in contact.constraint.region]
        if limits or sp.false not in inside:
            yield contact.constraint, place


def _conclusions(
    constraint: RateConstraint, place: Place, given: SympyRegion, classes: Place, eta: sp.Expr
) -> list[Relational]:
    fixed, slope, rate = (part.subs(place).subs(classes) for part in (constraint.fixed, constraint.slope, eta))
    inside = [relation.subs(place).subs(classes) for relation in constraint.region]
    return [
        *(relation for relation in inside if relation not in (sp.true, *given)),
        sp.Eq(fixed + rate * slope, 0, evaluate=False),
        sp.Gt(slope, 0, evaluate=False),
    ]


# --- curves -------------------------------------------------------------------------------------------------------


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
