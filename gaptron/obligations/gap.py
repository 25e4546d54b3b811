"""The surrogate gap is at most zero, case by case, or a decoder exists for which it is.

The gap P(wrong) - loss + (eta/2) ||g||^2 grows with ||x||, so ||x|| <= 1 is covered by ||x|| = 1.
"""

from collections.abc import Iterator

from gaptron.language.expressions import Expression
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import Region, put_all
from gaptron.obligations.reduction import TWO, Reduction
from gaptron.obligations.sequents import Obligation, Sequent, class_conditions


def gap_obligations(reduction: Reduction, eta: Expression, coverage: Coverage) -> Iterator[Obligation]:
    """One obligation for every case of the surrogate gap, numbered within right rounds and within wrong rounds."""
    numbers = {"right": 0, "wrong": 0}
    for rate in coverage.pieces(eta, class_conditions(reduction.theorem)):
        for case in reduction.cases(rate.value, coverage):
            claims = [_where(rate.conditions, claim) for claim in case.claims]
            kept = tuple(claim for claim in claims if coverage.keeps(claim.given))
            if not kept:
                continue
            numbers[case.kind] += 1
            there = ", ".join(map(coverage.guesses.said_relation, dict.fromkeys(rate.conditions + case.region)))
            name = f"gap/{case.kind}/{numbers[case.kind]}"
            yield Obligation(name, f"{coverage.guesses.said(case.gap)} <= 0 for {there}", kept, label=case.label)


def decoder_obligations(reduction: Reduction, eta: Expression, coverage: Coverage) -> Iterator[Obligation]:
    """sum_k max(0, 1 - loss_k + (eta/2) ||g_k||^2) <= 1, case by case."""
    number = 0
    for rate in coverage.pieces(eta, class_conditions(reduction.theorem)):
        try:
            implications = list(reduction.decoder_implications(rate.value, coverage))
        except NotImplementedError as reason:
            yield Obligation("decoder", "a decoder exists", (), str(reason))
            return
        for i in implications:
            given = (*rate.conditions, *i.given)
            if coverage.keeps(given):
                number += 1
                yield Obligation(f"decoder/{number}", f"{i.name}: {i.statement}", (Sequent(given, i.then),))


def _where(conditions: Region, claim: Sequent) -> Sequent:
    """The claim for the K that meet the conditions; a claim without K is about K = 2."""
    if "K" not in claim.names:
        conditions = put_all(conditions, {"K": TWO})
    return Sequent((*conditions, *claim.given), claim.then)
