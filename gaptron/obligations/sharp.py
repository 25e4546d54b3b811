"""Sharpness: at the contact the gap is zero and grows with the learning rate, so that no larger one will do."""

from collections.abc import Iterator

import sympy as sp

from gaptron.losses import BinaryLoss
from gaptron.obligations.claims import Claim, Obligation, class_conditions
from gaptron.obligations.gap import LABEL, Region, cases, s, t
from gaptron.pieces import is_empty
from gaptron.symbols import K, Parameter, m, z
from gaptron.theorem import Contact, Theorem

rate = sp.Symbol("eta", positive=True)
MILLIONTH = sp.Rational(1, 10**6)


def sharp_obligation(theorem: Theorem, eta: sp.Expr) -> Iterator[Obligation]:
    """For every K claimed: gap = 0 at the contact, > 0 there for (1 + 1e-6) eta, and d gap/d eta > 0."""
    contact = theorem.sharp_at
    if contact is None:
        return
    side = "right" if contact.right else "wrong"
    statement = (
        f"at a {side} round with margin {contact.margin} and top margin {contact.top_margin} the gap is 0, "
        "and positive for (1 + 1e-6) eta and every larger one"
    )
    where = _values(theorem, contact)
    for kind, region, gap, _ in cases(theorem, rate):
        here = tuple(relation.subs(where) for relation in region if LABEL not in relation.free_symbols)
        if kind == side and _matches(theorem, contact, region) and not is_empty(here):
            claims = _claims(theorem, here, gap.subs(where), eta)
            if all(_holds_in_samples(theorem, relation) for relation in here):
                yield Obligation("learning rate/sharp", statement, claims)
                return
    reason = "no case of the gap contains the contact for every K claimed"
    yield Obligation("learning rate/sharp", statement, (), reason)


def _values(theorem: Theorem, contact: Contact) -> dict[sp.Symbol, sp.Expr]:
    if isinstance(theorem.loss, BinaryLoss):
        return {z: contact.top_margin, K: sp.Integer(2)}
    return {m: contact.margin} if contact.right else {s: contact.top_margin, t: -contact.margin}


def _matches(theorem: Theorem, contact: Contact, region: Region) -> bool:
    """With one weight vector the contact has z >= 0: label +1 if it is right, -1 if it is wrong."""
    if not isinstance(theorem.loss, BinaryLoss):
        return True
    return sp.Eq(LABEL, 1 if contact.right else -1, evaluate=False) in region and (z >= 0) in region


def _holds_in_samples(theorem: Theorem, relation: sp.Basic) -> bool:
    """Whether a relation in K and the parameters holds for some of their values: a choice of case, not a proof."""
    last = theorem.last_class_count or theorem.first_class_count + 9
    for n_classes in (theorem.first_class_count, last):
        for place in (0, sp.Rational(1, 3), 1):
            values = {q: _between(q, place) for q in theorem.parameters} | {K: n_classes}
            if relation.subs(values) != sp.true:
                return False
    return True


def _between(parameter: Parameter, place: sp.Rational) -> sp.Rational:
    low = parameter.low if parameter.low is not None else (parameter.high or 0) - 1
    high = parameter.high if parameter.high is not None else low + 1
    return low + place * (high - low)


def _claims(theorem: Theorem, here: Region, gap: sp.Expr, eta: sp.Expr) -> tuple[Claim, ...]:
    given = class_conditions(theorem)
    larger = gap.subs(rate, eta * (1 + MILLIONTH))
    conclusions = (
        *(relation for relation in here if relation != sp.true),
        sp.Eq(gap.subs(rate, eta), 0, evaluate=False),
        sp.Gt(larger, 0, evaluate=False),
        sp.Gt(sp.diff(gap, rate), 0, evaluate=False),
    )
    return tuple(Claim(given, conclusion) for conclusion in conclusions)
