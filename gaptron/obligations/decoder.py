"""That the best decoder exists: at all scores the probabilities that the labels need sum to at most 1."""

from collections.abc import Iterable, Iterator

import sympy as sp

from gaptron.losses import SoftmaxLoss
from gaptron.obligations import needs, softmax_needs
from gaptron.obligations.claims import Claim, Obligation, is_algebraic
from gaptron.obligations.constraint import Constraint
from gaptron.pieces import defined_pieces, is_empty
from gaptron.theorem import Implication, Theorem


def decoder_obligations(theorem: Theorem, eta: sp.Expr) -> Iterator[Obligation]:
    """sum_k max(0, 1 - loss_k + (eta/2) ||g_k||^2) <= 1, case by case."""
    number = 0
    for rate in defined_pieces(eta):
        try:
            implications = list(decoder_implications(theorem, rate.value))
        except NotImplementedError as reason:
            yield Obligation("decoder", "a decoder exists", (), str(reason))
            return
        for i in implications:
            given = (*rate.conditions, *i.given)
            if not is_empty(given):
                number += 1
                yield Obligation(f"decoder/{number}", f"{i.name}: {i.statement}", (Claim(given, i.then),))


def decoder_implications(theorem: Theorem, eta: sp.Expr) -> Iterator[Implication]:
    """The same for one expression for eta.

    Raises
    ------
    NotImplementedError
        If the loss cannot be reduced to few variables.
    """
    if isinstance(theorem.loss, SoftmaxLoss):
        yield from softmax_needs.decoder_implications(theorem, eta)
        return
    dear = not all_algebraic(needs.decoder_constraints(theorem))  # then with one variable less
    constraints = needs.tied_constraints(theorem) if dear else needs.decoder_constraints(theorem)
    yield from (c.implication(f"round/{n}", eta) for n, c in enumerate(constraints, 1))


def all_algebraic(constraints: Iterable[Constraint]) -> bool:
    """Whether no constraint has an exp or log of a variable."""
    return all(is_algebraic(part) for c in constraints for part in (c.fixed, c.slope))
