"""When some algorithm attains c for a loss of all scores: two scalars, and how many labels are alike.

The criterion of ``obligations.proximal`` says that for every set S of n >= 2 labels sum_{y in S} e_y(theta) >= n - 1 at
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

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

import sympy as sp

from gaptron.obligations.claims import Obligation, Sequent, class_conditions
from gaptron.obligations.constraint import Constraint
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.guesses import infimum, seems_empty
from gaptron.obligations.pieces import Piece, Region, put_all
from gaptron.symbols import K, m, z
from gaptron.theory.losses import LossOfAllScores, PairwiseLoss, SeparableLoss
from gaptron.theory.theorem import Theorem

NOT_DECIDED = "gradient steps with losses of all scores are not decided"
MANY = "any number of labels alike"
OPPOSITE = "two labels alike, at opposite scores"
MOST_LISTED = 12  # numbers of labels that are put in one by one, if no more are claimed
alike = sp.Symbol("n", integer=True, positive=True)  # how many labels are
own, rivals = sp.symbols("s t", real=True)  # A and B


@dataclass(frozen=True)
class TwoScores:
    """What the label itself and each rival cost, where, by how much the label is ahead, and ||g||^2."""

    mine: sp.Expr
    rival: sp.Expr
    region: Region
    ahead: sp.Expr
    squares: sp.Expr

    @property
    def loss(self) -> sp.Expr:
        """Where all rivals have one score."""
        return self.mine + (K - 1) * self.rival


def criterion_of_all_scores(
    theorem: Theorem, loss: LossOfAllScores, coverage: Coverage, last: int | None = None
) -> Iterator[Constraint]:
    """H - E loss - c Var <= 0 times n, or times n/(n - 1), linear in eta = 1/(2 c), for all n labels that may be alike.

    With ``last`` only for n up to it, one by one.
    """
    classes = class_conditions(theorem)
    if last is None and opposite_are_hardest(loss, classes):
        for mine in coverage.smooth(loss.own, z, classes):
            region = (*_put(mine, own), sp.Ge(own, 0, evaluate=False), *classes)
            if coverage.keeps(region):
                yield Constraint(OPPOSITE, region, -4 * own**2, 2 - 8 * mine.value.subs(z, own))
        return
    last = last or theorem.last_class_count
    least = _least(loss.functions[-1][1], loss.variable, classes, coverage)
    for case in _cases(loss, classes, coverage):
        region = (*case.region, *classes)
        if last is None and least == 0 and case.rival == 0 != case.mine:
            yield Constraint(MANY, region, -(case.ahead**2), 2 * (1 - case.mine))
            continue
        for n, counted in _numbers(last, least == 0 and case.mine == 0):
            missing = n - 1 - n * (case.mine + (n - 1) * case.rival + (K - n) * least)
            yield Constraint(f"{n} labels alike", (*region, *counted), -(n - 1) * case.ahead**2, 2 * missing)


def opposite_are_hardest(loss: LossOfAllScores, classes: Region) -> TypeGuard[SeparableLoss]:
    """Whether other(z) = own(-z), and what ``opposite_obligation`` claims of own looks true."""
    if not isinstance(loss, SeparableLoss) or loss.own.has(K) or loss.other.subs(z, -z) != loss.own:
        return False
    claims = opposite_obligation(loss, (), Coverage()).claims
    broken = [(*c.given, sp.Lt(c.then.lhs - c.then.rhs, 0, evaluate=False)) for c in claims]
    return all(map(seems_empty, broken)) and _least(loss.other, z, classes, Coverage()) == 0


def _bend_of_root(function: sp.Expr) -> sp.Expr:
    """Of the sign of the root's second derivative."""
    return 2 * function * sp.diff(function, z, 2) - sp.diff(function, z) ** 2


def opposite_obligation(loss: SeparableLoss, classes: Region, coverage: Coverage) -> Obligation:
    """That opposite scores are the hardest, for every number of labels alike; at a kink own, and its root, bend up."""
    claims = []
    for piece in coverage.smooth(loss.own, z, classes):
        for side, end in (
            (z <= 0, sp.Ge(piece.value, 1, evaluate=False)),
            (z >= 0, sp.Ge(_bend_of_root(piece.value), 0, evaluate=False)),
        ):
            region = (*classes, *piece.closed(z), side)
            if coverage.keeps(region):
                claims.append(Sequent(region, end, refutes=False))
    said = "opposite scores are the hardest: other(z) = own(-z), own >= 1 for z <= 0, its root is convex for z >= 0"
    return Obligation("opposite scores", said, tuple(claims))


