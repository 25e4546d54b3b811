"""Sharpness for every K at once: a round, given by expressions in K, at which the gap is zero and grows with eta."""

from collections.abc import Iterator, Mapping

import sympy as sp
from sympy.core.relational import Relational

from gaptron.constants.closed_forms import expression_near
from gaptron.constants.rate_constraint import RateConstraint, all_follow
from gaptron.constants.rate_search import Binding
from gaptron.guesses.computer_algebra import SympyGuesses
from gaptron.guesses.in_sympy import SympyRegion, q
from gaptron.obligations.sequents import claims_more_than_two, class_conditions
from gaptron.symbols import K, p
from gaptron.theory.theorem import Implication, Lemma, Theorem

Contacts = Mapping[int, tuple[Binding, ...]]
Place = dict[sp.Symbol, sp.Expr]
# softmax cases in which the sum of squares is bounded, not attained: a contact there shows nothing
RELAXED = {p < sp.Rational(1, 3), p < 1 - q - p}
ROUGH = 1e-6  # the place of a smooth minimum is known less well than its value


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
