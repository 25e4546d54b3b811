"""The cases of the surrogate gap: from (W, x, y) to the few scalars it depends on, for ||x|| = 1.

The gap P(wrong) - loss + (eta/2) ||g||^2 grows with ||x||, so ||x|| <= 1 is covered by ||x|| = 1.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import sympy as sp
from sympy.core.relational import Relational

from gaptron.obligations.all_scores import NOT_DECIDED
from gaptron.obligations.claims import Obligation, Sequent, at_most_zero, claims_more_than_two, class_conditions
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.loss import probability
from gaptron.obligations.mixture import MixtureCase, mixtures
from gaptron.obligations.pieces import Piece, Region, put_all
from gaptron.symbols import K, m, p, z
from gaptron.theory.losses import BinaryLoss, MarginLoss, SoftmaxLoss
from gaptron.theory.theorem import Theorem

s = sp.Symbol("s", real=True)  # top margin m* on a wrong round
t = sp.Symbol("t", real=True)  # minus the margin of the true label on a wrong round
q = sp.Symbol("q", positive=True)  # softmax probability of the true label on a wrong round
LABEL = sp.Symbol("y")  # the label of a binary round, shown in statements


@dataclass(frozen=True)
class Case:
    """Rounds of one kind ("right" or "wrong"): where, the gap itself, the claims that say it is at most 0.

    ``beside`` are the conditions of the loss's piece, of which ``region`` has the closure; ``label`` is that of the
    rounds of a binary loss.
    """

    kind: str
    region: Region
    gap: sp.Expr
    claims: tuple[Sequent, ...]
    beside: Region = ()
    label: int | None = None


def gap_obligations(theorem: Theorem, eta: sp.Expr, coverage: Coverage) -> Iterator[Obligation]:
    """One obligation for every case of the surrogate gap, numbered within right rounds and within wrong rounds."""
    numbers = {"right": 0, "wrong": 0}
    for rate in coverage.pieces(eta, class_conditions(theorem)):
        for case in cases(theorem, rate.value, coverage):
            claims = [_where(rate.conditions, claim) for claim in case.claims]
            kept = tuple(claim for claim in claims if coverage.keeps(claim.given))
            if not kept:
                continue
            numbers[case.kind] += 1
            where = ", ".join(_shown(c) for c in dict.fromkeys(rate.conditions + case.region) if c != sp.true)
            name = f"gap/{case.kind}/{numbers[case.kind]}"
            yield Obligation(name, f"{case.gap} <= 0 for {where}", kept, label=case.label)


def _where(conditions: Region, claim: Sequent) -> Sequent:
    """The claim for the K that meet the conditions; a claim without K is about K = 2."""
    if not any(K in relation.free_symbols for relation in (*claim.given, claim.then)):
        conditions = put_all(conditions, {K: sp.Integer(2)})
    return Sequent((*conditions, *claim.given), claim.then)


def _shown(relation: Relational) -> str:
    return str(sp.sstr(relation, order="none"))


def cases(theorem: Theorem, eta: sp.Expr, coverage: Coverage) -> Iterator[Case]:
    """Every case of the gap; NotImplementedError for a loss of all scores."""
    if isinstance(theorem.loss, MarginLoss):
        return _margin_cases(theorem, theorem.loss, eta, coverage)
    if isinstance(theorem.loss, BinaryLoss):
        return _binary_cases(theorem, theorem.loss, eta.subs(K, 2), coverage)
    if isinstance(theorem.loss, SoftmaxLoss):
        return _softmax_cases(theorem, theorem.loss, eta, coverage)
    raise NotImplementedError(NOT_DECIDED)


def _margin_cases(theorem: Theorem, loss: MarginLoss, eta: sp.Expr, coverage: Coverage) -> Iterator[Case]:
    """Right: m = m* >= 0. Wrong: t = -m(W, y) >= s = m*, with t = s if K = 2. ||g||^2 = 2 phi'^2.

    Every subgradient of the margin is a convex combination of e_y - e_k over the rivals k, its norm largest at a
    vertex, and phi' lies between its one-sided limits: closed pieces cover every subgradient.
    """
    classes = class_conditions(theorem)
    right = (*classes, sp.Ge(m, 0, evaluate=False))
    smooth = coverage.smooth(loss.phi, m, classes)
    for mix in mixtures(theorem, coverage):
        for on, off in _switch(loss, classes, coverage):
            for phi in smooth:
                region = (*mix.conditions, *phi.closed(m), sp.Ge(m, 0, evaluate=False), *on)
                gap = mix.right - phi.value + eta * mix.right_weight * sp.diff(phi.value, m) ** 2
                yield Case("right", region, gap, (Sequent((*region, *right), at_most_zero(gap)),), phi.conditions)
            if off:
                region = (*mix.conditions, sp.Ge(m, 0, evaluate=False), *off)
                yield Case("right", region, mix.right, (Sequent((*region, *right), at_most_zero(mix.right)),))
        for phi in smooth:
            yield _wrong_margin_case(theorem, mix, phi, eta)


def _switch(loss: MarginLoss, classes: Region, coverage: Coverage) -> Iterator[tuple[Region, Region]]:
    """Where a right round counts, and where ``off_above`` makes its loss vanish (never, without it)."""
    if loss.off_above is None:
        yield (), ()
        return
    for beta in coverage.pieces(loss.off_above, classes):
        on, off = (kind(m, beta.value, evaluate=False) for kind in (sp.Le, sp.Gt))
        yield (*beta.conditions, on), (*beta.conditions, off)


def _wrong_margin_case(theorem: Theorem, mix: MixtureCase, phi: Piece, eta: sp.Expr) -> Case:
    slope = sp.diff(phi.value, m)
    weight = mix.wrong_weight.subs(m, s)
    gap = mix.wrong.subs(m, s) - phi.value.subs(m, -t) + eta * weight * slope.subs(m, -t) ** 2
    signs = (sp.Ge(s, 0, evaluate=False), sp.Ge(t, 0, evaluate=False))
    where = (*put_all(mix.conditions, {m: s}), *put_all(phi.closed(m), {m: -t}), *signs)
    order = (sp.Le(s, t, evaluate=False),)
    claims = _by_class_count(theorem, where, order, gap, {s: t})
    return Case("wrong", (*where, *order), gap, claims, put_all(phi.conditions, {m: -t}))


def _by_class_count(
    theorem: Theorem, region: Region, order: Region, gap: sp.Expr, forced: Mapping[sp.Symbol, sp.Expr]
) -> tuple[Sequent, ...]:
    """The claims for K = 2, where the scores leave one scalar free (``forced``), and for K >= 3 (with ``order``)."""
    claims = []
    if theorem.claims(2):
        two = {K: sp.Integer(2), **forced}
        claims.append(Sequent(put_all(region, two), at_most_zero(gap.subs(two))))
    if claims_more_than_two(theorem):
        claims.append(Sequent((*region, *order, *class_conditions(theorem, 3)), at_most_zero(gap)))
    return tuple(claims)


def _binary_cases(theorem: Theorem, loss: BinaryLoss, eta: sp.Expr, coverage: Coverage) -> Iterator[Case]:
    """z >= 0 predicts +1, z < 0 predicts -1; m* = abs(z), ||g||^2 = loss'(z)^2. Label +1 first, then -1."""
    sides = (1, sp.Ge(z, 0, evaluate=False), z), (-1, sp.Lt(z, 0, evaluate=False), -z)
    for label, side in ((1, loss.plus), (-1, loss.minus)):
        for predicted, domain, top in sides:
            for mix in mixtures(theorem, coverage):
                for piece in coverage.smooth(side, z, ()):
                    two = {K: sp.Integer(2), m: top}
                    region = (*put_all(mix.conditions, two), *piece.closed(z), domain)
                    risk = (mix.right if predicted == label else mix.wrong).subs(two)
                    gap = risk - piece.value + eta / 2 * sp.diff(piece.value, z) ** 2
                    kind = "right" if predicted == label else "wrong"
                    where = (sp.Eq(LABEL, label, evaluate=False), *region)
                    yield Case(kind, where, gap, (Sequent(region, at_most_zero(gap)),), piece.conditions, label)


