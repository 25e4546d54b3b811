"""What a softmax loss asks of a prediction, from probabilities of any number of labels down to one variable.

For ||x|| = 1 label k needs P(correct) >= 1 - psi(p_k) + (eta/2) (psi'(p_k) p_k)^2 ((1 - p_k)^2 + S), S the sum of the
other squared probabilities. They sum to 1 - p_k, so S <= (1 - p_k)^2, attained if one label has all of it, and label k
needs at most f(p_k), f(p) = 1 - psi(p) + eta (psi'(p) p (1 - p))^2.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import sympy as sp

from gaptron.decoders import GapMap
from gaptron.losses import SoftmaxLoss
from gaptron.obligations.claims import Claim, claims_more_than_two, class_conditions
from gaptron.obligations.constraint import Constraint
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.gap import Case, cases, q
from gaptron.obligations.loss import probability
from gaptron.obligations.pieces import put_all
from gaptron.obligations.sharp import rate
from gaptron.symbols import K, p
from gaptron.theorem import Implication, Theorem

MOST_EQUAL = 8  # numbers of equal labels at which the search looks for what binds
HALF = sp.Rational(1, 2)
LARGEST_PARTS = 12


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
        raise NotImplementedError("the best decoder of a softmax loss is found for one smooth psi only")
    return pieces[0].value


def squared_slope(psi: sp.Expr) -> sp.Expr:
    """(psi'(p) p)^2, by which ||g||^2 exceeds (1 - p)^2 + S."""
    return sp.simplify((sp.diff(psi, p) * p) ** 2)


# --- the best gap map ---------------------------------------------------------------------------------------


def map_constraints(theorem: Theorem, coverage: Coverage) -> Iterator[Constraint]:
    """At every largest probability every lower bound on a, from a wrong round, is at most every upper one."""
    rights, wrongs = _split(theorem, 0, coverage)
    alone = [*(("right", c) for c in rights), *(("wrong", c) for c in _split(theorem, 1, coverage)[1])]
    yield from (_constraint(kind, claim) for kind, c in alone for claim in c.claims if coverage.keeps(claim.given))
    for right, wrong in product(rights, wrongs):
        yield from _between(theorem, right, wrong, coverage)


def _split(theorem: Theorem, share: int, coverage: Coverage) -> tuple[list[Case], list[Case]]:
    """Right and wrong cases of the gap for a constant gap map."""
    found = list(cases(replace(theorem, gap_map=GapMap(sp.Integer(share)), sharp_at=None), rate, coverage))
    return [case for case in found if case.kind == "right"], [case for case in found if case.kind == "wrong"]


def _constraint(kind: str, claim: Claim) -> Constraint:
    gap = claim.then.lhs
    return Constraint(kind, claim.given, gap.subs(rate, 0), sp.diff(gap, rate))


def _between(theorem: Theorem, right: Case, wrong: Case, coverage: Coverage) -> Iterator[Constraint]:
    """1 - h of a wrong round is at most h/(K - 1) of a right one with the same largest probability."""
    gap = wrong.gap + right.gap / (K - 1)
    region = (*right.region, *wrong.region)
    for classes, conditions in (({K: 2, p: 1 - q}, ()), ({}, class_conditions(theorem, 3))):
        if not (theorem.claims(2) if classes else claims_more_than_two(theorem)):
            continue
        given = (*put_all(region, classes), *conditions)
        if coverage.keeps(given):
            yield _constraint("right and wrong", Claim(given, sp.Le(gap.subs(classes), 0, evaluate=False)))


def largest_maps(theorem: Theorem, eta: sp.Expr, coverage: Coverage) -> Iterator[GapMap]:
    """1 up to p = 1/2, then all that right rounds allow: K h/(K - 1) with the rest of the probability on one label.

    At the largest learning rate that is at most 1 of itself, as it has to be; otherwise it is cut there.
    """
    psi = smooth_psi(theorem, coverage)
    most = K / (K - 1) * (psi - eta * squared_slope(psi) * (1 - p) ** 2)
    for allowed in (most, sp.Min(1, most)):
        yield GapMap(sp.Piecewise((1, p < HALF), (allowed, True)))


# --- the best decoder ---------------------------------------------------------------------------------------


def decoder_constraints(theorem: Theorem, coverage: Coverage) -> Iterator[Constraint]:
    """What is needed by one label, by two that share everything, and by n equal ones: where the search looks."""
    psi = smooth_psi(theorem, coverage)
    slope = squared_slope(psi) * (1 - p) ** 2
    region = probability()
    yield Constraint("one label", (*region, *class_conditions(theorem)), -psi, slope)
    fixed = 1 - psi - psi.subs(p, 1 - p)
    two = slope + slope.subs(p, 1 - p)
    yield Constraint("two labels", (p >= HALF, p < 1, *class_conditions(theorem)), fixed, two)
    for n in range(3, MOST_EQUAL + 1):
        if theorem.last_class_count is None or theorem.last_class_count >= n:
            fixed, others = n * (1 - psi.subs(p, sp.Rational(1, n))) - 1, sp.Rational(n - 1, n)
            slope_there = n * squared_slope(psi).subs(p, sp.Rational(1, n)) * others / 2
            yield Constraint(f"{n} equal labels", class_conditions(theorem, n), fixed, slope_there)


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
    none = _not_needed(f.subs(K, theorem.first_class_count))
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


def _not_needed(f: sp.Expr) -> sp.Rational:
    """A simple rational at which f is negative, nearly the largest one: found in floats, to be proved."""
    value = sp.lambdify(p, f, "math")
    found = [sp.Rational(1, n) for n in range(2, LARGEST_PARTS + 2) if value(1 / n) < 0]
    if not found:
        raise NotImplementedError(f"more than {LARGEST_PARTS} labels may count: that many are not reduced")
    return max(found)
