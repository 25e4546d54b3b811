"""The cases of the surrogate gap: from (W, x, y) to the few scalars it depends on, for ||x|| = 1.

The gap P(wrong) - loss + (eta/2) ||g||^2 grows with ||x||, so ||x|| <= 1 is covered by ||x|| = 1.
"""

from collections.abc import Iterator

import sympy as sp
from sympy.core.relational import Relational

from gaptron.losses import BinaryLoss, MarginLoss, SoftmaxLoss
from gaptron.obligations.claims import Claim, Obligation, at_most_zero, claims_more_than_two, class_conditions
from gaptron.obligations.loss import smooth_pieces
from gaptron.obligations.mixture import Mixture, mixtures
from gaptron.pieces import Piece, defined_pieces, is_empty
from gaptron.symbols import K, m, p, z
from gaptron.theorem import Theorem

s = sp.Symbol("s", real=True)  # top margin m* on a wrong round
t = sp.Symbol("t", real=True)  # minus the margin of the true label on a wrong round
q = sp.Symbol("q", positive=True)  # softmax probability of the true label on a wrong round

Region = tuple[Relational, ...]
Case = tuple[str, Region, sp.Expr, list[Claim]]  # "right" or "wrong", where, the gap, what to prove


def gap_obligations(theorem: Theorem, eta: sp.Expr) -> Iterator[Obligation]:
    """One obligation for every case of the surrogate gap, numbered within right rounds and within wrong rounds."""
    numbers = {"right": 0, "wrong": 0}
    for rate in defined_pieces(eta):
        for kind, region, gap, claims in cases(theorem, rate.value):
            claims = [narrowed for claim in claims for narrowed in _where(rate.conditions, claim)]
            if not claims:
                continue
            numbers[kind] += 1
            where = ", ".join(_shown(c) for c in dict.fromkeys(rate.conditions + region) if c != sp.true)
            yield Obligation(f"gap/{kind}/{numbers[kind]}", f"{gap} <= 0 for {where}", tuple(claims))


def _where(conditions: Region, claim: Claim) -> list[Claim]:
    """The claim for the K that meet the conditions; a claim without K is about K = 2."""
    if not any(K in relation.free_symbols for relation in (*claim.given, claim.then)):
        conditions = tuple(condition.subs(K, 2) for condition in conditions)
    given = (*conditions, *claim.given)
    return [] if is_empty(given) else [Claim(given, claim.then)]


def _shown(relation: Relational) -> str:
    return str(sp.sstr(relation, order="none"))


def cases(theorem: Theorem, eta: sp.Expr) -> Iterator[Case]:
    """Every case of the gap: right or wrong, where, the gap itself, and the claims that say it is <= 0."""
    if isinstance(theorem.loss, MarginLoss):
        return _margin_cases(theorem, theorem.loss, eta)
    if isinstance(theorem.loss, BinaryLoss):
        return _binary_cases(theorem, theorem.loss, eta.subs(K, 2))
    return _softmax_cases(theorem, theorem.loss, eta)


def _margin_cases(theorem: Theorem, loss: MarginLoss, eta: sp.Expr) -> Iterator[Case]:
    """Right: m = m* >= 0. Wrong: t = -m(W, y) >= s = m*, with t = s if K = 2. ||g||^2 = 2 phi'^2.

    Every subgradient of the margin is a convex combination of e_y - e_k over the rivals k, its norm largest at a
    vertex, and phi' lies between its one-sided limits: closed pieces cover every subgradient.
    """
    classes = class_conditions(theorem)
    for mix in mixtures(theorem, (m >= 0,)):
        for on, off in _switch(loss):
            for phi in smooth_pieces(loss.phi):
                region = (*mix.conditions, *phi.closed(), m >= 0, *on)
                gap = mix.right - phi.value + eta * mix.right_weight * sp.diff(phi.value, m) ** 2
                if not is_empty(region):
                    yield "right", region, gap, [Claim(region + classes, at_most_zero(gap))]
            region, gap = (*mix.conditions, m >= 0, *off), mix.right
            if off and not is_empty(region):
                yield "right", region, gap, [Claim(region + classes, at_most_zero(gap))]
        for phi in smooth_pieces(loss.phi):
            yield _wrong_margin_case(theorem, mix, phi, eta)


def _switch(loss: MarginLoss) -> Iterator[tuple[Region, Region]]:
    """Where a right round counts, and where ``off_above`` makes its loss vanish (never, without it)."""
    if loss.off_above is None:
        yield (), ()
        return
    for beta in defined_pieces(loss.off_above):
        yield (*beta.conditions, m <= beta.value), (*beta.conditions, m > beta.value)


def _wrong_margin_case(theorem: Theorem, mix: Mixture, phi: Piece, eta: sp.Expr) -> Case:
    slope = sp.diff(phi.value, m)
    weight = mix.wrong_weight.subs(m, s)
    gap = mix.wrong.subs(m, s) - phi.value.subs(m, -t) + eta * weight * slope.subs(m, -t) ** 2
    where = (*(c.subs(m, s) for c in mix.conditions), *(c.subs(m, -t) for c in phi.closed()), s >= 0, t >= 0)
    return "wrong", (*where, s <= t), gap, _by_class_count(theorem, where, (s <= t,), gap, {s: t})


