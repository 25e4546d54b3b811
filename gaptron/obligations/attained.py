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

from gaptron.language.expressions import Expression
from gaptron.language.formulas import relation, where
from gaptron.language.normal import alike
from gaptron.language.relations import Relation
from gaptron.obligations.constraint import Constraint
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import ZERO, Region
from gaptron.obligations.reduction import Reduction
from gaptron.obligations.sequents import Obligation, Sequent, class_conditions, is_algebraic


def proximal_obligations(reduction: Reduction, coverage: Coverage) -> Iterator[Obligation]:
    """c is positive, and the criterion holds for it, case by case."""
    if reduction.theorem.regret is None:
        unsupported = "no regret is given, and gaptron sharpen finds the smallest"
        yield Obligation("criterion", "H <= E loss + c Var", (), unsupported)
        return
    domain = class_conditions(reduction.theorem)
    pieces = coverage.pieces(reduction.data["regret"], domain)
    positive = coverage.compared(reduction.data["regret"], ">", domain)
    yield Obligation("regret/positive", f"c = {reduction.theorem.regret} > 0", positive)
    yield from reduction.hardest(coverage)
    number = 0
    for c in pieces:
        for constraint in reduction.criterion(coverage):
            given = (*c.conditions, *constraint.region, *_near(constraint, c.value, coverage))
            if coverage.keeps(given):
                number += 1
                known = {"missing": constraint.slope, "c": c.value, "variance": constraint.fixed}
                excess = relation("missing/2 + c*variance <= 0", **known)
                claims = _shortened(given, excess, constraint.is_necessary, coverage)
                yield Obligation(f"criterion/{number}", f"{constraint.kind}: H <= E loss + c Var", claims)


def _shortened(given: Region, excess: Relation, refutes: bool, coverage: Coverage) -> tuple[Sequent, ...]:
    """The claim, or a shorter one and that its left side is the same."""
    if not is_algebraic(excess.left):
        return (Sequent(given, excess, refutes=refutes),)
    short = coverage.guesses.shortened(excess.left)
    same = () if alike(short, excess.left) else (Sequent(given, Relation("=", short, excess.left), refutes=False),)
    return Sequent(given, Relation("<=", short, ZERO), refutes=refutes), *same


def _near(constraint: Constraint, c: Expression, coverage: Coverage) -> Region:
    """Where c Var < H <= 1 in one scalar: elsewhere the criterion holds whatever the loss, which is not negative."""
    scalars = constraint.names - {"K"}
    if len(scalars) != 1 or is_algebraic(constraint.slope) or not coverage.guesses.seems_positive_number(c):
        return ()
    (scalar,) = scalars
    far = coverage.guesses.beyond(c)
    coverage.note(Sequent((), relation("c*far**2 >= 1", c=c, far=far)))
    return where("scalar <= far", "scalar >= -far", scalar=scalar, far=far)
