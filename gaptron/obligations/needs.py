"""What the loss alone asks of a prediction: at h_k = loss_k - (eta/2) ||g_k||^2, label k needs probability 1 - h_k.

A randomized prediction exists at given scores if and only if the positive parts of 1 - h_k sum to at most 1. Here for
losses that top margins decide.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula, where
from gaptron.language.normal import NORMAL, put, slope
from gaptron.obligations.constraint import Constraint, Implied
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import put_all
from gaptron.obligations.reduction import Face, Need, Reduction
from gaptron.obligations.sequents import claims_more_than_two, class_conditions, is_algebraic

ONE: Expression = Fraction(1)
MINUS_S = formula("-s")
Weighted = tuple[Expression, Need]


class OfTopMargins(Reduction):
    """Losses that top margins decide."""

    def decoder_implications(self, eta: Expression, coverage: Coverage) -> Iterator[Implied]:
        """See ``Reduction``; with one variable less where an exp or log would have several."""
        dear = not all_algebraic(decoder_constraints(self, Coverage(coverage.guesses)))
        constraints = (tied_constraints if dear else decoder_constraints)(self, coverage)
        yield from (c.implied(n, eta) for n, c in enumerate(constraints, 1))

    def needs(
        self, coverage: Coverage, place: Expression, which: int = 0, weight: Expression = ONE
    ) -> tuple[Need, ...]:
        """What a label needs by a function of the loss, at a place that depends on s; ||g||^2 = 2 weight slope^2."""
        there, found = {self.variable: place}, list[Need]()
        for piece in self.smooth(coverage, which):
            region = (*put_all(piece.closed(self.variable), there), *where("s >= 0"))
            half = formula("weight*slope**2", weight=weight, slope=put(slope(piece.value, self.variable), there))
            if coverage.keeps((*self.domain(), *region)):
                found.append(Need(region, put(piece.value, there), half))
        return tuple(found)


def all_algebraic(constraints: Iterable[Constraint]) -> bool:
    """Whether no constraint has an exp or log of a variable."""
    return all(is_algebraic(part) for c in constraints for part in (c.fixed, c.slope))


def decoder_constraints(reduction: Reduction, coverage: Coverage) -> Iterator[Constraint]:
    """The positive parts of 1 - h_k sum to at most 1: every choice of labels that count needs at most 1.

    The top label, the runner-up at margin -s and, for K >= 3, others with margins -t <= -s. The sum is linear in the
    number of others that count, so that none or all K - 2 of them do.
    """
    for face in reduction.faces(coverage):
        for right, wrong in product((None, *face.right), (None, *face.wrong)):
            near = [(ONE, need) for need in (right, wrong) if need is not None]
            if near:
                yield from at_most_one(reduction, face, near, 2, coverage)
            if claims_more_than_two(reduction.theorem):
                for other in face.wrong:
                    yield from at_most_one(reduction, face, [*near, (formula("K - 2"), other.at("t"))], 3, coverage)


def tied_constraints(reduction: Reduction, coverage: Coverage) -> Iterator[Constraint]:
    """The same when the need of a wrong label falls with its margin, as the first constraints say.

    All wrong labels tied is then the worst case.
    """
    yield from falling(reduction, coverage)
    for face in reduction.faces(coverage):
        wrong = face.wrong[0]
        for right in (None, *face.right):
            near = [] if right is None else [(ONE, right)]
            yield from at_most_one(reduction, face, [*near, (formula("K - 1"), wrong)], 2, coverage)
            if right is not None:
                yield from at_most_one(reduction, face, near, 2, coverage)


def falling(reduction: Reduction, coverage: Coverage) -> Iterator[Constraint]:
    """d(1 - h)/ds <= 0 on wrong rounds; NotImplementedError if these have several pieces."""
    for face in reduction.faces(coverage):
        if len(face.wrong) > 1:
            raise NotImplementedError("this proof needs wrong rounds of one smooth piece")
        (wrong,) = face.wrong
        region = (*wrong.region, *class_conditions(reduction.theorem))
        yield Constraint("falls", region, formula("-slope", slope=slope(wrong.loss, "s")), slope(wrong.half, "s"))


def at_most_one(
    reduction: Reduction, face: Face, needs: Sequence[Weighted], at_least: int, coverage: Coverage
) -> Iterator[Constraint]:
    """Some labels, each with how many there are of it, need at most 1 together."""
    order = where("s >= 0", "t >= s") if at_least > 2 else ()
    region = (*(c for _, need in needs for c in need.region), *order, *class_conditions(reduction.theorem, at_least))
    if coverage.keeps(region):
        missing = [formula("weight*(1 - loss)", weight=weight, loss=need.loss) for weight, need in needs]
        halves = [NORMAL.product([weight, need.half], []) for weight, need in needs]
        fixed, half = (NORMAL.operation("+", parts) for parts in ([*missing, Fraction(-1)], halves))
        yield Constraint(face.name or "labels", tuple(dict.fromkeys(region)), fixed, half)
