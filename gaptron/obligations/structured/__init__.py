"""StructuredTheorem -> obligations.

One lemma stands behind them: online gradient descent with rate eta has sum loss(W) - (eta/2) sum ||g||^2 <=
sum loss(U) + ||U||^2/(2 eta) for convex losses, and proximal updates have sum e(W) <= sum loss(U) + c ||U||^2; the
surrogate is convex in W = (scores) because Omega* is a supremum of linear functions. If in every round a decoder has
E L <= alpha (loss - (eta/2) ||g||^2), or alpha e, then E sum L <= alpha (sum loss(U) + ||U||^2/(2 eta)), or
alpha (sum loss(U) + c ||U||^2). When it exists is in ``criterion``.

What has to be believed, beside the modules of ``gaptron.obligations``:

| module | lines | what it says | how it is tested |
|---|---|---|---|
| __init__ | 53 | which obligations a theorem has | a theorem broken in each argument is not PROVED |
| cases | 55 | the numbers of the criterion, the sizes | linear programs over all decoders |
| curvature | 136 | convex, strongly convex | moduli against second differences; entropies that are not convex |
| criterion, vertices | 97 | few outputs: finitely many distributions | against random distributions, by brute force |
| uniform, coordinates | 174 | 0-1 and Hamming targets, every size | against ``vertices``, size by size |
| dominated | 98 | targets below a multiple of ||.||^2 | the multiple by enumeration of outputs |
| distributions, entropies, outputs, targets, structured_theorem | 519 | ``theory.structured``: meaning | by hand |
| structured_data, separable, limits | 115 | the same as data; limits at 0 and 1 | against sympy's values and limits |
| expanded | 92 | ``language``: what is multiplied out | random expressions, against exact values |
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from gaptron.language.formulas import relation
from gaptron.language.relations import Relation
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.guessing import Guesses
from gaptron.obligations.pieces import ZERO
from gaptron.obligations.sequents import Obligation, Sequent
from gaptron.obligations.structured.cases import StructuredSurrogate, mentioned, size_conditions
from gaptron.obligations.structured.criterion import criterion_cases
from gaptron.obligations.structured.curvature import entropy_obligations, seems_convex, strength_obligation
from gaptron.theory.structured.structured_theorem import StructuredTheorem


def structured_obligations(theorem: StructuredTheorem, guesses: Guesses) -> Iterator[Obligation]:
    """Everything that must hold for the theorem to be true, in the order it is reported."""
    coverage = Coverage(guesses)
    try:
        yield from list(entropy_obligations(theorem, coverage))
    except NotImplementedError as reason:
        yield Obligation("entropy/convex", "omega is convex and finite at outputs", (), str(reason))
        return
    yield _positive(theorem)
    numbers = StructuredSurrogate.of(theorem)
    if numbers is None:
        missing = "neither learning_rate nor regret is given, and gaptron sharpen finds the best"
        yield Obligation("criterion", "a decoder exists at all scores", (), missing)
        return
    yield from _decoder(theorem, numbers, coverage)
    given = theorem.data.numbers
    if theorem.regret is not None and theorem.learning_rate is not None:
        parts = {"c": given["regret"], "alpha": given["coefficient"], "eta": given["learning_rate"]}
        claim = _for_sizes(theorem, relation("c >= alpha/(2*eta)", **parts))
        yield Obligation("regret", "regret >= coefficient/(2 learning_rate)", (claim,))
    yield from coverage.obligation()


def _decoder(theorem: StructuredTheorem, numbers: StructuredSurrogate, coverage: Coverage) -> Iterator[Obligation]:
    try:
        cases, needs_convex = criterion_cases(theorem, numbers, coverage)
    except NotImplementedError as reason:
        yield Obligation("criterion", "a decoder exists at all scores", (), str(reason))
        return
    if needs_convex or theorem.update == "gradient":
        yield strength_obligation(theorem, numbers, coverage)
    for case in cases:
        yield Obligation(case.id, case.statement, _deciding(theorem, case.claims, coverage.guesses))


def _deciding(theorem: StructuredTheorem, claims: tuple[Sequent, ...], guesses: Guesses) -> tuple[Sequent, ...]:
    """A claim that fails refutes (with proximal updates the exact criterion decides), if the entropy seems convex."""
    refutes = seems_convex(theorem, guesses)
    return tuple(replace(claim, refutes=refutes) for claim in claims)


def _positive(theorem: StructuredTheorem) -> Obligation:
    numbers = theorem.data.numbers
    claims = [_for_sizes(theorem, Relation(">", part, ZERO)) for part in numbers.values()]
    kept = [claim for claim in claims if not isinstance(claim.then.left, Fraction)] or claims[:1]
    return Obligation("parameters", f"{', '.join(numbers)} > 0", tuple(kept))


def _for_sizes(theorem: StructuredTheorem, then: Relation) -> Sequent:
    return Sequent(mentioned(theorem, size_conditions(theorem), then.left, then.right), then)
