"""Sharpness: at the contact the gap is zero and grows with the learning rate, so that no larger one will do."""

from collections.abc import Iterator

import sympy as sp
from sympy.core.relational import Relational

from gaptron.obligations.claims import Obligation, Sequent, class_conditions
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.gap import LABEL, Case, cases, s, t
from gaptron.obligations.guesses import seems_tight, seems_to_hold
from gaptron.obligations.pieces import NOWHERE, Region, put
from gaptron.symbols import K, m, z
from gaptron.theory.losses import BinaryLoss
from gaptron.theory.theorem import Contact, Theorem

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
    found = cases(theorem, rate, Coverage())
    for case in (c for c in found if c.kind == side and _matches(theorem, contact, c.region)):
        here = tuple(put(relation, where) for relation in case.region if LABEL not in relation.free_symbols)
        beside = _beside(theorem, case, where)
        if seems_to_hold((*here, *beside), theorem):
            claims = _claims(theorem, here, case.gap.subs(where), eta)
            one_sided = (Sequent(class_conditions(theorem), relation, refutes=False) for relation in beside)
            yield Obligation("learning rate/sharp", statement, (*claims, *one_sided))
            return
    yield Obligation("learning rate/sharp", statement, (), "no case of the gap has the contact for every K claimed")


def _values(theorem: Theorem, contact: Contact) -> dict[sp.Symbol, sp.Expr]:
    if isinstance(theorem.loss, BinaryLoss):
        return {z: contact.top_margin, K: sp.Integer(2)}
    return {m: contact.margin} if contact.right else {s: contact.top_margin, t: -contact.margin}


def _matches(theorem: Theorem, contact: Contact, region: Region) -> bool:
    """With one weight vector the contact has z >= 0: label +1 if it is right, -1 if it is wrong."""
    if not isinstance(theorem.loss, BinaryLoss):
        return True
    return sp.Eq(LABEL, 1 if contact.right else -1, evaluate=False) in region and (z >= 0) in region


def _beside(theorem: Theorem, case: Case, where: dict[sp.Symbol, sp.Expr]) -> Region:
    """What makes the piece's slope a one-sided derivative of the loss: on one side of the contact the piece holds.

    A condition holds strictly there, or it is tight and its slope leads into the piece, on the same side for all.
    """
    variable = z if isinstance(theorem.loss, BinaryLoss) else m if case.kind == "right" else t
    sides: dict[int, list[Relational]] = {1: [], -1: []}
    for relation in case.beside:
        if variable not in relation.free_symbols:
            continue
        inside = relation.lhs - relation.rhs
        inside = -inside if isinstance(relation, (sp.Le, sp.Lt)) else inside
        there = put(sp.Gt(inside, 0, evaluate=False), where)
        for side, found in sides.items():
            inward = put(sp.Gt(side * sp.diff(inside, variable), 0, evaluate=False), where)
            found.append(NOWHERE if isinstance(relation, sp.Eq) else inward if seems_tight(there) else there)
    return tuple(min(sides.values(), key=lambda relations: sum(r.doit() == sp.false for r in relations)))


def _claims(theorem: Theorem, here: Region, gap: sp.Expr, eta: sp.Expr) -> tuple[Sequent, ...]:
    given = class_conditions(theorem)
    larger = gap.subs(rate, eta * (1 + MILLIONTH))
    conclusions = (
        *here,
        sp.Eq(gap.subs(rate, eta), 0, evaluate=False),
        sp.Gt(larger, 0, evaluate=False),
        sp.Gt(sp.diff(gap, rate), 0, evaluate=False),
    )
    claims = [Sequent(given, conclusion) for conclusion in dict.fromkeys(conclusions) if conclusion not in given]
    contact = theorem.sharp_at
    if contact is not None and not contact.right and theorem.claims(2):  # two classes have one margin
        claims.append(Sequent((), put(sp.Eq(contact.top_margin, -contact.margin, evaluate=False), {K: sp.Integer(2)})))
    return tuple(claims)
