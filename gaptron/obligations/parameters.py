"""The parameters are defined, the gap map stays in [0, 1], the rate is positive, and the claimed regret follows."""

from collections.abc import Iterator

import sympy as sp

from gaptron.obligations.claims import Obligation, Sequent, class_conditions
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import Region
from gaptron.symbols import K, m, p
from gaptron.theory.losses import MarginLoss, SoftmaxLoss
from gaptron.theory.theorem import Theorem


def defined_obligations(theorem: Theorem, coverage: Coverage) -> Iterator[Obligation]:
    """Every parameter has a value, for all that is claimed."""
    beta = theorem.loss.off_above if isinstance(theorem.loss, MarginLoss) else None
    domain = class_conditions(theorem)
    named = {
        "off_above": beta,
        "abstention cost": theorem.abstention_cost,
        "exploration": theorem.exploration,
        "learning rate": theorem.eta(),
        "regret": theorem.regret,
    }
    for name, expr in named.items():
        claims = () if expr is None else tuple(coverage.defined(expr, domain))
        if claims:
            yield Obligation(f"{name}/defined", f"{expr} is a finite real number", claims)


def gap_map_domain(theorem: Theorem) -> Region:
    """Wherever a top margin, or a largest probability, can be."""
    if isinstance(theorem.loss, SoftmaxLoss):
        return sp.Ge(p, 1 / K, evaluate=False), sp.Lt(p, 1, evaluate=False)
    return (sp.Ge(m, 0, evaluate=False),)


def gap_map_obligations(theorem: Theorem, coverage: Coverage) -> Iterator[Obligation]:
    """a is defined and in [0, 1]."""
    a, domain = theorem.gap_map.expression, (*gap_map_domain(theorem), *class_conditions(theorem))
    claims = tuple(coverage.defined(a, domain))
    if claims:
        yield Obligation("gap map/defined", "a is a finite real number everywhere", claims)
    inside = tuple(
        Sequent((*domain, *piece.conditions), relation)
        for piece in coverage.pieces(a, domain)
        for relation in (sp.Ge(piece.value, 0, evaluate=False), sp.Le(piece.value, 1, evaluate=False))
    )
    yield Obligation("gap map/range", "0 <= a <= 1", inside)


def cost_obligations(theorem: Theorem, coverage: Coverage) -> Iterator[Obligation]:
    """The abstention cost, if there is one, is not negative."""
    if theorem.abstention_cost is not None:
        domain = class_conditions(theorem)
        claims = tuple(
            Sequent((*domain, *piece.conditions), sp.Ge(piece.value, 0, evaluate=False))
            for piece in coverage.pieces(theorem.abstention_cost, domain)
        )
        yield Obligation("abstention cost/nonnegative", f"c = {theorem.abstention_cost} >= 0", claims)


def learning_rate_obligation(theorem: Theorem, eta: sp.Expr, coverage: Coverage) -> Obligation:
    """eta > 0 for every K claimed."""
    domain = class_conditions(theorem)
    claims = tuple(
        Sequent((*domain, *piece.conditions), sp.Gt(piece.value, 0, evaluate=False))
        for piece in coverage.pieces(eta, domain)
    )
    return Obligation("learning rate/positive", f"eta = {eta} > 0", claims)


def regret_obligations(theorem: Theorem, eta: sp.Expr, coverage: Coverage) -> Iterator[Obligation]:
    """1/(2 eta) is at most the claimed coefficient of X^2 ||U||^2; nothing to show if none is claimed."""
    if theorem.regret is None:
        return
    domain = class_conditions(theorem)
    claims = tuple(
        Sequent(
            (*domain, *rate.conditions, *regret.conditions),
            sp.Le(1 / (2 * rate.value), regret.value, evaluate=False),
        )
        for rate in coverage.pieces(eta, domain)
        for regret in coverage.pieces(theorem.regret, domain)
        if coverage.keeps((*domain, *rate.conditions, *regret.conditions))
    )
    due = sp.cancel(sp.together(1 / (2 * eta)))
    yield Obligation("regret", f"1/(2 eta) = {due} <= {theorem.regret}", claims)
