"""Losses that top margins decide: what they ask of a prediction, and those of the margin of the true label.

At h_k = loss_k - (eta/2) ||g_k||^2 label k needs probability 1 - h_k. A randomized prediction exists at given scores if
and only if the positive parts of 1 - h_k sum to at most 1.

For a loss of the margin m = m* >= 0 on right rounds, -t <= 0 beside the top margin s on wrong ones, ||g||^2 = 2 phi'^2.
Every subgradient of the margin is a convex combination of e_y - e_k over the rivals k, its norm largest at a vertex,
and phi' lies between its one-sided limits: closed pieces cover every subgradient.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula, where
from gaptron.language.normal import NORMAL, put, slope
from gaptron.obligations.constraint import Constraint, Implied, of_criterion
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.mixture import MixtureCase, mixtures
from gaptron.obligations.pieces import ZERO, Piece, Region, put_all
from gaptron.obligations.reduction import Case, Face, Need, Reduction
from gaptron.obligations.sequents import claims_more_than_two, class_conditions, is_algebraic

ONE: Expression = Fraction(1)
MINUS_S, MINUS_T = formula("-s"), formula("-t")
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


class MarginReduction(OfTopMargins):
    """phi in the margin m of the true label."""

    thresholds = ("off_above",)
    why_falling = "the margin is concave in W"

    def switch(self, top: str, coverage: Coverage) -> Iterator[tuple[Region, Region]]:
        """Where a right round counts, and where ``off_above`` makes its loss vanish (never, without it)."""
        off_above = self.data.get("off_above")
        if off_above is None:
            yield (), ()
            return
        for beta in coverage.pieces(off_above, self.domain()):
            on, off = where("top <= beta", "top > beta", top=top, beta=beta.value)
            yield (*beta.conditions, on), (*beta.conditions, off)

    def cases(self, eta: Expression, coverage: Coverage) -> Iterator[Case]:
        """Right: m = m* >= 0. Wrong: t = -m(W, y) >= s = m*, with t = s if K = 2."""
        smooth = self.smooth(coverage)
        for mix in mixtures(self.theorem, self.tops, coverage):
            for on, off in self.switch("m", coverage):
                for phi in smooth:
                    squares = self.squares(phi.value, mix.right_weight)
                    gap = formula("right - phi + eta*squares", right=mix.right, phi=phi.value, eta=eta, squares=squares)
                    yield self.right((*mix.conditions, *phi.closed("m"), *self.tops, *on), gap, phi.conditions)
                if off:
                    yield self.right((*mix.conditions, *self.tops, *off), mix.right)
            yield from (self._wrong(mix, phi, eta) for phi in smooth)

    def _wrong(self, mix: MixtureCase, phi: Piece, eta: Expression) -> Case:
        top, behind = {"m": "s"}, {"m": MINUS_T}
        squares = put(self.squares(phi.value, put(mix.wrong_weight, top)), behind)
        known = {"wrong": put(mix.wrong, top), "phi": put(phi.value, behind), "eta": eta, "squares": squares}
        gap = formula("wrong - phi + eta*squares", **known)
        region = (*put_all(mix.conditions, top), *put_all(phi.closed("m"), behind), *where("s >= 0", "t >= 0"))
        return self.wrong(region, gap, "t", {"s": "t"}, where("s <= t"), put_all(phi.conditions, behind))

    def faces(self, coverage: Coverage) -> tuple[Face, ...]:
        """One, whichever label is on top."""
        return (Face("", tuple(self._on_top(coverage)), self.needs(coverage, MINUS_S)),)

    def _on_top(self, coverage: Coverage) -> Iterator[Need]:
        """What the top label needs: nothing where its loss and gradient vanish."""
        needs = self.needs(coverage, "s")
        for on, off in self.switch("s", coverage):
            for need in needs:
                region = (*need.region, *on)
                if not off or coverage.keeps((*self.domain(), *region)):
                    yield Need(region, need.loss, need.half)
            if off:
                yield Need((*off, *where("s >= 0")), ZERO, ZERO)

    def criterion(self, coverage: Coverage) -> Iterator[Constraint]:
        """All labels alike."""
        share = formula("(K - 1)/K")
        for piece in self.smooth(coverage):
            region = (*piece.closed("m"), *self.domain())
            yield of_criterion("all labels alike", region, piece.value, share, formula("share*m**2", share=share))


# --- decoders: what all labels need together ----------------------------------------------------------------------


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
