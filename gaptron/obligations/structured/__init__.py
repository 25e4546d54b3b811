"""StructuredTheorem -> obligations.

One lemma stands behind them: online gradient descent with rate eta has sum loss(W) - (eta/2) sum ||g||^2 <=
sum loss(U) + ||U||^2/(2 eta) for convex losses, and proximal updates have sum e(W) <= sum loss(U) + c ||U||^2; the
surrogate is convex in W = (scores) because Omega* is a supremum of linear functions. If in every round a decoder has
E L <= alpha (loss - (eta/2) ||g||^2), or alpha e, then E sum L <= alpha (sum loss(U) + ||U||^2/(2 eta)), or
alpha (sum loss(U) + c ||U||^2). When it exists is in ``criterion``.

What has to be believed, beside the modules of ``gaptron.obligations`` and sympy, which differentiates and puts in here:

| module | lines | what it says | how it is tested |
|---|---|---|---|
| __init__ | 45 | which obligations a theorem has | a theorem broken in each argument is not PROVED |
| cases | 38 | the numbers of the criterion, the sizes | linear programs over all decoders |
| curvature | 99 | convex, strongly convex | moduli against second differences; entropies that are not convex |
| criterion, vertices | 94 | few outputs: finitely many distributions | against random distributions, by brute force |
| uniform, coordinates | 147 | 0-1 and Hamming targets, every size | against ``vertices``, size by size |
| dominated | 78 | targets below a multiple of ||.||^2 | the multiple by enumeration of outputs |
| distributions, entropies, outputs, targets, theorem | 553 | ``theory.structured``: what is meant | by hand |
"""

from collections.abc import Iterator
from dataclasses import replace

import sympy as sp

from gaptron.obligations.claims import Obligation, Sequent
from gaptron.obligations.in_sympy import WrittenCoverage, sequent
from gaptron.obligations.structured.cases import StructuredSurrogate, mentioned, size_conditions
from gaptron.obligations.structured.criterion import criterion_cases
from gaptron.obligations.structured.curvature import entropy_obligations, seems_convex, strength_obligation
from gaptron.theory.structured.theorem import StructuredTheorem


def structured_obligations(theorem: StructuredTheorem) -> Iterator[Obligation]:
    """Everything that must hold for the theorem to be true, in the order it is reported."""
    coverage = WrittenCoverage()
    yield from entropy_obligations(theorem, coverage)
    yield _positive(theorem)
    numbers = StructuredSurrogate.of(theorem)
    if numbers is None:
        missing = "neither learning_rate nor regret is given, and gaptron sharpen finds the best"
        yield Obligation("criterion", "a decoder exists at all scores", (), missing)
        return
    yield from _decoder(theorem, numbers, coverage)
    if theorem.regret is not None and theorem.learning_rate is not None:
        follows = sp.Ge(theorem.regret, theorem.coefficient / (2 * theorem.learning_rate), evaluate=False)
        yield Obligation("regret", "regret >= coefficient/(2 learning_rate)", (_for_sizes(theorem, follows),))
    yield from coverage.obligation()


def _decoder(
    theorem: StructuredTheorem, numbers: StructuredSurrogate, coverage: WrittenCoverage
) -> Iterator[Obligation]:
    try:
        cases, needs_convex = criterion_cases(theorem, numbers, coverage)
    except NotImplementedError as reason:
        yield Obligation("criterion", "a decoder exists at all scores", (), str(reason))
        return
    if needs_convex or theorem.update == "gradient":
        yield strength_obligation(theorem, numbers, coverage)
    for case in cases:
        yield Obligation(case.id, case.statement, _deciding(theorem, case.claims))


def _deciding(theorem: StructuredTheorem, claims: tuple[Sequent, ...]) -> tuple[Sequent, ...]:
    """A claim that fails refutes (with proximal updates the exact criterion decides), if the entropy seems convex."""
    refutes = seems_convex(theorem)
    return tuple(replace(claim, refutes=refutes) for claim in claims)


def _positive(theorem: StructuredTheorem) -> Obligation:
    parts = [part for part in theorem.expressions.values() if not part.is_Rational]
    claims = tuple(_for_sizes(theorem, sp.Gt(part, 0, evaluate=False)) for part in parts)
    names = ", ".join(theorem.expressions)
    return Obligation("parameters", f"{names} > 0", claims or (sequent((), sp.Gt(theorem.scale, 0, evaluate=False)),))


def _for_sizes(theorem: StructuredTheorem, relation: sp.Rel) -> Sequent:
    return sequent(mentioned(theorem, size_conditions(theorem), *relation.args), relation)
