"""What a softmax loss asks of a prediction, from probabilities of any number of labels down to one variable.

For ||x|| = 1 label k needs P(correct) >= 1 - psi(p_k) + (eta/2) (psi'(p_k) p_k)^2 ((1 - p_k)^2 + S), S the sum of the
other squared probabilities. They sum to 1 - p_k, so S <= (1 - p_k)^2, attained if one label has all of it, and label k
needs at most f(p_k), f(p) = 1 - psi(p) + eta (psi'(p) p (1 - p))^2.
"""

from collections.abc import Iterator

import sympy as sp

from gaptron.obligations.claims import class_conditions
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.guesses import not_needed
from gaptron.obligations.loss import probability
from gaptron.symbols import K, p
from gaptron.theory.losses import SoftmaxLoss
from gaptron.theory.theorem import Implication, Theorem

HALF = sp.Rational(1, 2)


def smooth_psi(theorem: Theorem, coverage: Coverage) -> sp.Expr:
    """psi, if it is one smooth expression.

    Raises
    ------
    NotImplementedError
        If it has several pieces.
    """
    assert isinstance(theorem.loss, SoftmaxLoss)  # noqa: S101
    pieces = coverage.smooth(theorem.loss.psi, p, (*probability(), *class_conditions(theorem)))
    if len(pieces) != 1 or pieces[0].conditions:
        raise NotImplementedError("psi has pieces: write it as one, or for K = 2 psi(1/(1 + exp(-z))) as a BinaryLoss")
    return pieces[0].value


def squared_slope(psi: sp.Expr) -> sp.Expr:
    """(psi'(p) p)^2, by which ||g||^2 exceeds (1 - p)^2 + S."""
    return sp.simplify((sp.diff(psi, p) * p) ** 2)


def decoder_implications(theorem: Theorem, eta: sp.Expr, coverage: Coverage) -> Iterator[Implication]:
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
    f = 1 - psi + eta * squared_slope(psi) * (1 - p) ** 2
    given = (*classes,) if K in f.free_symbols else ()
    none = not_needed(f.subs(K, theorem.first_class_count))
    inside = probability()

    def implication(name: str, statement: str, where: tuple[sp.Basic, ...], then: sp.Basic) -> Implication:
        return Implication(name=name, statement=statement, given=(*where, *given), then=then)

    def at_most_one(value: sp.Expr) -> sp.Basic:
        return sp.Le(value, 1, evaluate=False)

    yield implication("increasing", "f' >= 0", inside, sp.Ge(sp.diff(f, p), 0, evaluate=False))
    yield implication(f"not needed up to {none}", f"f({none}) <= 0", (), sp.Le(f.subs(p, none), 0, evaluate=False))
    yield implication("one label", "f(p) <= 1", inside, at_most_one(f))
    yield implication("two labels", "f(p) + f(1 - p) <= 1", inside, at_most_one(f + f.subs(p, 1 - p)))
    most = -(-none.q // none.p) - 1
    if most > 2:
        concave = sp.Le(sp.diff(f, p, 2), 0, evaluate=False)
        where = (probability()[0], p <= 1 - 2 * none)
        yield implication("concave", f"f'' <= 0 up to {1 - 2 * none}", where, concave)
    for n in range(3, most + 1):
        yield implication(f"{n} labels", f"{n} f(1/{n}) <= 1", (), at_most_one(n * f.subs(p, sp.Rational(1, n))))
