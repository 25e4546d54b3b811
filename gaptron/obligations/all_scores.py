"""When some algorithm attains c for a loss of all scores: two scalars, and how many labels are alike.

The criterion of ``obligations.attained`` says that for every set S of n >= 2 labels sum_{y in S} e_y(theta) >= n - 1 at
all theta. The sum is convex in theta and unchanged when labels of S, or those outside, are exchanged, so that it is
least where the scores on S are equal, and those outside are too. From there the step puts the label at A and its n - 1
rivals in S at B, and moves nothing outside, as the scores outside are free; their common level is free too, so that the
step costs c times the least spread of A and B, (n - 1)/n (A - B)^2. What has to hold is, for 2 <= n <= K and all A, B,

    loss(A; B repeated n - 1 times) + (K - n) a + c (n - 1)/n (A - B)^2 >= (n - 1)/n,

where a is the infimum of what a label outside adds (proved in Coq: ``OptimalAllScores.v``). Times n/(n - 1), with a = 0
and rivals that cost r each, the label itself q, it is q n/(n - 1) + n r + c (A - B)^2 >= 1. Where q = 0, as for every
pairwise loss, n = 2 is the hardest; where r = 0 the largest n is, and q + c (A - B)^2 >= 1 says it for all of them. A
number a above 0 comes with the claim that the function is nowhere below it; with a = 0 that is ``loss/nonnegative``.

Where other(z) = own(-z), own >= 1 for z <= 0 and the root of own is convex for z >= 0, opposite scores are the hardest
for every n at once (proved in Coq): with e = 1 - c (A - B)^2 nothing is left to pay where q >= 1 or r >= 1; elsewhere
e <= (root q + root r)^2 makes n q + n (n - 1) r - (n - 1) e at least (root q - (n - 1) root r)^2, and the roots of
own(A) and own(-B) add up to at least twice that at (A - B)/2. So 4 own(u) + 4 c u^2 >= 1 for u >= 0 is enough, and two
labels at u and -u need it.

With gradient steps nothing is proved: what is necessary where all rivals have one score is claimed, so that a round
that breaks it is found, and the rest is left open.
"""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from gaptron.language.expressions import Expression, variables
from gaptron.language.formulas import formula, relation, where
from gaptron.language.normal import alike, put, slope
from gaptron.language.relations import Relation
from gaptron.obligations.constraint import Constraint
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import ZERO, Piece, Region, put_all
from gaptron.obligations.reduction import NOT_DECIDED, Reduction
from gaptron.obligations.sequents import Obligation, Sequent

MANY = "any number of labels alike"
OPPOSITE = "two labels alike, at opposite scores"
HARDEST = "opposite scores are the hardest: other(z) = own(-z), own >= 1 for z <= 0, its root is convex for z >= 0"
MOST_LISTED = 12  # numbers of labels that are put in one by one, if no more are claimed


@dataclass(frozen=True)
class TwoScores:
    """What the label itself (at s = A) and each rival (at t = B) cost, where, by how much it is ahead, and ||g||^2."""

    mine: Expression
    rival: Expression
    region: Region
    ahead: Expression
    squares: Expression


class AllScoresReduction(Reduction):
    """Losses of all scores; the last of their functions is what a label outside adds."""

    @abstractmethod
    def costs(self, coverage: Coverage) -> Iterator[TwoScores]:
        """Of a label and its rivals, piece by piece."""

    def criterion(self, coverage: Coverage) -> Iterator[Constraint]:
        """Times n, or times n/(n - 1), for all n labels that may be alike."""
        return self.of_numbers(self.theorem.last_class_count, coverage)

    def searched(self, coverage: Coverage) -> Iterator[Constraint]:
        """For few n, one by one."""
        return self.of_numbers(MOST_LISTED, coverage)

    def of_numbers(self, last: int | None, coverage: Coverage) -> Iterator[Constraint]:
        """The criterion for the numbers n of labels up to the last, or for all of them."""
        least = self.least(coverage)
        for case in self.costs(coverage):
            region = (*case.region, *self.domain())
            if last is None and least == 0 and case.rival == 0 != case.mine:
                missing = formula("2*(1 - q)", q=case.mine)
                yield Constraint(MANY, region, formula("-ahead**2", ahead=case.ahead), missing)
                continue
            for n, counted in _numbers(last, least == 0 and case.mine == 0):
                known = {"k": n, "q": case.mine, "r": case.rival, "least": least, "ahead": case.ahead}
                missing = formula("2*(k - 1 - k*(q + (k - 1)*r + (K - k)*least))", **known)
                variance = formula("-(k - 1)*ahead**2", **known)
                yield Constraint(f"{n} labels alike", (*region, *counted), variance, missing)

    def least(self, coverage: Coverage) -> Expression:
        """The infimum of what a label outside adds, or 0; what is claimed of it is noted."""
        found = ((piece.conditions, piece.value) for piece in self.smooth(coverage, -1))
        least = coverage.guesses.infimum(found, self.variable)
        if least != 0:
            for piece in coverage.pieces(self.functions[-1], self.domain()):
                coverage.note(Sequent((*self.domain(), *piece.conditions), Relation(">=", piece.value, least)))
        return least

    def undecided(self, eta: Expression, coverage: Coverage) -> Iterator[Obligation]:
        """What is necessary where all rivals have one score, and that nothing is proved of the other scores."""
        classes, numbers = self.domain(), {"right": 0, "wrong": 0, "decoder": 0}
        for rate in coverage.pieces(eta, classes):
            for case in self.costs(coverage):
                known = {"mine": case.mine, "rival": case.rival, "eta": rate.value, "squares": case.squares}
                allowed = formula("mine + (K - 1)*rival - eta/2*squares", **known)
                for kind, region, wrong in self._predictions(case.ahead, coverage):
                    given = (*classes, *rate.conditions, *case.region, *region)
                    if coverage.keeps(given):
                        numbers[kind] += 1
                        name = f"decoder/{numbers[kind]}" if kind == "decoder" else f"gap/{kind}/{numbers[kind]}"
                        claim = Sequent(given, relation("wrong - allowed <= 0", wrong=wrong, allowed=allowed))
                        statement = "the surrogate gap is at most 0 where the rivals have one score"
                        yield Obligation(name, statement, (claim,))
        yield Obligation("gap", "the surrogate gap is at most 0", (), NOT_DECIDED)

    def _predictions(self, ahead: Expression, coverage: Coverage) -> Iterator[tuple[str, Region, Expression]]:
        """P(wrong) where the label is ahead of its rivals, and behind; with the best decoder where all are equal."""
        if self.theorem.decoder == "best":
            yield "decoder", (Relation("=", ahead, ZERO),), formula("1 - 1/K")
            return
        classes, a = self.domain(), self.data["gap_map"]
        for piece in coverage.pieces(a, (*self.tops, *classes)):
            region = (*where("ahead >= 0", ahead=ahead), *put_all(piece.conditions, {"m": ahead}))
            yield "right", region, formula("(K - 1)/K*a", a=put(piece.value, {"m": ahead}))
        tied = where("ahead < 0", "K >= 3", ahead=ahead)
        for piece in coverage.pieces(put(a, {"m": ZERO}), classes):
            yield "wrong", (*tied, *piece.conditions), formula("1 - a/K", a=piece.value)


