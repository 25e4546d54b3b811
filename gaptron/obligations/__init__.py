"""Theorem -> obligations: every statement about real numbers that the lemma needs, each to be decided on its own.

One lemma stands behind all of them (van der Hoeven 2020, Lemma 1): if every round's surrogate gap
P(wrong) - loss(W) + (eta/2) ||g||^2 is at most zero, then the expected mistakes are at most the comparator's loss
plus ||U||^2/(2 eta). The gap depends on (W, x, y) through few scalars only; the reductions are in ``gap``.
"""

from collections.abc import Iterator

from sympy.core.relational import Relational

from gaptron.obligations.bandit import bandit_rate_obligation, bandit_regret_obligation, exploration_obligation
from gaptron.obligations.claims import NOWHERE, Claim, Obligation
from gaptron.obligations.decoder import decoder_obligations
from gaptron.obligations.gap import gap_obligations
from gaptron.obligations.loss import loss_obligations
from gaptron.obligations.mixture import scaled_learning_rate
from gaptron.obligations.parameters import (
    cost_obligations,
    gap_map_obligations,
    learning_rate_obligation,
    regret_obligations,
)
from gaptron.obligations.setting import in_setting
from gaptron.obligations.sharp import sharp_obligation
from gaptron.symbols import K
from gaptron.theorem import Implication, Lemma, Theorem

__all__ = ["NOWHERE", "Claim", "Obligation", "obligations"]


def obligations(item: Theorem | Lemma) -> tuple[Obligation, ...]:
    """Everything that must hold for the theorem (or lemma) to be true, in the order it is reported."""
    if isinstance(item, Lemma):
        return tuple(
            Obligation(i.name, i.statement, (Claim((*i.given, *_classes_of(i)), i.then),)) for i in item.implications
        )
    return tuple(in_setting(item, _of_theorem(item)))


def _of_theorem(theorem: Theorem) -> Iterator[Obligation]:
    yield from loss_obligations(theorem)
    if theorem.decoder == "gap map":
        yield from gap_map_obligations(theorem)
    yield from cost_obligations(theorem)
    eta = scaled_learning_rate(theorem)
    if eta is None:
        unsupported = "neither learning_rate nor regret is given, and gaptron sharpen finds the largest"
        yield Obligation("gap", "the surrogate gap is at most 0", (), unsupported)
        return
    if theorem.feedback == "bandit":
        yield exploration_obligation(theorem)
        yield bandit_rate_obligation(theorem)
    else:
        yield learning_rate_obligation(theorem, eta)
    yield from decoder_obligations(theorem, eta) if theorem.decoder == "best" else gap_obligations(theorem, eta)
    yield from sharp_obligation(theorem, eta)
    yield from bandit_regret_obligation(theorem) if theorem.feedback == "bandit" else regret_obligations(theorem, eta)


def _classes_of(implication: Implication) -> tuple[Relational, ...]:
    """K >= 2 for an implication that speaks of K."""
    relations = (*implication.given, implication.then)
    return (K >= 2,) if any(K in relation.free_symbols for relation in relations) else ()
