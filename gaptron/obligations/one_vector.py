"""Binary losses, of one weight vector: z >= 0 predicts +1, z < 0 predicts -1; m* = abs(z), ||g||^2 = loss'(z)^2."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula, relation
from gaptron.language.normal import alike, put, slope
from gaptron.language.relations import Relation
from gaptron.obligations.constraint import Constraint, of_criterion
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.margin_losses import MINUS_S, OfTopMargins
from gaptron.obligations.mixture import mixtures
from gaptron.obligations.pieces import Region, put_all
from gaptron.obligations.reduction import LABEL, TWO, Case, Face, Need
from gaptron.obligations.sequents import Sequent, at_most_zero

HALF = Fraction(1, 2)
PLUS, MINUS = {"z": "z_plus"}, {"z": "z_minus"}
SIDES = (1, relation("z >= 0"), "z"), (-1, relation("z < 0"), formula("-z"))


class OneVectorReduction(OfTopMargins):
    """plus(z) for the label +1, minus(z) for -1."""

    variable = "z"

    def domain(self, at_least: int = 2) -> Region:
        """Any z; there is no K."""
        return ()

    def cases(self, eta: Expression, coverage: Coverage) -> Iterator[Case]:
        """Label +1 first, then -1."""
        for which, label in enumerate((1, -1)):
            for predicted, domain, top in SIDES:
                for mix in mixtures(self.theorem, self.tops, coverage):
                    for piece in self.smooth(coverage, which):
                        two = {"K": TWO, "m": top}
                        region = (*put_all(mix.conditions, two), *piece.closed("z"), domain)
                        risk = put(mix.right if predicted == label else mix.wrong, two)
                        known = {"loss": piece.value, "eta": put(eta, {"K": TWO}), "slope": slope(piece.value, "z")}
                        gap = formula("risk - loss + eta/2*slope**2", risk=risk, **known)
                        kind = "right" if predicted == label else "wrong"
                        labelled = (Relation("=", LABEL, Fraction(label)), *region)
                        claim = Sequent(region, at_most_zero(gap))
                        yield Case(kind, labelled, gap, (claim,), "z", piece.conditions, label)

    def faces(self, coverage: Coverage) -> tuple[Face, ...]:
        """z >= 0 and z <= 0."""

        def needs(place: Expression, which: int) -> tuple[Need, ...]:
            return self.needs(coverage, place, which, HALF)

        plus, minus = (needs("s", 0), needs("s", 1)), (needs(MINUS_S, 1), needs(MINUS_S, 0))
        return Face("z >= 0", *plus), Face("z <= 0", *minus)

    def criterion(self, coverage: Coverage) -> Iterator[Constraint]:
        """In the scores z_plus and z_minus when +1 and -1 is drawn.

        Where the labels are alike, so are their scores but for the sign: by convexity.
        """
        plus, minus = self.functions
        if alike(minus, put(plus, {"z": formula("-z")})):
            for piece in self.smooth(coverage):
                yield of_criterion("both labels alike", piece.closed("z"), piece.value, HALF, formula("z**2"))
            return
        for first, second in product(self.smooth(coverage), self.smooth(coverage, 1)):
            region = (*put_all(first.closed("z"), PLUS), *put_all(second.closed("z"), MINUS))
            expected = formula("(one + other)/2", one=put(first.value, PLUS), other=put(second.value, MINUS))
            yield of_criterion("both labels", region, expected, HALF, formula("(z_plus - z_minus)**2/4"))
