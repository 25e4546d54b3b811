"""When some algorithm attains c: proximal updates with the best decoder do if any does, and one inequality decides.

For the 0-1 target, E[mistakes] <= sum loss(U) + c X^2 ||U||^2 (for every U, every dimension and every adversary) is
attainable if and only if 1 - max w <= E_w loss_y(theta_y) + c Var_w(theta) for all distributions w over the labels and
all families of scores (theta_y). The proximal step W+ = argmin loss(V) + c X^2 ||V - W||^2 pays the envelope
e_y(theta) = min_delta loss_y(theta + delta) + c ||delta||^2; the decoder exists iff sum_y max(0, 1 - e_y) <= 1, that
is, iff for every set S of labels sum_{y in S} e_y(theta) >= |S| - 1 at all theta.

Few scalars are left. The loss is convex in the scores and the labels are alike, so that the sum over S is least where
the scores on S are equal, and those outside are too: all of them far below, as the loss falls with the margin (with
the probability). With n = |S| the step raises one label and lowers its n - 1 rivals alike; to be ahead by m costs
c m^2 (n - 1)/n, and what has to hold is (n - 1)/n <= loss(m, n) + c m^2 (n - 1)/n for all real m and 2 <= n <= K.

Margin losses do not depend on n: as phi >= 0, phi n/(n - 1) + c m^2 >= 1 is hardest for n = K. For a softmax loss the
probability is 1/(1 + (n - 1) e^-m), and psi + psi' (1 - p) <= psi(1) <= 0, psi convex in p, makes loss(m, n) n/(n - 1)
grow with n for m >= 0: its derivative in n has the sign of -psi - n p (1 - p) psi' >= -psi - (1 - p) psi', as n p >= 1
there. Two labels are then the hardest (for m <= 0 the loss is at least that at m = 0). Where psi(1) = a > 0 this is so
of psi - a, and a n/(n - 1) >= a: 1/2 <= loss(m, 2) - a/2 + c m^2/2 is enough for every K, not necessary. A binary loss
has two labels and scores of one number.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from gaptron.language.expressions import Expression, variables
from gaptron.language.formulas import formula, relation, where
from gaptron.language.normal import NORMAL, alike, put, slope
from gaptron.language.relations import Relation
from gaptron.obligations.all_scores import criterion_of_all_scores, opposite_are_hardest, opposite_obligation
from gaptron.obligations.constraint import Constraint
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.loss import kinks, probability
from gaptron.obligations.pieces import ZERO, Piece, Region, put_all
from gaptron.obligations.sequents import Obligation, Sequent, claims_more_than_two, class_conditions, is_algebraic
from gaptron.theory.for_classes import data_of, functions_of
from gaptron.theory.losses import BinaryLoss, LossOfAllScores, SeparableLoss, SoftmaxLoss
from gaptron.theory.theorem import Theorem

HALF, ONE = Fraction(1, 2), Fraction(1)
TWO_LABELS = "two labels alike, the others far below"
ANY_LABELS = "any labels alike, the least loss counted once"


def proximal_constraints(theorem: Theorem, coverage: Coverage) -> Iterator[Constraint]:
    """H - E loss - c Var <= 0 as constraints that are linear in eta = 1/(2 c): fixed = -Var, slope = 2 (H - E loss).

    The scores of one vector are z_plus and z_minus when +1 and -1 is drawn.

    Raises
    ------
    NotImplementedError
        For a softmax loss of several pieces, unless they end at given probabilities.
    """
    loss, classes = theorem.loss, class_conditions(theorem)
    if isinstance(loss, LossOfAllScores):
        yield from criterion_of_all_scores(theorem, loss, coverage)
    elif isinstance(loss, BinaryLoss):
        yield from _binary_constraints(loss, coverage)
    elif isinstance(loss, SoftmaxLoss):
        for piece in _of_two(theorem, coverage):
            yield _constraint(TWO_LABELS, (*piece.conditions, *classes), piece.value, HALF, formula("m**2/2"))
    else:
        share = formula("(K - 1)/K")
        for piece in coverage.smooth(data_of(theorem)["loss"], "m", classes):
            region = (*piece.closed("m"), *classes)
            yield _constraint("all labels alike", region, piece.value, share, formula("share*m**2", share=share))


def _psi(theorem: Theorem, coverage: Coverage) -> list[Piece]:
    """The smooth pieces of psi."""
    assert isinstance(theorem.loss, SoftmaxLoss)  # noqa: S101
    return coverage.smooth(data_of(theorem)["loss"], "p", (*probability(), *class_conditions(theorem)))


def _of_two(theorem: Theorem, coverage: Coverage) -> Iterator[Piece]:
    """psi at the probability 1/(1 + e^-m) of a label that is ahead by m of one other."""
    for piece in _psi(theorem, coverage):
        region = tuple(_ahead(given) for given in piece.closed("p"))
        yield Piece(region, put(piece.value, {"p": formula("1/(1 + exp(-m))")}))


def _ahead(given: Relation) -> Relation:
    """p against a number in (0, 1) as m against its log odds, which increase with it."""
    if "p" not in given.names:
        return given
    end = given.right
    if given.left != "p" or not isinstance(end, Fraction) or not 0 < end < 1:
        raise NotImplementedError("psi has a piece elsewhere: write p against a rational number in (0, 1)")
    odds = end / (1 - end)
    logs = [NORMAL.operation("log", [Fraction(number)]) for number in (odds.numerator, odds.denominator)]
    return Relation(given.sign, "m", formula("above - below", above=logs[0], below=logs[1]))


def _binary_constraints(loss: BinaryLoss, coverage: Coverage) -> Iterator[Constraint]:
    """Where the labels are alike, so are their scores but for the sign: by convexity."""
    (_, of_plus, _), (_, of_minus, _) = functions_of(loss)
    if alike(of_minus, put(of_plus, {"z": formula("-z")})):
        for piece in coverage.smooth(of_plus, "z", ()):
            yield _constraint("both labels alike", piece.closed("z"), piece.value, HALF, formula("z**2"))
        return
    drawn = {"z": "z_plus"}, {"z": "z_minus"}
    for plus in coverage.smooth(of_plus, "z", ()):
        for minus in coverage.smooth(of_minus, "z", ()):
            both = [*zip((plus, minus), drawn, strict=True)]
            region = tuple(given for piece, at in both for given in put_all(piece.closed("z"), at))
            one, other = (put(piece.value, at) for piece, at in both)
            expected = formula("(one + other)/2", one=one, other=other)
            yield _constraint("both labels", region, expected, HALF, formula("(z_plus - z_minus)**2/4"))


def _constraint(kind: str, region: Region, expected: Expression, share: Expression, variance: Expression) -> Constraint:
    missing = formula("2*(share - loss)", share=share, loss=expected)
    return Constraint(kind, region, formula("-variance", variance=variance), missing)


def proximal_obligations(theorem: Theorem, coverage: Coverage) -> Iterator[Obligation]:
    """c is positive, and the criterion holds for it, case by case."""
    if theorem.regret is None:
        unsupported = "no regret is given, and gaptron sharpen finds the smallest"
        yield Obligation("criterion", "H <= E loss + c Var", (), unsupported)
        return
    domain = class_conditions(theorem)
    pieces = coverage.pieces(data_of(theorem)["regret"], domain)
    positive = tuple(Sequent((*domain, *c.conditions), Relation(">", c.value, ZERO)) for c in pieces)
    yield Obligation("regret/positive", f"c = {theorem.regret} > 0", positive)
    if isinstance(theorem.loss, SoftmaxLoss) and claims_more_than_two(theorem):
        yield _two_are_hardest(theorem, coverage)
    if isinstance(theorem.loss, SeparableLoss) and opposite_are_hardest(theorem.loss, domain, coverage):
        yield opposite_obligation(theorem.loss, domain, coverage)
    number = 0
    for c in pieces:
        for constraint in (*proximal_constraints(theorem, coverage), *_for_any_labels(theorem, coverage)):
            given = (*c.conditions, *constraint.region, *_near(constraint, c.value, coverage))
            if coverage.keeps(given):
                number += 1
                known = {"missing": constraint.slope, "c": c.value, "variance": constraint.fixed}
                excess = relation("missing/2 + c*variance <= 0", **known)
                claims = _shortened(given, excess, constraint.kind != ANY_LABELS, coverage)
                yield Obligation(f"criterion/{number}", f"{constraint.kind}: H <= E loss + c Var", claims)


def _shortened(given: Region, excess: Relation, refutes: bool, coverage: Coverage) -> tuple[Sequent, ...]:
    """The claim, or a shorter one and that its left side is the same."""
    if not is_algebraic(excess.left):
        return (Sequent(given, excess, refutes=refutes),)
    short = coverage.guesses.shortened(excess.left)
    same = () if alike(short, excess.left) else (Sequent(given, Relation("=", short, excess.left), refutes=False),)
    return Sequent(given, Relation("<=", short, ZERO), refutes=refutes), *same


def _for_any_labels(theorem: Theorem, coverage: Coverage) -> Iterator[Constraint]:
    """What is enough for every number of labels, and not necessary, where psi(1) > 0."""
    least = _least_loss(theorem, coverage)
    if least > 0:
        for piece in _of_two(theorem, coverage):
            region = (*piece.conditions, *class_conditions(theorem))
            more = formula("psi - least/2", psi=piece.value, least=least)
            yield _constraint(ANY_LABELS, region, more, HALF, formula("m**2/2"))


def _least_loss(theorem: Theorem, coverage: Coverage) -> Fraction:
    """psi(1) of a softmax loss for more than two labels, if that is a positive number; else 0."""
    if not isinstance(theorem.loss, SoftmaxLoss) or not claims_more_than_two(theorem):
        return ZERO
    at_one = {"p": ONE}
    pieces = [
        piece
        for piece in _psi(theorem, coverage)
        if not coverage.guesses.seems_empty(put_all(piece.closed("p"), at_one))
    ]
    ends = [put(piece.value, at_one) for piece in pieces]
    return max((end for end in ends if isinstance(end, Fraction) and end > 0), default=ZERO)


def _near(constraint: Constraint, c: Expression, coverage: Coverage) -> Region:
    """Where c Var < H <= 1 in one scalar: elsewhere the criterion holds whatever the loss, which is not negative."""
    scalars = constraint.names - {"K"}
    if len(scalars) != 1 or is_algebraic(constraint.slope) or not coverage.guesses.seems_positive_number(c):
        return ()
    (scalar,) = scalars
    far = coverage.guesses.beyond(c)
    coverage.note(Sequent((), relation("c*far**2 >= 1", c=c, far=far)))
    return where("scalar <= far", "scalar >= -far", scalar=scalar, far=far)


def _two_are_hardest(theorem: Theorem, coverage: Coverage) -> Obligation:
    """psi lies above its tangents, and at p = 1 the tangent at p has the value psi + psi' (1 - p)."""
    least, pieces = _least_loss(theorem, coverage), _psi(theorem, coverage)
    classes = class_conditions(theorem, 3) if any("K" in variables(piece.value) for piece in pieces) else ()
    domain = (*classes, *where("p > 0", "p <= 1"))
    claims = []
    for piece in pieces:
        bend = slope(slope(piece.value, "p"), "p")
        claims.append(Sequent((*domain, *piece.closed("p")), Relation(">=", bend, ZERO)))
        end = relation("psi - least <= 0", psi=put(piece.value, {"p": ONE}), least=least)
        claims.append(Sequent((*classes, *put_all(piece.closed("p"), {"p": ONE})), end))
    claims += kinks(pieces, "p", domain, coverage)
    statement = f"two labels are the hardest: psi - {least} is convex, at most 0 at p = 1"
    return Obligation("two labels", statement, tuple(replace(claim, refutes=False) for claim in claims))
