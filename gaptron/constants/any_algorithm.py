"""The optimal constant over all algorithms: the fourth question, about a loss alone.

Its constraints are those of the criterion in ``obligations.attained``, linear in eta = 1/(2 c), so that the search and
the brackets are those of learning rates; a bracket of eta is one of c = 1/(2 eta).
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from gaptron.constants.rate_constraint import RateConstraint, in_symbols
from gaptron.constants.rate_search import Binding
from gaptron.constants.witnesses import points
from gaptron.obligations.all_scores import MOST_LISTED, criterion_of_all_scores
from gaptron.obligations.attained import proximal_constraints
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.guesses import Guesses
from gaptron.prove.broken_criteria import streams
from gaptron.prove.exact_text import Witness
from gaptron.theory.losses import LossOfAllScores, MarginLoss
from gaptron.theory.theorem import NO_MIXTURE, Theorem


def proximal(theorem: Theorem, c: sp.Expr | None = None) -> Theorem:
    """The theorem about proximal updates for the same loss; with ``off_above``, for phi of the true label's margin.

    Raises
    ------
    NotImplementedError
        With an abstention cost, which is another target.
    """
    if theorem.abstention_cost is not None:
        raise NotImplementedError("with an abstention cost only the given gap map is sharpened")
    loss = replace(theorem.loss, off_above=None) if isinstance(theorem.loss, MarginLoss) else theorem.loss
    return replace(
        theorem,
        loss=loss,
        feedback="full",
        exploration=None,
        gap_map=NO_MIXTURE,
        decoder="best",
        update="proximal",
        learning_rate=None,
        regret=c,
        sharp_at=None,
    )


def optimal_constraints(theorem: Theorem) -> Iterator[RateConstraint]:
    """The criterion of every algorithm, in eta = 1/(2 c)."""
    whole = proximal(theorem)
    coverage = Coverage(Guesses.of(whole))
    if isinstance(whole.loss, LossOfAllScores):  # the search takes the numbers of labels one by one
        found = criterion_of_all_scores(whole, whole.loss, coverage, last=MOST_LISTED)
        return in_symbols(found, coverage.guesses)
    return in_symbols(proximal_constraints(whole, coverage), coverage.guesses)


def breaks_every_algorithm(theorem: Theorem, contact: Binding, n_classes: int, eta: Fraction) -> Witness | None:
    """A stream on which every algorithm breaks the bound with c = 1/(2 eta)."""
    c = 1 / (2 * eta)
    for point in points(contact):
        for witness in streams(proximal(theorem).loss, c, point, n_classes):
            return {"regret": str(c), **witness}
    return None
