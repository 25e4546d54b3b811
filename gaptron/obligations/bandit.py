"""The parameters of a bandit theorem: the exploration rate is a probability, and the claimed regret follows.

By the lemma the excess over the comparator's loss is at most D^2/(2 eta) + gamma T (K - 1)/K, and at most T because no
more than T mistakes are made. T is any real >= 1 here, written as the square of sqrt_T; u stands for X D wherever only
the product counts.

Roots are rewritten here by sqrt(a) sqrt(b) = sqrt(a b) and sqrt(f^2 b) = f sqrt(b). The first needs every root that is
written to be defined, which is an obligation on what was written; the second needs f > 0, which is noted as a claim,
as is that what stands under the root is f^2 b.
"""

from collections.abc import Iterator
from fractions import Fraction

from gaptron.language.expressions import Expression, base_and_exponent, variables
from gaptron.language.formulas import formula, relation, where
from gaptron.language.normal import NORMAL, POSITIVE, put
from gaptron.language.relations import Relation
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.mixture import always_explores
from gaptron.obligations.pieces import ZERO, Piece, Region
from gaptron.obligations.sequents import Obligation, Sequent, class_conditions
from gaptron.theory.for_classes import data_of
from gaptron.theory.theorem import Theorem


def exploration_obligation(theorem: Theorem, coverage: Coverage) -> Obligation:
    """0 <= gamma <= 1 for all parameters, and 0 < gamma if that is used."""
    assert theorem.exploration is not None  # noqa: S101
    domain, above = _domain(theorem), ">" if always_explores(theorem, coverage.guesses) else ">="
    (explored,) = in_scale(coverage, class_conditions(theorem), data_of(theorem)["exploration"])
    claims = tuple(
        Sequent((*domain, *piece.conditions), then)
        for piece in coverage.pieces(explored, domain)
        for then in (Relation(above, piece.value, ZERO), relation("share <= 1", share=piece.value))
    )
    sign = "<" if above == ">" else "<="
    return Obligation("exploration/range", f"0 {sign} gamma = {theorem.exploration} <= 1", claims)


def bandit_rate_obligation(theorem: Theorem, coverage: Coverage) -> Obligation:
    """eta X^2 > 0 for all parameters, at the theorem's own exploration rate."""
    assert theorem.exploration is not None and theorem.learning_rate is not None  # noqa: S101, PT018
    explored, rate = in_scale(coverage, class_conditions(theorem), *_rates(theorem))
    claims = tuple(
        Sequent((*_domain(theorem), *share.conditions, *eta.conditions), Relation(">", eta.value, ZERO))
        for share, eta in _chosen(theorem, explored, rate, coverage)
    )
    return Obligation("learning rate/positive", f"eta = {theorem.learning_rate} > 0", claims)


def bandit_regret_obligation(theorem: Theorem, coverage: Coverage) -> Iterator[Obligation]:
    """min(D^2/(2 eta) + gamma T (K - 1)/K, T) is at most the claimed excess; nothing to show if none is claimed."""
    if theorem.regret is None or theorem.exploration is None or theorem.learning_rate is None:
        return
    data = data_of(theorem)
    due = coverage.guesses.said(formula("D**2/(2*eta) + gamma*T*(K - 1)/K", eta=data["learning_rate"]))
    statement = f"M_T <= T, or D^2/(2 eta) + gamma T (K - 1)/K = {due} <= {theorem.regret} (u = X D, sqrt_T^2 = T)"
    parts = (*_rates(theorem), data["regret"], formula("D**2*X**2"))
    explored, rate, claimed, square = in_scale(coverage, class_conditions(theorem), *parts)
    claims = []
    for share, eta in _chosen(theorem, explored, rate, coverage):
        for regret in coverage.pieces(claimed, _domain(theorem)):
            known = {"square": square, "eta": eta.value, "share": share.value}
            cost = formula("square/(2*eta) + share*sqrt_T**2*(K - 1)/K", **known)
            cost = tidy(cost, coverage, class_conditions(theorem))
            less = relation("regret < sqrt_T**2", regret=regret.value)
            given = (*_domain(theorem), *share.conditions, *eta.conditions, *regret.conditions, less)
            claims.append(Sequent(given, Relation("<=", cost, regret.value)))
    yield Obligation("regret", statement, tuple(claims))


def _domain(theorem: Theorem) -> Region:
    return *where("sqrt_T >= 1"), *class_conditions(theorem)


def _rates(theorem: Theorem) -> tuple[Expression, Expression]:
    """gamma, and eta X^2."""
    data = data_of(theorem)
    return data["exploration"], formula("eta*X**2", eta=data["learning_rate"])


def _chosen(
    theorem: Theorem, explored: Expression, rate: Expression, coverage: Coverage
) -> Iterator[tuple[Piece, Piece]]:
    """The pieces of the exploration rate, and of the learning rate there, that may occur together."""
    domain = _domain(theorem)
    for share in coverage.pieces(explored, domain):
        for eta in coverage.pieces(put(rate, {"gamma": share.value}), domain):
            if coverage.keeps((*domain, *share.conditions, *eta.conditions)):
                yield share, eta


def in_scale(coverage: Coverage, classes: Region, *parts: Expression) -> list[Expression]:
    """The expressions in K, u = X D and sqrt_T; with X and D apart if one of them depends on more than X D."""
    rounds = {"T": formula("sqrt_T**2")}
    scaled = [tidy(put(part, {"X": formula("u/D"), **rounds}), coverage, classes) for part in parts]
    if any(variables(part) & {"D", "X"} for part in scaled):
        return [tidy(put(part, rounds), coverage, classes) for part in parts]
    return scaled


def tidy(expression: Expression, coverage: Coverage, classes: Region) -> Expression:
    """Products of square roots as one, with the squares drawn out of it; everywhere inside."""
    if not isinstance(expression, tuple):
        return expression
    head, *below = expression
    if head == "pieces":
        below = [(tidy(value, coverage, classes), when) for value, when in below]
        return ("pieces", *below)
    if head not in ("^", "root"):
        expression = put((head, *(tidy(part, coverage, classes) for part in below)))
    factors = expression[1:] if isinstance(expression, tuple) and expression[0] == "*" else (expression,)
    halves = [part for part in factors if _is_half(part) and variables(part)]
    if not halves:
        return expression
    rest = [part for part in factors if part not in halves]
    squared = [(base, 2 * exponent) for base, exponent in map(base_and_exponent, halves)]
    under = NORMAL.product([NORMAL.rational_power(base, exponent) for base, exponent in squared], [])
    return NORMAL.product([*rest, _root(under, coverage, classes)], [])


def _is_half(part: Expression) -> bool:
    is_power = isinstance(part, tuple) and part[0] in ("^", "root")
    return is_power and base_and_exponent(part)[1].denominator == 2


def _root(under: Expression, coverage: Coverage, classes: Region) -> Expression:
    """sqrt(under), the squares of what seems to be positive outside."""
    outside, inside = coverage.guesses.squares(under)
    for factor in outside[1:] if isinstance(outside, tuple) and outside[0] == "*" else (outside,):
        base = base_and_exponent(factor)[0] if isinstance(factor, tuple) and factor[0] in ("^", "root") else factor
        if base not in POSITIVE and not isinstance(base, Fraction):
            coverage.note(Sequent(classes, Relation(">", base, ZERO)))
    if formula("f**2*rest", f=outside, rest=inside) != under:
        coverage.note(Sequent(classes, relation("f**2*rest == under", f=outside, rest=inside, under=under)))
    return formula("f*sqrt(rest)", f=outside, rest=inside)