class PairwiseReduction(AllScoresReduction):
    """phi in the margin over each rival."""

    def costs(self, coverage: Coverage) -> Iterator[TwoScores]:
        """The label itself costs nothing."""
        for piece in self.smooth(coverage):
            squares = formula("K*(K - 1)*slope**2", slope=slope(piece.value, "m"))
            yield TwoScores(ZERO, piece.value, piece.closed("m"), "m", squares)


class SeparableReduction(AllScoresReduction):
    """own and other, in one score each."""

    variable = "z"

    def costs(self, coverage: Coverage) -> Iterator[TwoScores]:
        """Every piece with every piece."""
        for mine, other in product(self.smooth(coverage), self.smooth(coverage, -1)):
            q, r = put(mine.value, {"z": "s"}), put(other.value, {"z": "t"})
            squares = formula("own**2 + (K - 1)*rival**2", own=slope(q, "s"), rival=slope(r, "t"))
            yield TwoScores(q, r, (*_put(mine, "s"), *_put(other, "t")), formula("s - t"), squares)

    def criterion(self, coverage: Coverage) -> Iterator[Constraint]:
        """See ``Reduction``; of two labels where opposite scores are the hardest."""
        if not self.opposite_are_hardest(coverage):
            yield from super().criterion(coverage)
            return
        for mine in self.smooth(coverage):
            region = (*_put(mine, "s"), *where("s >= 0"), *self.domain())
            if coverage.keeps(region):
                missing = formula("2 - 8*own", own=put(mine.value, {"z": "s"}))
                yield Constraint(OPPOSITE, region, formula("-4*s**2"), missing)

    def hardest(self, coverage: Coverage) -> Iterator[Obligation]:
        """Opposite scores, if they seem to be."""
        if self.opposite_are_hardest(coverage):
            yield Obligation("opposite scores", HARDEST, tuple(self._opposite(self.domain(), coverage)))

    def opposite_are_hardest(self, coverage: Coverage) -> bool:
        """Whether other(z) = own(-z), and what is then claimed of own looks true."""
        own, other = self.functions
        if "K" in variables(own) or not alike(put(other, {"z": formula("-z")}), own):
            return False
        apart = Coverage(coverage.guesses)
        claims = self._opposite((), apart)
        broken = [(*c.given, relation("left - right < 0", left=c.then.left, right=c.then.right)) for c in claims]
        return self.least(apart) == 0 and all(map(coverage.guesses.seems_empty, broken))

    def _opposite(self, classes: Region, coverage: Coverage) -> Iterator[Sequent]:
        """That they are, for every number of labels alike; at a kink own, and its root, bend up."""
        for piece in coverage.smooth(self.functions[0], "z", classes):
            for side, end in (
                (relation("z <= 0"), relation("own >= 1", own=piece.value)),
                (relation("z >= 0"), Relation(">=", _bend_of_root(piece.value), ZERO)),
            ):
                region = (*classes, *piece.closed("z"), side)
                if coverage.keeps(region):
                    yield Sequent(region, end, refutes=False)


def _bend_of_root(function: Expression) -> Expression:
    """Of the sign of the root's second derivative."""
    first = slope(function, "z")
    return formula("2*f*bend - first**2", f=function, first=first, bend=slope(first, "z"))


def _numbers(last: int | None, two_suffice: bool) -> Iterator[tuple[Expression, Region]]:
    """How many labels are alike: one by one if few are claimed, else any number up to K."""
    if two_suffice:
        yield Fraction(2), ()
    elif last is not None and last <= MOST_LISTED:
        yield from ((Fraction(n), where(f"K >= {n}")) for n in range(2, last + 1))
    else:
        yield "n", where("n >= 2", "n <= K")


def _put(piece: Piece, score: str) -> Region:
    return put_all(piece.closed("z"), {"z": score})
