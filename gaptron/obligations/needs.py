"""What the loss alone asks of a prediction: at h_k = loss_k - (eta/2) ||g_k||^2, label k needs probability 1 - h_k.

A randomized prediction exists at given scores if and only if the positive parts of 1 - h_k sum to at most 1. A gap
map a exists at a top margin s if and only if every wrong round's lower bound K (1 - h) and 0 are at most every right
round's upper bound K h/(K - 1) and 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import sympy as sp

from gaptron.losses import BinaryLoss, MarginLoss, SoftmaxLoss
from gaptron.obligations.claims import claims_more_than_two, class_conditions
from gaptron.obligations.constraint import Constraint, Region
from gaptron.obligations.gap import s, t
from gaptron.obligations.loss import smooth_pieces
from gaptron.pieces import Piece, defined_pieces, is_empty
from gaptron.symbols import K, m, z
from gaptron.theorem import Theorem


@dataclass(frozen=True)
class Need:
    """One smooth piece of a label's loss and of (1/2) ||g||^2, in the top margin ``s``; 1 - h = 1 - loss + eta half."""

    region: Region
    loss: sp.Expr
    half: sp.Expr

    def at(self, variable: sp.Expr) -> "Need":
        """The same at another margin."""
        return Need(
            tuple(c.subs(s, variable) for c in self.region), self.loss.subs(s, variable), self.half.subs(s, variable)
        )


@dataclass(frozen=True)
class Face:
    """Scores with one top label: what it needs at top margin s, and what any other label with margin -s needs."""

    name: str
    right: tuple[Need, ...]
    wrong: tuple[Need, ...]


def faces(theorem: Theorem) -> tuple[Face, ...]:
    """One face for a margin loss; two for a binary loss, z >= 0 and z <= 0.

    Raises
    ------
    NotImplementedError
        For a softmax loss, whose labels' losses depend on all the scores (see ``softmax_needs``).
    """
    loss = theorem.loss
    if isinstance(loss, SoftmaxLoss):
        raise NotImplementedError("only margin and binary losses are reduced to top margins: this loss is softmax")
    if isinstance(loss, BinaryLoss):
        return tuple(
            Face(name, _needs(ours, z, sign * s, sp.Rational(1, 2)), _needs(theirs, z, sign * s, sp.Rational(1, 2)))
            for name, sign, ours, theirs in (
                ("z >= 0", 1, loss.plus, loss.minus),
                ("z <= 0", -1, loss.minus, loss.plus),
            )
        )
    return (Face("", tuple(_switched(loss)), _needs(loss.phi, m, -s, sp.S.One)),)


def _needs(expr: sp.Expr, variable: sp.Symbol, place: sp.Expr, weight: sp.Expr) -> tuple[Need, ...]:
    found = (_need(piece, variable, place, weight) for piece in smooth_pieces(expr))
    return tuple(need for need in found if not is_empty(need.region))


def _need(piece: Piece, variable: sp.Symbol, place: sp.Expr, weight: sp.Expr) -> Need:
    region = (*(c.subs(variable, place) for c in piece.closed()), s >= 0)
    slope = sp.diff(piece.value, variable).subs(variable, place)
    return Need(region, piece.value.subs(variable, place), weight * slope**2)


def _switched(loss: MarginLoss) -> Iterator[Need]:
    """Right rounds, whose loss and gradient vanish where ``off_above`` says so."""
    on = _needs(loss.phi, m, s, sp.S.One)
    if loss.off_above is None:
        yield from on
        return
    for beta in defined_pieces(loss.off_above):
        for need in on:
            switched = Need((*need.region, *beta.conditions, s <= beta.value), need.loss, need.half)
            if not is_empty(switched.region):
                yield switched
        yield Need((*beta.conditions, s > beta.value, s >= 0), sp.S.Zero, sp.S.Zero)


Weighted = tuple[sp.Expr, Need]