def _by_class_count(
    theorem: Theorem, region: Region, order: Region, gap: sp.Expr, forced: dict[sp.Symbol, sp.Expr]
) -> list[Claim]:
    """The claims for K = 2, where the scores leave one scalar free (``forced``), and for K >= 3 (with ``order``)."""
    claims = []
    two = tuple(c.subs({K: 2} | forced) for c in region)
    if theorem.claims(2) and not is_empty(two):
        claims.append(Claim(two, at_most_zero(gap.subs({K: 2} | forced))))
    more = (*region, *order, *class_conditions(theorem, 3))
    if claims_more_than_two(theorem) and not is_empty(more):
        claims.append(Claim(more, at_most_zero(gap)))
    return claims


def _binary_cases(theorem: Theorem, loss: BinaryLoss, eta: sp.Expr) -> Iterator[Case]:
    """z >= 0 predicts +1, z < 0 predicts -1; m* = abs(z), ||g||^2 = loss'(z)^2. Label +1 first, then -1."""
    for label, side in ((1, loss.plus), (-1, loss.minus)):
        for predicted, domain, top in ((1, z >= 0, z), (-1, z < 0, -z)):
            for mix in mixtures(theorem, (m >= 0,)):
                for piece in smooth_pieces(side):
                    region = (*(c.subs(m, top) for c in mix.conditions), *piece.closed(), domain)
                    risk = (mix.right if predicted == label else mix.wrong).subs(K, 2).subs(m, top)
                    gap = risk - piece.value + eta / 2 * sp.diff(piece.value, z) ** 2
                    if not is_empty(region):
                        where = (sp.Eq(LABEL, label, evaluate=False), *region)
                        yield (
                            ("right" if predicted == label else "wrong"),
                            where,
                            gap,
                            [Claim(region, at_most_zero(gap))],
                        )


LABEL = sp.Symbol("y")  # the label of a binary round, shown in statements


def binary_label(obligation: Obligation) -> int:
    """0 if a case of a binary loss is about the label +1, 1 if it is about -1."""
    return 0 if f"Eq({LABEL}, 1)" in obligation.statement else 1


def _softmax_cases(theorem: Theorem, loss: SoftmaxLoss, eta: sp.Expr) -> Iterator[Case]:
    """Right: p = p_y = p*. Wrong: q = p_y, p = p*. ||g||^2 = (psi'(p_y) p_y)^2 ((1 - p_y)^2 + S).

    S is the sum of the other squared probabilities, bounded by the largest value that a sum and a largest term allow:
    with sum R and terms <= c it is R^2 if R <= c, c^2 + (R - c)^2 if c <= R <= 2c, and at most c R always.
    """
    for mix in mixtures(theorem, (p >= 1 / K, p < 1)):
        for psi in smooth_pieces(loss.psi, (p > 0, p < 1)):
            yield from _right_softmax_cases(theorem, mix, psi, eta)
            yield from _wrong_softmax_cases(theorem, mix, psi, eta)


def _right_softmax_cases(theorem: Theorem, mix: Mixture, psi: Piece, eta: sp.Expr) -> Iterator[Case]:
    half, third = sp.Rational(1, 2), sp.Rational(1, 3)
    squares: list[tuple[Region, sp.Expr]] = [
        ((p >= half,), (1 - p) ** 2),
        ((p >= third, p < half), p**2 + (1 - 2 * p) ** 2),
        ((p < third,), p * (1 - p)),
    ]
    weight = (sp.diff(psi.value, p) * p) ** 2 * mix.right_weight
    for where, others in squares:
        region = (*mix.conditions, *psi.closed(), *where, p >= 1 / K, p < 1)
        gap = mix.right - psi.value + eta / 2 * weight * ((1 - p) ** 2 + others)
        if not is_empty(region):
            yield "right", region, gap, [Claim(region + class_conditions(theorem), at_most_zero(gap))]


def _wrong_softmax_cases(theorem: Theorem, mix: Mixture, psi: Piece, eta: sp.Expr) -> Iterator[Case]:
    weight = (sp.diff(psi.value, p).subs(p, q) * q) ** 2 * mix.wrong_weight
    rest = 1 - q - p
    domain = (q <= p, p <= 1 - q, p >= 1 / K, q <= sp.Rational(1, 2), p < 1)
    for where, others in (((p >= rest,), p**2 + rest**2), ((p < rest,), p**2 + p * rest)):
        region = (*mix.conditions, *(c.subs(p, q) for c in psi.closed()), *where, *domain)
        gap = mix.wrong - psi.value.subs(p, q) + eta / 2 * weight * ((1 - q) ** 2 + others)
        yield "wrong", region, gap, _by_class_count(theorem, region, (), gap, {p: 1 - q})