def _cases(loss: LossOfAllScores, classes: Region, coverage: Coverage) -> Iterator[TwoScores]:
    if isinstance(loss, PairwiseLoss):
        for piece in coverage.smooth(loss.phi, m, classes):
            yield TwoScores(sp.S.Zero, piece.value, piece.closed(m), m, K * (K - 1) * sp.diff(piece.value, m) ** 2)
        return
    for mine in coverage.smooth(loss.own, z, classes):
        for other in coverage.smooth(loss.other, z, classes):
            q, r = mine.value.subs(z, own), other.value.subs(z, rivals)
            squares = sp.diff(q, own) ** 2 + (K - 1) * sp.diff(r, rivals) ** 2
            yield TwoScores(q, r, (*_put(mine, own), *_put(other, rivals)), own - rivals, squares)


def _numbers(last: int | None, two_suffice: bool) -> Iterator[tuple[sp.Expr, Region]]:
    """How many labels are alike: one by one if few are claimed, else any number up to K."""
    if two_suffice:
        yield sp.Integer(2), ()
    elif last is not None and last <= MOST_LISTED:
        yield from ((sp.Integer(n), (sp.Ge(K, n, evaluate=False),)) for n in range(2, last + 1))
    else:
        yield alike, (sp.Ge(alike, 2, evaluate=False), sp.Le(alike, K, evaluate=False))


def _put(piece: Piece, score: sp.Symbol) -> Region:
    return put_all(piece.closed(z), {z: score})


def _least(function: sp.Expr, variable: sp.Symbol, classes: Region, coverage: Coverage) -> sp.Expr:
    """The infimum of what a label outside adds, or 0; what is claimed of it is noted."""
    least = infimum(
        ((piece.conditions, piece.value) for piece in coverage.smooth(function, variable, classes)), variable
    )
    if least != 0:
        for piece in coverage.pieces(function, classes):
            coverage.note(Sequent((*classes, *piece.conditions), sp.Ge(piece.value, least, evaluate=False)))
    return least


def gradient_obligations(theorem: Theorem, eta: sp.Expr, coverage: Coverage) -> Iterator[Obligation]:
    """What is necessary where all rivals have one score, and that nothing is proved of the other scores."""
    loss, classes, numbers = theorem.loss, class_conditions(theorem), {"right": 0, "wrong": 0, "decoder": 0}
    assert isinstance(loss, LossOfAllScores)  # noqa: S101
    for rate in coverage.pieces(eta, classes):
        for case in _cases(loss, classes, coverage):
            allowed = case.loss - rate.value / 2 * case.squares
            for kind, region, wrong in _predictions(theorem, case.ahead, coverage):
                given = (*classes, *rate.conditions, *case.region, *region)
                if coverage.keeps(given):
                    numbers[kind] += 1
                    name = f"decoder/{numbers[kind]}" if kind == "decoder" else f"gap/{kind}/{numbers[kind]}"
                    claim = Sequent(given, sp.Le(wrong - allowed, 0, evaluate=False))
                    yield Obligation(name, "the surrogate gap is at most 0 where the rivals have one score", (claim,))
    yield Obligation("gap", "the surrogate gap is at most 0", (), NOT_DECIDED)


def _predictions(theorem: Theorem, ahead: sp.Expr, coverage: Coverage) -> Iterator[tuple[str, Region, sp.Expr]]:
    """P(wrong) where the label is ahead of its rivals, and behind them; with the best decoder where all are equal."""
    if theorem.decoder == "best":
        yield "decoder", (sp.Eq(ahead, 0, evaluate=False),), 1 - 1 / K
        return
    classes, a = class_conditions(theorem), theorem.gap_map.expression
    for piece in coverage.pieces(a, (sp.Ge(m, 0, evaluate=False), *classes)):
        region = put_all(piece.conditions, {m: ahead})
        yield "right", (sp.Ge(ahead, 0, evaluate=False), *region), (K - 1) / K * piece.value.subs(m, ahead)
    tied = (sp.Lt(ahead, 0, evaluate=False), sp.Ge(K, 3, evaluate=False))
    for piece in coverage.pieces(a.subs(m, 0), classes):
        yield "wrong", (*tied, *piece.conditions), 1 - piece.value / K
