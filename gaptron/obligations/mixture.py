"""The randomized prediction of a round, as numbers: the risk on right and wrong rounds, and the weight of ||g||^2.

With full information P(wrong) is a (K - 1)/K if the top label is right and 1 - a/K if it is not; with an abstention
cost c the share a costs c instead of (K - 1)/K.

With bandit feedback the share of the uniform distribution is max(a, gamma); gamma (K - 1)/K is paid for exploration
outside the gap, and E ||g||^2 is the full-information ||g||^2 over the probability p'(y) of the true label.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp
from sympy.core.relational import Relational

from gaptron.pieces import Piece, defined_pieces
from gaptron.symbols import D, K, T, X, gamma
from gaptron.theorem import Theorem


@dataclass(frozen=True)
class Mixture:
    """One case of the prediction: where, the risk and 1/p'(y) on right rounds and on wrong rounds."""

    conditions: tuple[Relational, ...]
    right: sp.Expr
    wrong: sp.Expr
    right_weight: sp.Expr = sp.S.One
    wrong_weight: sp.Expr = sp.S.One


def mixtures(theorem: Theorem, domain: tuple[Relational, ...]) -> Iterator[Mixture]:
    """The cases of the prediction, in the gap map's variable."""
    for a in defined_pieces(theorem.gap_map.expression, domain):
        if theorem.feedback == "bandit":
            yield from _bandit(theorem, a)
        elif theorem.abstention_cost is not None:
            cost = theorem.abstention_cost
            yield Mixture(a.conditions, a.value * cost, 1 - a.value + a.value * cost)
        else:
            yield Mixture(a.conditions, a.value * (K - 1) / K, 1 - a.value / K)


def _bandit(theorem: Theorem, a: Piece) -> Iterator[Mixture]:
    explored = exploration_rate(theorem)
    for relation, share in ((a.value >= explored, a.value), (a.value <= explored, explored)):
        if relation == sp.false or (share == 0 and always_explores(theorem)):
            continue
        yield Mixture(
            (*a.conditions, relation),
            right=(share - explored) * (K - 1) / K,
            wrong=1 - share / K - explored * (K - 1) / K,
            right_weight=1 / (1 - share * (K - 1) / K),
            wrong_weight=K / share,
        )


def exploration_rate(theorem: Theorem) -> sp.Expr:
    """gamma in the gap: itself if it is a number for each K, else any number that it may be."""
    exploration = theorem.exploration
    return gamma if exploration is None or exploration.free_symbols & {X, D, T} else exploration


def always_explores(theorem: Theorem) -> bool:
    """Whether gamma is certainly positive for all parameters."""
    more = sp.Dummy("more", nonnegative=True)
    pieces = [] if theorem.exploration is None else defined_pieces(theorem.exploration)
    return bool(pieces) and all(piece.value.subs(K, 2 + more).is_positive for piece in pieces)


def scaled_learning_rate(theorem: Theorem) -> sp.Expr | None:
    """eta for ||x|| = 1: with bandit feedback eta X^2, for the exploration rate of the gap."""
    if theorem.feedback == "full" or theorem.learning_rate is None:
        return theorem.eta()
    rate = sp.expand(theorem.learning_rate.subs(gamma, exploration_rate(theorem)) * X**2)
    return rate if X not in rate.free_symbols else sp.cancel(sp.together(rate))
