"""The gap map stays in [0, 1], the learning rate is positive, and the claimed regret follows from it."""

from collections.abc import Iterator

import sympy as sp

from gaptron.losses import SoftmaxLoss
from gaptron.obligations.claims import Claim, Obligation, class_conditions
from gaptron.obligations.loss import defined
from gaptron.pieces import defined_pieces
from gaptron.symbols import K, m, p
from gaptron.theorem import Theorem


def gap_map_obligations(theorem: Theorem) -> Iterator[Obligation]:
    """a is defined and in [0, 1] wherever a top margin, or a largest probability, can be."""
    a = theorem.gap_map.expression
    domain = (p >= 1 / K, p < 1) if isinstance(theorem.loss, SoftmaxLoss) else (m >= 0,)
    given = domain + class_conditions(theorem)
    claims = tuple(defined(a, given))
    if claims:
        yield Obligation("gap map/defined", "a is a finite real number everywhere", claims)
    inside = tuple(
        Claim(piece.conditions + given, relation)
        for piece in defined_pieces(a, domain)
        for relation in (sp.Ge(piece.value, 0, evaluate=False), sp.Le(piece.value, 1, evaluate=False))
    )
    yield Obligation("gap map/range", "0 <= a <= 1", inside)


def cost_obligations(theorem: Theorem) -> Iterator[Obligation]:
    """The abstention cost, if there is one, is not negative."""
    if theorem.abstention_cost is not None:
        claims = tuple(
            Claim(piece.conditions + class_conditions(theorem), sp.Ge(piece.value, 0, evaluate=False))
            for piece in defined_pieces(theorem.abstention_cost)
        )
        yield Obligation("abstention cost/nonnegative", f"c = {theorem.abstention_cost} >= 0", claims)


def learning_rate_obligation(theorem: Theorem, eta: sp.Expr) -> Obligation:
    """eta > 0 for every K claimed."""
    return Obligation(
        "learning rate/positive",
        f"eta = {eta} > 0",
        tuple(
            Claim(piece.conditions + class_conditions(theorem), sp.Gt(piece.value, 0, evaluate=False))
            for piece in defined_pieces(eta)
        ),
    )


def regret_obligations(theorem: Theorem, eta: sp.Expr) -> Iterator[Obligation]:
    """1/(2 eta) is at most the claimed coefficient of X^2 ||U||^2; nothing to show if none is claimed."""
    if theorem.regret is None:
        return
    claims = tuple(
        Claim(
            rate.conditions + regret.conditions + class_conditions(theorem),
            sp.Le(1 / (2 * rate.value), regret.value, evaluate=False),
        )
        for rate in defined_pieces(eta)
        for regret in defined_pieces(theorem.regret)
    )
    due = sp.cancel(sp.together(1 / (2 * eta)))
    yield Obligation("regret", f"1/(2 eta) = {due} <= {theorem.regret}", claims)
