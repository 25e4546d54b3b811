"""That the best decoder exists: at all scores the probabilities that the labels need sum to at most 1."""

from collections.abc import Iterable, Iterator

from gaptron.language.expressions import Expression
from gaptron.obligations import needs, softmax_needs
from gaptron.obligations.constraint import Constraint, Implied
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.sequents import Obligation, Sequent, class_conditions, is_algebraic
from gaptron.theory.losses import SoftmaxLoss
from gaptron.theory.theorem import Theorem


def decoder_obligations(theorem: Theorem, eta: Expression, coverage: Coverage) -> Iterator[Obligation]:
    """sum_k max(0, 1 - loss_k + (eta/2) ||g_k||^2) <= 1, case by case."""
    number = 0
    for rate in coverage.pieces(eta, class_conditions(theorem)):
        try:
            implications = list(decoder_implications(theorem, rate.value, coverage))
        except NotImplementedError as reason:
            yield Obligation("decoder", "a decoder exists", (), str(reason))
            return
        for i in implications:
            given = (*rate.conditions, *i.given)
            if coverage.keeps(given):
                number += 1
                yield Obligation(f"decoder/{number}", f"{i.name}: {i.statement}", (Sequent(given, i.then),))


def decoder_implications(theorem: Theorem, eta: Expression, coverage: Coverage) -> Iterator[Implied]:
    """The same for one expression for eta.

    Raises
    ------
    NotImplementedError
        If the loss cannot be reduced to few variables.
    """
    if isinstance(theorem.loss, SoftmaxLoss):
        yield from softmax_needs.decoder_implications(theorem, eta, coverage)
        return
    dear = not all_algebraic(
        needs.decoder_constraints(theorem, Coverage(coverage.guesses))
    )  # then with one variable less
    constraints = (needs.tied_constraints if dear else needs.decoder_constraints)(theorem, coverage)
    yield from (c.implied(n, eta) for n, c in enumerate(constraints, 1))


def all_algebraic(constraints: Iterable[Constraint]) -> bool:
    """Whether no constraint has an exp or log of a variable."""
    return all(is_algebraic(part) for c in constraints for part in (c.fixed, c.slope))
