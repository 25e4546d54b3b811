"""The parameters are defined, the gap map stays in [0, 1], the rate is positive, and the claimed regret follows."""

from collections.abc import Iterator

from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula, relation, where
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.reduction import Reduction
from gaptron.obligations.sequents import Obligation, Sequent, class_conditions
from gaptron.theory.for_classes import data_of, eta_of
from gaptron.theory.theorem import Theorem


def defined_obligations(reduction: Reduction, coverage: Coverage) -> Iterator[Obligation]:
    """Every parameter has a value, for all that is claimed."""
    data, domain = reduction.data, class_conditions(reduction.theorem)
    named = {
        **{name: data.get(name) for name in reduction.thresholds},
        "abstention cost": data.get("abstention_cost"),
        "exploration": data.get("exploration"),
        "learning rate": eta_of(reduction.theorem),
        "regret": data.get("regret"),
    }
    for name, value in ((name, value) for name, value in named.items() if value is not None):
        claims = tuple(coverage.defined(value, domain))
        if claims:
            yield Obligation(f"{name}/defined", f"{coverage.guesses.said(value)} is a finite real number", claims)


def gap_map_obligations(reduction: Reduction, coverage: Coverage) -> Iterator[Obligation]:
    """a is defined and in [0, 1]."""
    a, domain = reduction.data["gap_map"], (*reduction.tops, *class_conditions(reduction.theorem))
    claims = tuple(coverage.defined(a, domain))
    if claims:
        yield Obligation("gap map/defined", "a is a finite real number everywhere", claims)
    inside = tuple(
        Sequent((*domain, *piece.conditions), then)
        for piece in coverage.pieces(a, domain)
        for then in where("a >= 0", "a <= 1", a=piece.value)
    )
    yield Obligation("gap map/range", "0 <= a <= 1", inside)


def cost_obligations(theorem: Theorem, coverage: Coverage) -> Iterator[Obligation]:
    """The abstention cost, if there is one, is not negative."""
    if theorem.abstention_cost is not None:
        claims = coverage.compared(data_of(theorem)["abstention_cost"], ">=", class_conditions(theorem))
        yield Obligation("abstention cost/nonnegative", f"c = {theorem.abstention_cost} >= 0", claims)


def learning_rate_obligation(theorem: Theorem, eta: Expression, coverage: Coverage) -> Obligation:
    """eta > 0 for every K claimed."""
    claims = coverage.compared(eta, ">", class_conditions(theorem))
    return Obligation("learning rate/positive", f"eta = {coverage.guesses.said(eta)} > 0", claims)


def regret_obligations(theorem: Theorem, eta: Expression, coverage: Coverage) -> Iterator[Obligation]:
    """1/(2 eta) is at most the claimed coefficient of X^2 ||U||^2; nothing to show if none is claimed."""
    if theorem.regret is None:
        return
    domain = class_conditions(theorem)
    claims = tuple(
        Sequent(
            (*domain, *rate.conditions, *regret.conditions),
            relation("1/(2*eta) <= c", eta=rate.value, c=regret.value),
        )
        for rate in coverage.pieces(eta, domain)
        for regret in coverage.pieces(data_of(theorem)["regret"], domain)
        if coverage.keeps((*domain, *rate.conditions, *regret.conditions))
    )
    due = coverage.guesses.said(coverage.guesses.shortened(formula("1/(2*eta)", eta=eta)))
    yield Obligation("regret", f"1/(2 eta) = {due} <= {theorem.regret}", claims)
