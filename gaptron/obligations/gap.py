"""The cases of the surrogate gap: from (W, x, y) to the few scalars it depends on, for ||x|| = 1.

The gap P(wrong) - loss + (eta/2) ||g||^2 grows with ||x||, so ||x|| <= 1 is covered by ||x|| = 1.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula, relation, where
from gaptron.language.normal import put, slope
from gaptron.language.relations import Relation
from gaptron.obligations.all_scores import NOT_DECIDED
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.loss import probability
from gaptron.obligations.mixture import MixtureCase, mixtures
from gaptron.obligations.pieces import Piece, Region, put_all
from gaptron.obligations.sequents import Obligation, Sequent, at_most_zero, claims_more_than_two, class_conditions
from gaptron.theory.for_classes import data_of, functions_of
from gaptron.theory.losses import BinaryLoss, MarginLoss, SoftmaxLoss
from gaptron.theory.theorem import Theorem

LABEL = "y"  # the label of a binary round, shown in statements
MINUS_T = formula("-t")
TWO = Fraction(2)


@dataclass(frozen=True)
class Case:
    """Rounds of one kind ("right" or "wrong"): where, the gap itself, the claims that say it is at most 0.

    Of a wrong round s is the top margin m*, -t the margin of the true label, q its softmax probability.

    ``beside`` are the conditions of the loss's piece, of which ``region`` has the closure; ``label`` is that of the
    rounds of a binary loss.
    """

    kind: str
    region: Region
    gap: Expression
    claims: tuple[Sequent, ...]
    beside: Region = ()
    label: int | None = None


def gap_obligations(theorem: Theorem, eta: Expression, coverage: Coverage) -> Iterator[Obligation]:
    """One obligation for every case of the surrogate gap, numbered within right rounds and within wrong rounds."""
    numbers = {"right": 0, "wrong": 0}
    for rate in coverage.pieces(eta, class_conditions(theorem)):
        for case in cases(theorem, rate.value, coverage):
            claims = [_where(rate.conditions, claim) for claim in case.claims]
            kept = tuple(claim for claim in claims if coverage.keeps(claim.given))
            if not kept:
                continue
            numbers[case.kind] += 1
            there = ", ".join(map(coverage.guesses.said_relation, dict.fromkeys(rate.conditions + case.region)))
            name = f"gap/{case.kind}/{numbers[case.kind]}"
            yield Obligation(name, f"{coverage.guesses.said(case.gap)} <= 0 for {there}", kept, label=case.label)


def _where(conditions: Region, claim: Sequent) -> Sequent:
    """The claim for the K that meet the conditions; a claim without K is about K = 2."""
    if "K" not in claim.names:
        conditions = put_all(conditions, {"K": TWO})
    return Sequent((*conditions, *claim.given), claim.then)


def cases(theorem: Theorem, eta: Expression, coverage: Coverage) -> Iterator[Case]:
    """Every case of the gap; NotImplementedError for a loss of all scores."""
    if isinstance(theorem.loss, MarginLoss):
        return _margin_cases(theorem, theorem.loss, eta, coverage)
    if isinstance(theorem.loss, BinaryLoss):
        return _binary_cases(theorem, theorem.loss, put(eta, {"K": TWO}), coverage)
    if isinstance(theorem.loss, SoftmaxLoss):
        return _softmax_cases(theorem, theorem.loss, eta, coverage)
    raise NotImplementedError(NOT_DECIDED)


def _margin_cases(theorem: Theorem, loss: MarginLoss, eta: Expression, coverage: Coverage) -> Iterator[Case]:
    """Right: m = m* >= 0. Wrong: t = -m(W, y) >= s = m*, with t = s if K = 2. ||g||^2 = 2 phi'^2.

    Every subgradient of the margin is a convex combination of e_y - e_k over the rivals k, its norm largest at a
    vertex, and phi' lies between its one-sided limits: closed pieces cover every subgradient.
    """
    classes = class_conditions(theorem)
    right = (*classes, *where("m >= 0"))
    smooth = coverage.smooth(data_of(theorem)["loss"], "m", classes)
    for mix in mixtures(theorem, coverage):
        for on, off in _switch(theorem, classes, coverage):
            for phi in smooth:
                region = (*mix.conditions, *phi.closed("m"), *where("m >= 0"), *on)
                gap = formula(
                    "right - phi + eta*squares",
                    right=mix.right, phi=phi.value, eta=eta, squares=_squares(phi.value, "m", mix.right_weight),
                )  # fmt: skip
                yield Case("right", region, gap, (Sequent((*region, *right), at_most_zero(gap)),), phi.conditions)
            if off:
                region = (*mix.conditions, *where("m >= 0"), *off)
                yield Case("right", region, mix.right, (Sequent((*region, *right), at_most_zero(mix.right)),))
        for phi in smooth:
            yield _wrong_margin_case(theorem, mix, phi, eta)


def _switch(theorem: Theorem, classes: Region, coverage: Coverage) -> Iterator[tuple[Region, Region]]:
    """Where a right round counts, and where ``off_above`` makes its loss vanish (never, without it)."""
    off_above = data_of(theorem).get("off_above")
    if off_above is None:
        yield (), ()
        return
    for beta in coverage.pieces(off_above, classes):
        on, off = where("m <= beta", "m > beta", beta=beta.value)
        yield (*beta.conditions, on), (*beta.conditions, off)


def _wrong_margin_case(theorem: Theorem, mix: MixtureCase, phi: Piece, eta: Expression) -> Case:
    top, behind = {"m": "s"}, {"m": MINUS_T}
    gap = formula(
        "wrong - phi + eta*squares",
        wrong=put(mix.wrong, top), phi=put(phi.value, behind), eta=eta,
        squares=put(_squares(phi.value, "m", put(mix.wrong_weight, top)), behind),
    )  # fmt: skip
    region = (*put_all(mix.conditions, top), *put_all(phi.closed("m"), behind), *where("s >= 0", "t >= 0"))
    order = where("s <= t")
    claims = _by_class_count(theorem, region, order, gap, {"s": "t"})
    return Case("wrong", (*region, *order), gap, claims, put_all(phi.conditions, behind))


def _squares(loss: Expression, variable: str, weight: Expression) -> Expression:
    """weight loss'^2, and 0 where the loss does not change, however much that would count."""
    found = slope(loss, variable)
    return formula("weight*slope**2", weight=weight, slope=found) if found != 0 else found


