"""The parameters of a bandit theorem: the exploration rate is a probability, and the claimed regret follows.

By the lemma the excess over the comparator's loss is at most D^2/(2 eta) + gamma T (K - 1)/K, and at most T because no
more than T mistakes are made. T is any real >= 1 here, written as the square of sqrt_T; u stands for X D wherever only
the product counts.
"""

from collections.abc import Iterator

import sympy as sp
from sympy.core.relational import Relational

from gaptron.obligations.claims import Claim, Obligation, class_conditions
from gaptron.pieces import defined_pieces, is_nonnegative
from gaptron.symbols import D, K, T, X, gamma
from gaptron.theorem import Theorem

u = sp.Symbol("u", positive=True)  # X D
tau = sp.Symbol("sqrt_T", positive=True)


def exploration_obligation(theorem: Theorem) -> Obligation:
    """0 <= gamma <= 1 for all parameters."""
    assert theorem.exploration is not None  # noqa: S101
    (explored,) = in_scale(theorem.exploration)
    claims = tuple(
        Claim((*piece.conditions, *_horizon(), *class_conditions(theorem)), relation)
        for piece in defined_pieces(explored)
        for relation in (sp.Ge(piece.value, 0, evaluate=False), sp.Le(piece.value, 1, evaluate=False))
    )
    return Obligation("exploration/range", f"0 <= gamma = {theorem.exploration} <= 1", claims)


def bandit_rate_obligation(theorem: Theorem) -> Obligation:
    """eta X^2 > 0 for all parameters, at the theorem's own exploration rate."""
    assert theorem.exploration is not None and theorem.learning_rate is not None  # noqa: S101, PT018
    explored, rate = in_scale(theorem.exploration, theorem.learning_rate * X**2)
    claims = tuple(
        Claim(
            (*share.conditions, *eta.conditions, *_horizon(), *class_conditions(theorem)),
            sp.Gt(eta.value, 0, evaluate=False),
        )
        for share in defined_pieces(explored)
        for eta in defined_pieces(rate.subs(gamma, share.value))
    )
    return Obligation("learning rate/positive", f"eta = {theorem.learning_rate} > 0", claims)


def bandit_regret_obligation(theorem: Theorem) -> Iterator[Obligation]:
    """min(D^2/(2 eta) + gamma T (K - 1)/K, T) is at most the claimed excess; nothing to show if none is claimed."""
    if theorem.regret is None or theorem.exploration is None or theorem.learning_rate is None:
        return
    due = D**2 / (2 * theorem.learning_rate) + gamma * T * (K - 1) / K
    statement = f"M_T <= T, or D^2/(2 eta) + gamma T (K - 1)/K = {due} <= {theorem.regret} (u = X D, sqrt_T^2 = T)"
    explored, rate, claimed = in_scale(theorem.exploration, theorem.learning_rate * X**2, theorem.regret)
    claims = []
    for share in defined_pieces(explored):
        for eta in defined_pieces(rate.subs(gamma, share.value)):
            for regret in defined_pieces(claimed):
                cost = tidy(scale(D**2 * X**2) / (2 * eta.value) + share.value * tau**2 * (K - 1) / K)
                given = (*share.conditions, *eta.conditions, *regret.conditions, regret.value < tau**2, *_horizon())
                claims.append(Claim((*given, *class_conditions(theorem)), sp.Le(cost, regret.value, evaluate=False)))
    yield Obligation("regret", statement, tuple(claims))


def _horizon() -> tuple[Relational, ...]:
    return (tau >= 1,)


def in_scale(*parts: sp.Expr) -> list[sp.Expr]:
    """The expressions in K, u = X D and sqrt_T; with X and D apart if one of them depends on more than X D."""
    scaled = [scale(part) for part in parts]
    if any(D in part.free_symbols or X in part.free_symbols for part in scaled):
        return [tidy(part.subs(T, tau**2)) for part in parts]
    return scaled


def scale(part: sp.Expr) -> sp.Expr:
    """The expression with X D = u and T = sqrt_T^2."""
    return tidy(part.subs(X, u / D).subs(T, tau**2))


def tidy(expr: sp.Expr) -> sp.Expr:
    """Products of square roots as one, with the squares drawn out of it, for K >= 2; everywhere inside."""
    if not expr.args:
        return expr
    expr = expr.func(*map(tidy, expr.args)) if not isinstance(expr, sp.Pow) else expr
    if isinstance(expr, (sp.Pow, sp.Mul)):
        halves = [f for f in sp.Mul.make_args(expr) if isinstance(f, sp.Pow) and f.exp.is_Rational and f.exp.q == 2]
        if halves and any(half.base.free_symbols for half in halves):
            rest = sp.Mul(*(f for f in sp.Mul.make_args(expr) if f not in halves))
            return rest * _root(sp.Mul(*(half.base ** (2 * half.exp) for half in halves)))
    return expr


def _root(radicand: sp.Expr) -> sp.Expr:
    """sqrt(radicand), the squares of factors that are positive for every K >= 2 outside."""
    numerator, denominator = (sp.factor_list(part) for part in sp.fraction(sp.cancel(sp.together(radicand))))
    outside, inside = sp.Integer(1), numerator[0] / denominator[0]
    for factors, sign in ((numerator[1], 1), (denominator[1], -1)):
        for factor, power in factors:
            halves = power // 2 if _is_positive(factor) else 0
            outside *= factor ** (sign * halves)
            inside *= factor ** (sign * (power - 2 * halves))
    return outside * sp.sqrt(inside)


def _is_positive(factor: sp.Expr) -> bool:
    return bool(factor.is_positive) or (factor.free_symbols == {K} and is_nonnegative(factor, strict=True))
