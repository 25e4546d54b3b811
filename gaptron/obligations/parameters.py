"""The parameters are defined, the gap map stays in [0, 1], the rate is positive, and the claimed regret follows."""

from collections.abc import Iterator

from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula, relation, where
from gaptron.language.relations import Relation
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import ZERO, Region
from gaptron.obligations.sequents import Obligation, Sequent, class_conditions
from gaptron.theory.for_classes import data_of, eta_of
from gaptron.theory.losses import SoftmaxLoss
from gaptron.theory.theorem import Theorem


def defined_obligations(theorem: Theorem, coverage: Coverage) -> Iterator[Obligation]:
    """Every parameter has a value, for all that is claimed."""
    data, domain = data_of(theorem), class_conditions(theorem)
    named = {
        "off_above": data.get("off_above"),
        "abstention cost": data.get("abstention_cost"),
        "exploration": data.get("exploration"),
        "learning rate": eta_of(theorem),
        "regret": data.get("regret"),
    }
    for name, value in named.items():
        claims = [] if value is None else coverage.defined(value, domain)
        if value is not None and claims:
            yield Obligation(
                f"{name}/defined", f"{coverage.guesses.said(value)} is a finite real number", tuple(claims)
            )


def gap_map_domain(theorem: Theorem) -> Region:
    """Wherever a top margin, or a largest probability, can be."""
    if isinstance(theorem.loss, SoftmaxLoss):
        return where("p >= 1/K", "p < 1")
    return where("m >= 0")


def gap_map_obligations(theorem: Theorem, coverage: Coverage) -> Iterator[Obligation]:
    """a is defined and in [0, 1]."""
    a, domain = data_of(theorem)["gap_map"], (*gap_map_domain(theorem), *class_conditions(theorem))
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
        domain = class_conditions(theorem)
        claims = tuple(
            Sequent((*domain, *piece.conditions), Relation(">=", piece.value, ZERO))
            for piece in coverage.pieces(data_of(theorem)["abstention_cost"], domain)
        )
        yield Obligation("abstention cost/nonnegative", f"c = {theorem.abstention_cost} >= 0", claims)


def learning_rate_obligation(theorem: Theorem, eta: Expression, coverage: Coverage) -> Obligation:
    """eta > 0 for every K claimed."""
    domain = class_conditions(theorem)
    claims = tuple(
        Sequent((*domain, *piece.conditions), Relation(">", piece.value, ZERO))
        for piece in coverage.pieces(eta, domain)
    )
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
