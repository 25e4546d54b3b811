"""The parameters of a bandit theorem: the exploration rate is a probability, and the claimed regret follows.

By the lemma the excess over the comparator's loss is at most D^2/(2 eta) + gamma T (K - 1)/K, and at most T because no
more than T mistakes are made. T is any real >= 1 here, written as the square of sqrt_T; u stands for X D wherever only
the product counts.
"""

from collections.abc import Iterator

import sympy as sp

from gaptron.obligations.claims import Obligation, Sequent, class_conditions
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.mixture import always_explores
from gaptron.obligations.pieces import Piece, Region
from gaptron.obligations.scale import in_scale, tau, tidy
from gaptron.symbols import D, K, T, X, gamma
from gaptron.theory.theorem import Theorem


def exploration_obligation(theorem: Theorem, coverage: Coverage) -> Obligation:
    """0 <= gamma <= 1 for all parameters, and 0 < gamma if that is used."""
    assert theorem.exploration is not None  # noqa: S101
    domain, above = _domain(theorem), sp.Gt if always_explores(theorem) else sp.Ge
    (explored,) = in_scale(coverage, class_conditions(theorem), theorem.exploration)
    claims = tuple(
        Sequent((*domain, *piece.conditions), relation)
        for piece in coverage.pieces(explored, domain)
        for relation in (above(piece.value, 0, evaluate=False), sp.Le(piece.value, 1, evaluate=False))
    )
    sign = "<" if above is sp.Gt else "<="
    return Obligation("exploration/range", f"0 {sign} gamma = {theorem.exploration} <= 1", claims)


def bandit_rate_obligation(theorem: Theorem, coverage: Coverage) -> Obligation:
    """eta X^2 > 0 for all parameters, at the theorem's own exploration rate."""
    assert theorem.exploration is not None and theorem.learning_rate is not None  # noqa: S101, PT018
    explored, rate = in_scale(coverage, class_conditions(theorem), theorem.exploration, theorem.learning_rate * X**2)
    claims = tuple(
        Sequent((*_domain(theorem), *share.conditions, *eta.conditions), sp.Gt(eta.value, 0, evaluate=False))
        for share, eta in _chosen(theorem, explored, rate, coverage)
    )
    return Obligation("learning rate/positive", f"eta = {theorem.learning_rate} > 0", claims)


def bandit_regret_obligation(theorem: Theorem, coverage: Coverage) -> Iterator[Obligation]:
    """min(D^2/(2 eta) + gamma T (K - 1)/K, T) is at most the claimed excess; nothing to show if none is claimed."""
    if theorem.regret is None or theorem.exploration is None or theorem.learning_rate is None:
        return
    due = D**2 / (2 * theorem.learning_rate) + gamma * T * (K - 1) / K
    statement = f"M_T <= T, or D^2/(2 eta) + gamma T (K - 1)/K = {due} <= {theorem.regret} (u = X D, sqrt_T^2 = T)"
    parts = (theorem.exploration, theorem.learning_rate * X**2, theorem.regret, D**2 * X**2)
    explored, rate, claimed, square = in_scale(coverage, class_conditions(theorem), *parts)
    claims = []
    for share, eta in _chosen(theorem, explored, rate, coverage):
        for regret in coverage.pieces(claimed, _domain(theorem)):
            cost = square / (2 * eta.value) + share.value * tau**2 * (K - 1) / K
            cost = tidy(cost, coverage, class_conditions(theorem))
            less = sp.Lt(regret.value, tau**2, evaluate=False)
            given = (*_domain(theorem), *share.conditions, *eta.conditions, *regret.conditions, less)
            claims.append(Sequent(given, sp.Le(cost, regret.value, evaluate=False)))
    yield Obligation("regret", statement, tuple(claims))


def _domain(theorem: Theorem) -> Region:
    return sp.Ge(tau, 1, evaluate=False), *class_conditions(theorem)


def _chosen(theorem: Theorem, explored: sp.Expr, rate: sp.Expr, coverage: Coverage) -> Iterator[tuple[Piece, Piece]]:
    """The pieces of the exploration rate, and of the learning rate there, that may occur together."""
    domain = _domain(theorem)
    for share in coverage.pieces(explored, domain):
        for eta in coverage.pieces(rate.subs(gamma, share.value), domain):
            if coverage.keeps((*domain, *share.conditions, *eta.conditions)):
                yield share, eta
