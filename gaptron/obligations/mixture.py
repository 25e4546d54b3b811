"""The randomized prediction of a round, as numbers: the risk on right and wrong rounds, and the weight of ||g||^2.

With full information P(wrong) is a (K - 1)/K if the top label is right and 1 - a/K if it is not; with an abstention
cost c the share a costs c instead of (K - 1)/K.

With bandit feedback the share of the uniform distribution is max(a, gamma); gamma (K - 1)/K is paid for exploration
outside the gap, and E ||g||^2 is the full-information ||g||^2 over the probability p'(y) of the true label.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from gaptron.obligations.claims import class_conditions
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.guesses import seems_positive
from gaptron.obligations.parameters import gap_map_domain
from gaptron.obligations.pieces import Piece, Region
from gaptron.symbols import D, K, T, X, gamma
from gaptron.theory.theorem import Theorem


@dataclass(frozen=True)
class MixtureCase:
    """One case of the prediction: where, the risk and 1/p'(y) on right rounds and on wrong rounds."""

    conditions: Region
    right: sp.Expr
    wrong: sp.Expr
    right_weight: sp.Expr = sp.S.One
    wrong_weight: sp.Expr = sp.S.One


def mixtures(theorem: Theorem, coverage: Coverage) -> Iterator[MixtureCase]:
    """The cases of the prediction, in the gap map's variable."""
    classes = class_conditions(theorem)
    for a in coverage.pieces(theorem.gap_map.expression, (*gap_map_domain(theorem), *classes)):
        if theorem.feedback == "bandit":
            for explored in coverage.pieces(exploration_rate(theorem), classes):
                yield from _bandit(theorem, a, explored)
        elif theorem.abstention_cost is not None:
            for cost in coverage.pieces(theorem.abstention_cost, classes):
                where = (*a.conditions, *cost.conditions)
                yield MixtureCase(where, a.value * cost.value, 1 - a.value + a.value * cost.value)
        else:
            yield MixtureCase(a.conditions, a.value * (K - 1) / K, 1 - a.value / K)


def _bandit(theorem: Theorem, a: Piece, explored: Piece) -> Iterator[MixtureCase]:
    for wins, share in ((sp.Ge, a.value), (sp.Le, explored.value)):
        relation = wins(a.value, explored.value, evaluate=False)
        if share == 0 and always_explores(theorem):
            continue  # a = 0 >= gamma, which is positive: an obligation
        yield MixtureCase(
            (*a.conditions, *explored.conditions, relation),
            right=(share - explored.value) * (K - 1) / K,
            wrong=1 - share / K - explored.value * (K - 1) / K,
            right_weight=1 / (1 - share * (K - 1) / K),
            wrong_weight=K / share,
        )


def exploration_rate(theorem: Theorem) -> sp.Expr:
    """gamma in the gap: itself if it is a number for each K, else any number that it may be."""
    exploration = theorem.exploration
    return gamma if exploration is None or exploration.free_symbols & {X, D, T} else exploration


def always_explores(theorem: Theorem) -> bool:
    """Whether gamma seems to be positive for all parameters: where that is used, it is an obligation."""
    pieces = Coverage().pieces(theorem.exploration or sp.S.Zero, class_conditions(theorem))
    return bool(pieces) and all(seems_positive(piece.value) for piece in pieces)


def scaled_learning_rate(theorem: Theorem) -> sp.Expr | None:
    """eta for ||x|| = 1: with bandit feedback eta X^2, for the exploration rate of the gap."""
    if theorem.feedback == "full" or theorem.learning_rate is None:
        return theorem.eta()
    rate = sp.expand(theorem.learning_rate.subs(gamma, exploration_rate(theorem)) * X**2)
    return rate if X not in rate.free_symbols else sp.cancel(sp.together(rate))
