"""What the loss alone asks of a prediction: at h_k = loss_k - (eta/2) ||g_k||^2, label k needs probability 1 - h_k.

A randomized prediction exists at given scores if and only if the positive parts of 1 - h_k sum to at most 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

import sympy as sp

from gaptron.obligations.all_scores import NOT_DECIDED
from gaptron.obligations.claims import claims_more_than_two, class_conditions
from gaptron.obligations.constraint import Constraint
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.gap import s, t
from gaptron.obligations.pieces import Piece, Region, put_all
from gaptron.symbols import K, m, z
from gaptron.theory.losses import BinaryLoss, MarginLoss, SoftmaxLoss
from gaptron.theory.theorem import Theorem


@dataclass(frozen=True)
class Need:
    """One smooth piece of a label's loss and of (1/2) ||g||^2, in the top margin ``s``; 1 - h = 1 - loss + eta half."""

    region: Region
    loss: sp.Expr
    half: sp.Expr

    def at(self, variable: sp.Expr) -> "Need":
        """The same at another margin."""
        return Need(put_all(self.region, {s: variable}), self.loss.subs(s, variable), self.half.subs(s, variable))


@dataclass(frozen=True)
class Face:
    """Scores with one top label: what it needs at top margin s, and what any other label with margin -s needs."""

    name: str
    right: tuple[Need, ...]
    wrong: tuple[Need, ...]


def faces(theorem: Theorem, coverage: Coverage) -> tuple[Face, ...]:
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
        needs = partial(_needs, domain=(), coverage=coverage, variable=z, weight=sp.Rational(1, 2))
        return (
            Face("z >= 0", needs(loss.plus, place=s), needs(loss.minus, place=s)),
            Face("z <= 0", needs(loss.minus, place=-s), needs(loss.plus, place=-s)),
        )
    if not isinstance(loss, MarginLoss):
        raise NotImplementedError(NOT_DECIDED)
    needs = partial(_needs, loss.phi, domain=class_conditions(theorem), coverage=coverage, variable=m, weight=sp.S.One)
    return (Face("", tuple(_switched(loss, needs(place=s), coverage, class_conditions(theorem))), needs(place=-s)),)


def _needs(
    expr: sp.Expr, domain: Region, coverage: Coverage, variable: sp.Symbol, place: sp.Expr, weight: sp.Expr
) -> tuple[Need, ...]:
    found = (need_of(piece, variable, place, weight) for piece in coverage.smooth(expr, variable, domain))
    return tuple(need for need in found if coverage.keeps((*domain, *need.region)))


def need_of(piece: Piece, variable: sp.Symbol, place: sp.Expr, weight: sp.Expr) -> Need:
    """What a label needs where its loss has that smooth piece, at a place that depends on s."""
    region = (*put_all(piece.closed(variable), {variable: place}), sp.Ge(s, 0, evaluate=False))
    slope = sp.diff(piece.value, variable).subs(variable, place)
    return Need(region, piece.value.subs(variable, place), weight * slope**2)


def _switched(loss: MarginLoss, on: tuple[Need, ...], coverage: Coverage, classes: Region) -> Iterator[Need]:
    """Right rounds, whose loss and gradient vanish where ``off_above`` says so."""
    if loss.off_above is None:
        yield from on
        return
    for beta in coverage.pieces(loss.off_above, classes):
        below, above = (kind(s, beta.value, evaluate=False) for kind in (sp.Le, sp.Gt))
        for need in on:
            region = (*need.region, *beta.conditions, below)
            if coverage.keeps((*classes, *region)):
                yield Need(region, need.loss, need.half)
        yield Need((*beta.conditions, above, sp.Ge(s, 0, evaluate=False)), sp.S.Zero, sp.S.Zero)


Weighted = tuple[sp.Expr, Need]


def decoder_constraints(theorem: Theorem, coverage: Coverage) -> Iterator[Constraint]:
    """The positive parts of 1 - h_k sum to at most 1: every choice of labels that count needs at most 1.

    The top label, the runner-up at margin -s and, for K >= 3, others with margins -t <= -s. The sum is linear in the
    number of others that count, so that none or all K - 2 of them do.
    """
    for face in faces(theorem, coverage):
        for right, wrong in product((None, *face.right), (None, *face.wrong)):
            near = [(sp.S.One, need) for need in (right, wrong) if need is not None]
            if near:
                yield from at_most_one(theorem, face, near, 2, coverage)
            if claims_more_than_two(theorem):
                for other in face.wrong:
                    yield from at_most_one(theorem, face, [*near, (K - 2, other.at(t))], 3, coverage)


def tied_constraints(theorem: Theorem, coverage: Coverage) -> Iterator[Constraint]:
    """The same when the need of a wrong label falls with its margin: all wrong labels tied is the worst case.

    The first constraints say that it falls: d(1 - h)/ds <= 0, on the one smooth piece of wrong rounds.

    Raises
    ------
    NotImplementedError
        If wrong rounds have several pieces.
    """
    yield from falling(theorem, coverage)
    for face in faces(theorem, coverage):
        wrong = face.wrong[0]
        for right in (None, *face.right):
            near = [] if right is None else [(sp.S.One, right)]
            yield from at_most_one(theorem, face, [*near, (K - 1, wrong)], 2, coverage)
            if right is not None:
                yield from at_most_one(theorem, face, near, 2, coverage)


def falling(theorem: Theorem, coverage: Coverage) -> Iterator[Constraint]:
    """d(1 - h)/ds <= 0 on wrong rounds."""
    for face in faces(theorem, coverage):
        if len(face.wrong) > 1:
            raise NotImplementedError("this proof needs wrong rounds of one smooth piece")
        (wrong,) = face.wrong
        region = (*wrong.region, *class_conditions(theorem))
        yield Constraint("falls", region, -sp.diff(wrong.loss, s), sp.diff(wrong.half, s))


def at_most_one(
    theorem: Theorem, face: Face, needs: list[Weighted], at_least: int, coverage: Coverage
) -> Iterator[Constraint]:
    """Some labels, each with how many there are of it, need at most 1 together."""
    order = (s >= 0, t >= s) if at_least > 2 else ()
    region = (*(c for _, need in needs for c in need.region), *order, *class_conditions(theorem, at_least))
    if coverage.keeps(region):
        fixed = sum(weight * (1 - need.loss) for weight, need in needs) - 1
        slope = sum(weight * need.half for weight, need in needs)
        yield Constraint(face.name or "labels", tuple(dict.fromkeys(region)), fixed, slope)
