"""Rounds at exact scores: fractions where the loss is rational, else balls that contain the true numbers."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import flint

from gaptron.language.expressions import Expression
from gaptron.language.theorems import StatedLoss
from gaptron.numbers.evaluate import EXACT, PRECISION, Number, ball
from gaptron.numbers.kinds import plain
from gaptron.rounds.geometry import geometry_of
from gaptron.rounds.layouts import Lists
from gaptron.rounds.surrogate import RoundAt, Surrogate, needed

LISTS = Lists(EXACT)
surrogate_of = lru_cache(maxsize=256)(Surrogate)


def value(loss: StatedLoss, scores: Sequence[Number], label: int) -> Number:
    """The loss of a round with these (K,) scores and true ``label``; 0 where it is switched off."""
    found = round_at(loss, scores)
    return _read(loss, EXACT.number(0) if found.off(label) else found.value(label))


def score_gradient(loss: StatedLoss, scores: Sequence[Number], label: int, side: int = 1) -> list[Number]:
    """The (K,) subgradient in the scores, (1,) in z for a BinaryLoss; ``side`` chooses the derivative at a kink."""
    found = round_at(loss, scores, None, side)
    rows = found.surrogate.rows
    slopes = None if found.off(label) else found.slopes(label, EXACT.number(1))
    return [_read(loss, EXACT.number(0 if slope is None else slope)) for slope in slopes or [None] * rows]


def gap(gap_map: Expression, scores: Sequence[Number], loss: StatedLoss) -> Number:
    """The gap map at these (K,) scores, for a round of ``loss``."""
    return plain(round_at(loss, scores, gap_map).gap)


def softmax(scores: Sequence[Number]) -> list[Number]:
    """Balls that contain the softmax probabilities."""
    powers, total = LISTS.powers(exact_numbers(scores))
    return [ball(power / total) for power in powers]


def round_at(loss: StatedLoss, scores: Sequence[Number], gap_map: Expression | None = None, side: int = 1) -> RoundAt:
    """The round itself, in rationals (flint.fmpq) and balls."""
    return surrogate_of(loss, len(scores), LISTS, gap_map, side).at(exact_numbers(scores))


def exact_numbers(values: Iterable[Number]) -> list[Number]:
    """As the evaluator computes with them."""
    flint.ctx.prec = PRECISION
    return [EXACT.number(value) for value in values]


def _read(loss: StatedLoss, number: Number) -> Number:
    return ball(number) if geometry_of(loss).is_transcendental else plain(number)


def need(loss: StatedLoss, eta: Number, scores: Sequence[Number], label: int) -> Number:
    """max(0, 1 - loss + (eta/2) ||g||^2) of a round with ||x|| = 1: the least P(label) that keeps its gap at most 0.

    ``eta`` is in units of 1/X^2. At a kink the larger of the derivatives from the right and from the left counts.
    """
    half_rate = EXACT.number(eta) / 2
    right, left = (needed(round_at(loss, scores, None, side), label, half_rate) for side in (1, -1))
    return _read(loss, EXACT.larger(right, left))


def needs(loss: StatedLoss, eta: Number, scores: Sequence[Number]) -> list[Number]:
    """What the best decoder gives every label at least, at these (K,) exact scores; the top one gets what is left."""
    return [need(loss, eta, scores, label) for label in range(len(scores))]


def total(values: Iterable[Number]) -> Number:
    """The sum of fractions and balls."""
    return plain(sum(map(EXACT.number, values), EXACT.number(0)))
