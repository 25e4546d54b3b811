"""Sharpness: at the contact the gap is zero and grows with the learning rate, so that no larger one will do."""

from collections.abc import Iterator
from fractions import Fraction

from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula, relation
from gaptron.language.normal import put, slope
from gaptron.language.relations import Relation
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import NOWHERE, ZERO, Region, put_in
from gaptron.obligations.reduction import LABEL, TWO, Case, Reduction
from gaptron.obligations.sequents import Obligation, Sequent, class_conditions
from gaptron.obligations.setting import RATE
from gaptron.theory.for_classes import margins_of
from gaptron.theory.theorem import Theorem


def sharp_obligation(reduction: Reduction, eta: Expression, coverage: Coverage) -> Iterator[Obligation]:
    """For every K claimed: gap = 0 at the contact, > 0 there for (1 + 1e-6) eta, and d gap/d eta > 0.

    With one weight vector the contact has z >= 0: label +1 if it is right, -1 if it is wrong.
    """
    theorem, contact = reduction.theorem, reduction.theorem.sharp_at
    if contact is None:
        return
    side = "right" if contact.right else "wrong"
    statement = (
        f"at a {side} round with margin {contact.margin} and top margin {contact.top_margin} the gap is 0, "
        "and positive for (1 + 1e-6) eta and every larger one"
    )
    margin, top = margins_of(contact)
    where = {"m": margin, "s": top, "t": formula("-margin", margin=margin), "z": top}
    found = reduction.cases(RATE, Coverage(coverage.guesses))
    for case in (c for c in found if c.kind == side and c.label in (None, 1 if contact.right else -1)):
        here = tuple(put_in(given, where) for given in case.region if LABEL not in given.names)
        beside = _beside(case, where, coverage)
        if coverage.guesses.seems_to_hold((*here, *beside), theorem):
            claims = _claims(theorem, here, put(case.gap, where), eta)
            one_sided = (Sequent(class_conditions(theorem), then, refutes=False) for then in beside)
            yield Obligation("learning rate/sharp", statement, (*claims, *one_sided))
            return
    yield Obligation("learning rate/sharp", statement, (), "no case of the gap has the contact for every K claimed")


def _beside(case: Case, where: dict[str, Expression], coverage: Coverage) -> Region:
    """What makes the piece's slope a one-sided derivative of the loss: on one side of the contact the piece holds.

    A condition holds strictly there, or it is tight and its slope leads into the piece, on the same side for all.
    """
    sides: dict[int, list[Relation]] = {1: [], -1: []}
    for given in case.beside:
        if case.scalar not in given.names:
            continue
        inside = formula(
            "right - left" if given.sign in ("<=", "<") else "left - right", left=given.left, right=given.right
        )
        there = put_in(Relation(">", inside, ZERO), where)
        for side, found in sides.items():
            away = formula("side*slope", side=Fraction(side), slope=slope(inside, case.scalar))
            inward = put_in(Relation(">", away, ZERO), where)
            is_tight = coverage.guesses.seems_tight(there)
            found.append(NOWHERE if given.sign == "=" else inward if is_tight else there)
    return tuple(min(sides.values(), key=coverage.guesses.never_hold))


def _claims(theorem: Theorem, here: Region, gap: Expression, eta: Expression) -> tuple[Sequent, ...]:
    given = class_conditions(theorem)
    larger = formula("eta*(1 + 1/1000000)", eta=eta)
    conclusions = (
        *here,
        Relation("=", put(gap, {RATE: eta}), ZERO),
        Relation(">", put(gap, {RATE: larger}), ZERO),
        Relation(">", slope(gap, RATE), ZERO),
    )
    claims = [Sequent(given, conclusion) for conclusion in dict.fromkeys(conclusions) if conclusion not in given]
    contact = theorem.sharp_at
    if contact is not None and not contact.right and theorem.claims(2):  # two classes have one margin
        margin, top = margins_of(contact)
        claims.append(Sequent((), put_in(relation("top == -margin", top=top, margin=margin), {"K": TWO})))
    return tuple(claims)
