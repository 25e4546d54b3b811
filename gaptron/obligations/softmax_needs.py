"""What a softmax loss asks of a prediction, from probabilities of any number of labels down to one variable.

For ||x|| = 1 label k needs P(correct) >= 1 - psi(p_k) + (eta/2) (psi'(p_k) p_k)^2 ((1 - p_k)^2 + S), S the sum of the
other squared probabilities. They sum to 1 - p_k, so S <= (1 - p_k)^2, attained if one label has all of it, and label k
needs at most f(p_k), f(p) = 1 - psi(p) + eta (psi'(p) p (1 - p))^2.
"""

from collections.abc import Iterator
from fractions import Fraction

from gaptron.language.expressions import Expression, variables
from gaptron.language.formulas import formula, relation, where
from gaptron.language.normal import put, slope
from gaptron.language.relations import Relation
from gaptron.obligations.constraint import Implied
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.loss import probability
from gaptron.obligations.pieces import ZERO, Region
from gaptron.obligations.sequents import class_conditions
from gaptron.theory.for_classes import data_of
from gaptron.theory.losses import SoftmaxLoss
from gaptron.theory.theorem import Theorem


def smooth_psi(theorem: Theorem, coverage: Coverage) -> Expression:
    """psi, if it is one smooth expression.

    Raises
    ------
    NotImplementedError
        If it has several pieces.
    """
    assert isinstance(theorem.loss, SoftmaxLoss)  # noqa: S101
    pieces = coverage.smooth(data_of(theorem)["loss"], "p", (*probability(), *class_conditions(theorem)))
    if len(pieces) != 1 or pieces[0].conditions:
        raise NotImplementedError("psi has pieces: write it as one, or for K = 2 psi(1/(1 + exp(-z))) as a BinaryLoss")
    (psi,) = (piece.value for piece in pieces)
    return psi


def squared_slope(psi: Expression) -> Expression:
    """(psi'(p) p)^2, by which ||g||^2 exceeds (1 - p)^2 + S."""
    return formula("(slope*p)**2", slope=slope(psi, "p"))


def decoder_implications(theorem: Theorem, eta: Expression, coverage: Coverage) -> Iterator[Implied]:
    """sum_k max(0, f(p_k)) <= 1 for any number of labels, as statements about one probability.

    f increases. Up to ``none`` it is not positive, so fewer than 1/none labels count. If one does, f <= 1 is enough; if
    two, the worst case is that they share everything. If n > 2, each has less than 1 - 2 none; where f is concave up to
    there, they are worst when they are equal.

    Raises
    ------
    NotImplementedError
        If psi has several pieces, or more than a dozen labels may count.
    """
    psi, classes = smooth_psi(theorem, coverage), class_conditions(theorem)
    f = formula("1 - psi + eta*squared*(1 - p)**2", psi=psi, eta=eta, squared=squared_slope(psi))
    given = classes if "K" in variables(f) else ()
    none = coverage.guesses.not_needed(put(f, {"K": Fraction(theorem.first_class_count)}))

    def implied(name: str, statement: str, there: Region, then: Relation) -> Implied:
        return Implied(name, statement, (*there, *given), then)

    def at(p: Expression) -> Expression:
        return put(f, {"p": p})

    inside = probability()
    yield implied("increasing", "f' >= 0", inside, Relation(">=", slope(f, "p"), ZERO))
    yield implied(f"not needed up to {none}", f"f({none}) <= 0", (), Relation("<=", at(none), ZERO))
    yield implied("one label", "f(p) <= 1", inside, relation("f <= 1", f=f))
    both = relation("f + other <= 1", f=f, other=at(formula("1 - p")))
    yield implied("two labels", "f(p) + f(1 - p) <= 1", inside, both)
    most = -(-none.denominator // none.numerator) - 1
    if most > 2:
        there = where("p > 0", "p <= 1 - 2*none", none=none)
        concave = Relation("<=", slope(slope(f, "p"), "p"), ZERO)
        yield implied("concave", f"f'' <= 0 up to {1 - 2 * none}", there, concave)
    for n in range(3, most + 1):
        share = Fraction(1, n)
        yield implied(f"{n} labels", f"{n} f(1/{n}) <= 1", (), relation(f"{n}*f <= 1", f=at(share)))
