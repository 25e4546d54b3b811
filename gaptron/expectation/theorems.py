"""The loss and the gap map of a theorem, from its expressions, on rationals, balls or doubles.

At a kink the slope is the derivative from the right, as in ``gaptron.learners.exact``.
"""

from fractions import Fraction
from typing import Any

import flint
import sympy as sp

from gaptron.expectation.losses import (
    Round,
    Scores,
    Slopes,
    margin,
    no_step,
    pair,
    softmax_powers,
    softmax_slopes,
    top,
)
from gaptron.expectation.numbers import less, log, plain
from gaptron.expectation.symbolic import Function, compiled, constant, right_slope
from gaptron.symbols import K, m, p, z
from gaptron.theory.losses import BinaryLoss, MarginLoss
from gaptron.theory.theorem import Theorem

ROUNDING = Fraction(1, 10**9)
LOG_P = sp.Symbol("u", real=True)


def gap_map(theorem: Theorem, variable: sp.Symbol, kind: Any, n_classes: int) -> Function:
    """The gap map; its function raises ValueError where the value is certainly not in [0, 1]."""
    a = compiled(theorem.gap_map.expression.subs(K, n_classes), variable, kind)
    low, high = kind.number(-ROUNDING), kind.number(1 + ROUNDING)

    def checked(value: Any) -> Any:
        gap = a(value)
        if gap < low or gap > high:
            raise ValueError(f"gap map = {plain(gap)} at {variable} = {plain(value)}: it must be in [0, 1]")
        return gap

    return checked


def theorem_rounds(theorem: Theorem, kind: Any, n_classes: int) -> Any:
    """What ``gaptron.expectation.losses`` has for the losses with a name."""
    if isinstance(theorem.loss, MarginLoss):
        return MarginRounds(theorem, kind, n_classes)
    return (BinaryRounds if isinstance(theorem.loss, BinaryLoss) else SoftmaxRounds)(theorem, kind, n_classes)


class MarginRounds:
    """phi(m(W, y)) with gap map a(m*); off if the top label is right with m* > off_above."""

    settles = False

    def __init__(self, theorem: Theorem, kind: Any, n_classes: int) -> None:
        loss: Any = theorem.loss
        phi, beta = loss.phi.subs(K, n_classes), loss.off_above
        self.phi, self.slope = (compiled(f, m, kind) for f in (phi, right_slope(phi, m)))
        self.gap_map = gap_map(theorem, m, kind, n_classes)
        self.beta = None if beta is None else constant(beta.subs(K, n_classes), kind)

    def round(self, scores: Scores, label: int) -> Round:
        """The round at these scores."""
        best = top(scores)
        largest, rival = margin(scores, best)
        gap, right = self.gap_map(largest), best == label
        if right and self.beta is not None and less(self.beta, largest):
            return gap, True, True, no_step

        def slopes(rate: Any) -> Slopes | None:
            of_label, other = (largest, rival) if right else margin(scores, label)
            slope = self.slope(of_label)
            return None if slope == 0 else pair(len(scores), label, other, rate * slope)

        return gap, right, False, slopes

    def value(self, scores: Scores, label: int) -> Any:
        """phi(m), of a round that is on."""
        return self.phi(margin(scores, label)[0])


class SoftmaxRounds:
    """psi(p_y) with gap map a(p*)."""

    settles = False

    def __init__(self, theorem: Theorem, kind: Any, n_classes: int) -> None:
        loss: Any = theorem.loss
        psi = loss.psi.subs(K, n_classes).subs(p, sp.exp(LOG_P))
        self.psi, self.slope = (compiled(f, LOG_P, kind) for f in (psi, right_slope(psi, LOG_P)))
        self.gap_map = gap_map(theorem, p, kind, n_classes)
        self.one = kind.number(1)

    def round(self, scores: Scores, label: int) -> Round:
        """The round at these scores."""
        powers, total = softmax_powers(self.one, scores)
        gap = self.gap_map(_largest(powers) / total)

        def slopes(rate: Any) -> Slopes | None:
            slope = self.slope(log(powers[label] / total))
            return None if slope == 0 else softmax_slopes(-rate * slope / total, powers, total, label)

        return gap, None if gap == 1 else top(scores) == label, False, slopes

    def value(self, scores: Scores, label: int) -> Any:
        """psi(p_y)."""
        powers, total = softmax_powers(self.one, scores)
        return self.psi(log(powers[label] / total))


class BinaryRounds:
    """sides[label](z) with gap map a(|z|), for the score z of one weight vector; label 0 is the sign +1."""

    settles = False

    def __init__(self, theorem: Theorem, kind: Any, n_classes: int = 2) -> None:
        loss: Any = theorem.loss
        self.sides = [compiled(loss.side(y), z, kind) for y in (0, 1)]
        self.slopes = [compiled(right_slope(loss.side(y), z), z, kind) for y in (0, 1)]
        self.gap_map = gap_map(theorem, m, kind, n_classes)

    def round(self, scores: Scores, label: int) -> Round:
        """The round at the score [z]."""
        score = scores[0]
        best = 1 if less(score, 0) else 0

        def slopes(rate: Any) -> Slopes | None:
            slope = self.slopes[label](score)
            return None if slope == 0 else [rate * slope]

        return self.gap_map(abs(score)), best == label, False, slopes

    def value(self, scores: Scores, label: int) -> Any:
        """The loss at z."""
        return self.sides[label](scores[0])


def _largest(powers: Scores) -> Any:
    best = powers[0]
    for power in powers[1:]:
        best = best.max(power) if isinstance(best, flint.arb) else max(best, power)
    return best
