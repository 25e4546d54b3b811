"""Losses of the margin: m = m* >= 0 on right rounds, -t <= 0 beside the top margin s on wrong ones, ||g||^2 = 2 phi'^2.

Every subgradient of the margin is a convex combination of e_y - e_k over the rivals k, its norm largest at a vertex,
and phi' lies between its one-sided limits: closed pieces cover every subgradient.
"""

from collections.abc import Iterator

from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula, where
from gaptron.language.normal import put
from gaptron.obligations.constraint import Constraint, of_criterion
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.mixture import MixtureCase, mixtures
from gaptron.obligations.needs import MINUS_S, OfTopMargins
from gaptron.obligations.pieces import ZERO, Piece, Region, put_all
from gaptron.obligations.reduction import Case, Face, Need

MINUS_T = formula("-t")


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
