"""What the loss alone asks of a prediction: at h_k = loss_k - (eta/2) ||g_k||^2, label k needs probability 1 - h_k.

A randomized prediction exists at given scores if and only if the positive parts of 1 - h_k sum to at most 1.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product

from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula, where
from gaptron.language.normal import NORMAL, put, slope
from gaptron.obligations.all_scores import NOT_DECIDED
from gaptron.obligations.constraint import Constraint
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import Piece, Region, put_all
from gaptron.obligations.sequents import claims_more_than_two, class_conditions
from gaptron.theory.for_classes import data_of, functions_of
from gaptron.theory.losses import BinaryLoss, MarginLoss, SoftmaxLoss
from gaptron.theory.theorem import Theorem

ZERO = Fraction(0)
ONE: Expression = Fraction(1)
MINUS_S = formula("-s")


@dataclass(frozen=True)
class Need:
    """One smooth piece of a label's loss and of (1/2) ||g||^2, in the top margin ``s``; 1 - h = 1 - loss + eta half."""

    region: Region
    loss: Expression
    half: Expression

    def at(self, margin: Expression) -> "Need":
        """The same at another margin."""
        there = {"s": margin}
        return Need(put_all(self.region, there), put(self.loss, there), put(self.half, there))


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
        needs = partial(_needs, domain=(), coverage=coverage, variable="z", weight=Fraction(1, 2))
        (_, plus, _), (_, minus, _) = functions_of(loss)
        return (
            Face("z >= 0", needs(plus, place="s"), needs(minus, place="s")),
            Face("z <= 0", needs(minus, place=MINUS_S), needs(plus, place=MINUS_S)),
        )
    if not isinstance(loss, MarginLoss):
        raise NotImplementedError(NOT_DECIDED)
    classes, phi = class_conditions(theorem), data_of(theorem)["loss"]
    needs = partial(_needs, phi, domain=classes, coverage=coverage, variable="m", weight=ONE)
    return (Face("", tuple(_switched(theorem, needs(place="s"), coverage, classes)), needs(place=MINUS_S)),)


def _needs(
    value: Expression, domain: Region, coverage: Coverage, variable: str, place: Expression, weight: Expression
) -> tuple[Need, ...]:
    found = (need_of(piece, variable, place, weight) for piece in coverage.smooth(value, variable, domain))
    return tuple(need for need in found if coverage.keeps((*domain, *need.region)))


def need_of(piece: Piece, variable: str, place: Expression, weight: Expression) -> Need:
    """What a label needs where its loss has that smooth piece, at a place that depends on s."""
    there = {variable: place}
    region = (*put_all(piece.closed(variable), there), *where("s >= 0"))
    half = formula("weight*slope**2", weight=weight, slope=put(slope(piece.value, variable), there))
    return Need(region, put(piece.value, there), half)


def _switched(theorem: Theorem, on: tuple[Need, ...], coverage: Coverage, classes: Region) -> Iterator[Need]:
    """Right rounds, whose loss and gradient vanish where ``off_above`` says so."""
    off_above = data_of(theorem).get("off_above")
    if off_above is None:
        yield from on
        return
    for beta in coverage.pieces(off_above, classes):
        below, above = where("s <= beta", "s > beta", beta=beta.value)
        for need in on:
            region = (*need.region, *beta.conditions, below)
            if coverage.keeps((*classes, *region)):
                yield Need(region, need.loss, need.half)
        yield Need((*beta.conditions, above, *where("s >= 0")), ZERO, ZERO)


Weighted = tuple[Expression, Need]


def decoder_constraints(theorem: Theorem, coverage: Coverage) -> Iterator[Constraint]:
    """The positive parts of 1 - h_k sum to at most 1: every choice of labels that count needs at most 1.

    The top label, the runner-up at margin -s and, for K >= 3, others with margins -t <= -s. The sum is linear in the
    number of others that count, so that none or all K - 2 of them do.
    """
    for face in faces(theorem, coverage):
        for right, wrong in product((None, *face.right), (None, *face.wrong)):
            near = [(ONE, need) for need in (right, wrong) if need is not None]
            if near:
                yield from at_most_one(theorem, face, near, 2, coverage)
            if claims_more_than_two(theorem):
                for other in face.wrong:
                    yield from at_most_one(theorem, face, [*near, (formula("K - 2"), other.at("t"))], 3, coverage)


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
            near = [] if right is None else [(ONE, right)]
            yield from at_most_one(theorem, face, [*near, (formula("K - 1"), wrong)], 2, coverage)
            if right is not None:
                yield from at_most_one(theorem, face, near, 2, coverage)


def falling(theorem: Theorem, coverage: Coverage) -> Iterator[Constraint]:
    """d(1 - h)/ds <= 0 on wrong rounds."""
    for face in faces(theorem, coverage):
        if len(face.wrong) > 1:
            raise NotImplementedError("this proof needs wrong rounds of one smooth piece")
        (wrong,) = face.wrong
        region = (*wrong.region, *class_conditions(theorem))
        yield Constraint("falls", region, formula("-slope", slope=slope(wrong.loss, "s")), slope(wrong.half, "s"))


def at_most_one(
    theorem: Theorem, face: Face, needs: Sequence[Weighted], at_least: int, coverage: Coverage
) -> Iterator[Constraint]:
    """Some labels, each with how many there are of it, need at most 1 together."""
    order = where("s >= 0", "t >= s") if at_least > 2 else ()
    region = (*(c for _, need in needs for c in need.region), *order, *class_conditions(theorem, at_least))
    if coverage.keeps(region):
        missing = [formula("weight*(1 - loss)", weight=weight, loss=need.loss) for weight, need in needs]
        halves = [NORMAL.product([weight, need.half], []) for weight, need in needs]
        fixed, half = (NORMAL.operation("+", parts) for parts in ([*missing, Fraction(-1)], halves))
        yield Constraint(face.name or "labels", tuple(dict.fromkeys(region)), fixed, half)