def _by_class_count(
    theorem: Theorem, region: Region, order: Region, gap: Expression, forced: Mapping[str, Expression]
) -> tuple[Sequent, ...]:
    """The claims for K = 2, where the scores leave one scalar free (``forced``), and for K >= 3 (with ``order``)."""
    claims = []
    if theorem.claims(2):
        two = {"K": TWO, **forced}
        claims.append(Sequent(put_all(region, two), at_most_zero(put(gap, two))))
    if claims_more_than_two(theorem):
        claims.append(Sequent((*region, *order, *class_conditions(theorem, 3)), at_most_zero(gap)))
    return tuple(claims)


def _binary_cases(theorem: Theorem, loss: BinaryLoss, eta: Expression, coverage: Coverage) -> Iterator[Case]:
    """z >= 0 predicts +1, z < 0 predicts -1; m* = abs(z), ||g||^2 = loss'(z)^2. Label +1 first, then -1."""
    sides = (1, relation("z >= 0"), "z"), (-1, relation("z < 0"), formula("-z"))
    for label, (_, side, _) in zip((1, -1), functions_of(loss), strict=True):
        for predicted, domain, top in sides:
            for mix in mixtures(theorem, coverage):
                for piece in coverage.smooth(side, "z", ()):
                    two = {"K": TWO, "m": top}
                    region = (*put_all(mix.conditions, two), *piece.closed("z"), domain)
                    risk = put(mix.right if predicted == label else mix.wrong, two)
                    known = {"loss": piece.value, "eta": eta, "slope": slope(piece.value, "z")}
                    gap = formula("risk - loss + eta/2*slope**2", risk=risk, **known)
                    kind = "right" if predicted == label else "wrong"
                    labelled = (Relation("=", LABEL, Fraction(label)), *region)
                    yield Case(kind, labelled, gap, (Sequent(region, at_most_zero(gap)),), piece.conditions, label)


def _softmax_cases(theorem: Theorem, loss: SoftmaxLoss, eta: Expression, coverage: Coverage) -> Iterator[Case]:
    """Right: p = p_y = p*. Wrong: q = p_y, p = p*. ||g||^2 = (psi'(p_y) p_y)^2 ((1 - p_y)^2 + S).

    S is the sum of the other squared probabilities, bounded by the largest value that a sum and a largest term allow:
    with sum R and terms <= c it is R^2 if R <= c, c^2 + (R - c)^2 if c <= R <= 2c, and at most c R always.
    """
    smooth = coverage.smooth(data_of(theorem)["loss"], "p", (*probability(), *class_conditions(theorem)))
    for mix in mixtures(theorem, coverage):
        for psi in smooth:
            yield from _right_softmax_cases(theorem, mix, psi, eta)
            yield from _wrong_softmax_cases(theorem, mix, psi, eta)


def _right_softmax_cases(theorem: Theorem, mix: MixtureCase, psi: Piece, eta: Expression) -> Iterator[Case]:
    squares = [
        (where("p >= 1/2"), formula("(1 - p)**2")),
        (where("p >= 1/3", "p < 1/2"), formula("p**2 + (1 - 2*p)**2")),
        (where("p < 1/3"), formula("p*(1 - p)")),
    ]
    weight = _squares(psi.value, "p", formula("weight*p**2", weight=mix.right_weight))
    for there, others in squares:
        region = (*mix.conditions, *psi.closed("p"), *there, *where("p >= 1/K", "p < 1"))
        gap = formula(
            "right - psi + eta/2*weight*((1 - p)**2 + others)",
            right=mix.right, psi=psi.value, eta=eta, weight=weight, others=others,
        )  # fmt: skip
        yield Case("right", region, gap, (Sequent(region + class_conditions(theorem), at_most_zero(gap)),))


def _wrong_softmax_cases(theorem: Theorem, mix: MixtureCase, psi: Piece, eta: Expression) -> Iterator[Case]:
    true = {"p": "q"}
    squares_of_true = put(_squares(psi.value, "p", formula("p**2")), true)
    weight = formula("squares*weight", squares=squares_of_true, weight=mix.wrong_weight)
    domain = where("q <= p", "p <= 1 - q", "p >= 1/K", "q <= 1/2", "p < 1")
    squares = [
        (where("p >= 1 - q - p"), formula("p**2 + (1 - q - p)**2")),
        (where("p < 1 - q - p"), formula("p**2 + p*(1 - q - p)")),
    ]
    for there, others in squares:
        region = (*mix.conditions, *put_all(psi.closed("p"), true), *there, *domain)
        gap = formula(
            "wrong - psi + eta/2*weight*((1 - q)**2 + others)",
            wrong=mix.wrong, psi=put(psi.value, true), eta=eta, weight=weight, others=others,
        )  # fmt: skip
        yield Case("wrong", region, gap, _by_class_count(theorem, region, (), gap, {"p": formula("1 - q")}))