def decoder_constraints(theorem: Theorem) -> Iterator[Constraint]:
    """The positive parts of 1 - h_k sum to at most 1: every choice of labels that count needs at most 1.

    The top label, the runner-up at margin -s and, for K >= 3, others with margins -t <= -s. The sum is linear in the
    number of others that count, so that none or all K - 2 of them do.
    """
    for face in faces(theorem):
        for right, wrong in product((None, *face.right), (None, *face.wrong)):
            near = [(sp.S.One, need) for need in (right, wrong) if need is not None]
            if near:
                yield from _at_most_one(theorem, face, near, 2)
            if claims_more_than_two(theorem):
                for other in face.wrong:
                    yield from _at_most_one(theorem, face, [*near, (K - 2, other.at(t))], 3)


def tied_constraints(theorem: Theorem) -> Iterator[Constraint]:
    """The same when the need of a wrong label falls with its margin: all wrong labels tied is the worst case.

    The first constraints say that it falls: d(1 - h)/ds <= 0, on the one smooth piece of wrong rounds.

    Raises
    ------
    NotImplementedError
        If wrong rounds have several pieces.
    """
    yield from falling(theorem)
    for face in faces(theorem):
        wrong = face.wrong[0]
        for right in (None, *face.right):
            near = [] if right is None else [(sp.S.One, right)]
            yield from _at_most_one(theorem, face, [*near, (K - 1, wrong)], 2)
            if right is not None:
                yield from _at_most_one(theorem, face, near, 2)


def falling(theorem: Theorem) -> Iterator[Constraint]:
    """d(1 - h)/ds <= 0 on wrong rounds."""
    for face in faces(theorem):
        if len(face.wrong) > 1:
            raise NotImplementedError("this proof needs wrong rounds of one smooth piece")
        (wrong,) = face.wrong
        region = (*wrong.region, *class_conditions(theorem))
        yield Constraint("falls", region, -sp.diff(wrong.loss, s), sp.diff(wrong.half, s))


def _at_most_one(theorem: Theorem, face: Face, needs: list[Weighted], at_least: int) -> Iterator[Constraint]:
    order = (s >= 0, t >= s) if at_least > 2 else ()
    region = (*(c for _, need in needs for c in need.region), *order, *class_conditions(theorem, at_least))
    if not is_empty(region):
        fixed = sum(weight * (1 - need.loss) for weight, need in needs) - 1
        slope = sum(weight * need.half for weight, need in needs)
        yield Constraint(face.name or "labels", tuple(dict.fromkeys(region)), fixed, slope)


def map_constraints(theorem: Theorem, tied: bool = False) -> Iterator[Constraint]:
    """At every top margin, every lower bound on a is at most every upper one.

    If ``tied``, the need of a wrong label falls with its margin, so that t = s is the worst: this is among them.
    """
    if tied:
        yield from falling(theorem)
    every = faces(theorem)
    rights, wrongs = ([need for face in every for need in getattr(face, side)] for side in ("right", "wrong"))
    conditions = class_conditions(theorem)
    for need in rights:
        yield Constraint("right", (*need.region, *conditions), -need.loss, need.half)
    for need in wrongs:
        yield Constraint("wrong", (*need.region, *conditions), 1 - need.loss - 1 / K, need.half)
    for right, wrong in product(rights, wrongs):
        if tied:
            yield from _between(right, wrong, conditions, K)
            continue
        if theorem.claims(2):
            yield from _between(right, wrong, conditions=(), n_classes=sp.Integer(2))
        if claims_more_than_two(theorem):
            yield from _between(right, wrong.at(t), (t >= s, *class_conditions(theorem, 3)), K)


def _between(right: Need, wrong: Need, conditions: Region, n_classes: sp.Expr) -> Iterator[Constraint]:
    region = tuple(c.subs(K, n_classes) for c in (*right.region, *wrong.region)) + conditions
    right_loss, right_half, wrong_loss, wrong_half = (
        part.subs(K, n_classes) for part in (right.loss, right.half, wrong.loss, wrong.half)
    )
    if not is_empty(region):
        fixed = 1 - wrong_loss - right_loss / (n_classes - 1)
        slope = wrong_half + right_half / (n_classes - 1)
        yield Constraint("right and wrong", tuple(dict.fromkeys(region)), fixed, slope)