def _softmax_cases(theorem: Theorem, loss: SoftmaxLoss, eta: sp.Expr, coverage: Coverage) -> Iterator[Case]:
    """Right: p = p_y = p*. Wrong: q = p_y, p = p*. ||g||^2 = (psi'(p_y) p_y)^2 ((1 - p_y)^2 + S).

    S is the sum of the other squared probabilities, bounded by the largest value that a sum and a largest term allow:
    with sum R and terms <= c it is R^2 if R <= c, c^2 + (R - c)^2 if c <= R <= 2c, and at most c R always.
    """
    smooth = coverage.smooth(loss.psi, p, (*probability(), *class_conditions(theorem)))
    for mix in mixtures(theorem, coverage):
        for psi in smooth:
            yield from _right_softmax_cases(theorem, mix, psi, eta)
            yield from _wrong_softmax_cases(theorem, mix, psi, eta)


def _right_softmax_cases(theorem: Theorem, mix: MixtureCase, psi: Piece, eta: sp.Expr) -> Iterator[Case]:
    half, third = sp.Rational(1, 2), sp.Rational(1, 3)
    squares: list[tuple[Region, sp.Expr]] = [
        ((p >= half,), (1 - p) ** 2),
        ((p >= third, p < half), p**2 + (1 - 2 * p) ** 2),
        ((p < third,), p * (1 - p)),
    ]
    weight = (sp.diff(psi.value, p) * p) ** 2 * mix.right_weight
    for where, others in squares:
        region = (*mix.conditions, *psi.closed(p), *where, p >= 1 / K, p < 1)
        gap = mix.right - psi.value + eta / 2 * weight * ((1 - p) ** 2 + others)
        yield Case("right", region, gap, (Sequent(region + class_conditions(theorem), at_most_zero(gap)),))


def _wrong_softmax_cases(theorem: Theorem, mix: MixtureCase, psi: Piece, eta: sp.Expr) -> Iterator[Case]:
    weight = (sp.diff(psi.value, p).subs(p, q) * q) ** 2 * mix.wrong_weight
    rest = 1 - q - p
    domain = (q <= p, p <= 1 - q, p >= 1 / K, q <= sp.Rational(1, 2), p < 1)
    for where, others in (((p >= rest,), p**2 + rest**2), ((p < rest,), p**2 + p * rest)):
        region = (*mix.conditions, *put_all(psi.closed(p), {p: q}), *where, *domain)
        gap = mix.wrong - psi.value.subs(p, q) + eta / 2 * weight * ((1 - q) ** 2 + others)
        yield Case("wrong", region, gap, _by_class_count(theorem, region, (), gap, {p: 1 - q}))
