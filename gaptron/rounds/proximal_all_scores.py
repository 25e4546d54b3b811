"""Proximal steps of losses of all scores: one score after the other, or one unknown for all rivals.

Of a separable loss every score moves by itself. Of a pairwise one each rival's margin after the step is a proximal step
of phi from a - theta_k, where a is the label's score after it; a is where the label rises by what the rivals come down
together, and what is missing to that increases with a.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isinf

import flint

from gaptron.language.expressions import Expression
from gaptron.language.instantiation import substituted
from gaptron.numbers.compiled import compiled
from gaptron.numbers.kinds import Kind, Number
from gaptron.rounds.proximal_balls import (
    BALLS,
    Enclosed,
    KnownStep,
    Newton,
    ball_of,
    exactly,
    known_step,
    rational_first,
    refined,
    squares,
    with_slopes,
)
from gaptron.rounds.proximal_margins import BinarySteps
from gaptron.rounds.proximal_step import Proximal, ProximalSteps


class SeparableSteps:
    """Of each score by itself: ``alone`` has the label's own loss as label 0, that of a rival as label 1."""

    def __init__(self, alone: ProximalSteps) -> None:
        self.alone = alone

    def step(self, scores: Sequence[Number], label: int, c: Number) -> Proximal:
        """See ``ProximalSteps``; scores that are one object move by one object."""
        found: dict[tuple[int, bool], Proximal] = {}
        for k, score in enumerate(scores):
            if (id(score), k == label) not in found:
                found[id(score), k == label] = self.alone.step([score], int(k != label), c)
        parts = [found[id(score), k == label] for k, score in enumerate(scores)]
        return Proximal([part.move[0] for part in parts], sum((part.least for part in parts[1:]), parts[0].least))

    def envelopes(self, scores: Sequence[Number], c: Number) -> list[Number]:
        """Two steps for each score, whatever the label."""
        own, rival = ([self.alone.step([score], side, c).least for score in scores] for side in (0, 1))
        others = [sum(rival[:k] + rival[k + 1 :], rival[0] * 0) for k in range(len(scores))]
        return [mine + rest for mine, rest in zip(own, others, strict=True)]


class PairwiseSteps:
    """The sum of phi(theta_y - theta_k), in doubles or, for linear and quadratic pieces, in fractions."""

    def __init__(self, functions: Sequence[Expression], exact: bool) -> None:
        self.alone = BinarySteps((substituted(functions[0], {"m": "z"}),) * 2, exact)
        self.curves = self.alone.curves[0][0]
        self.is_piecewise_quadratic = all(curve.parabola is not None for curve in self.curves)

    def envelopes(self, scores: Sequence[Number], c: Number) -> list[Number]:
        """One step for each label."""
        return [self.step(scores, label, c).least for label in range(len(scores))]

    def step(self, scores: Sequence[Number], label: int, c: Number) -> Proximal:
        """See ``ProximalSteps``; what is left of the gradient bounds by how much the minimum may be less."""
        theta, rivals = scores[label], [score for k, score in enumerate(scores) if k != label]

        def missing(a: Number) -> Number:
            return a - theta + sum((a - rival - self._margin(a - rival, c)[0] for rival in rivals), theta * 0)

        a = self._rational_root(missing, theta, rivals, c) if self.is_piecewise_quadratic else _root(missing, theta)
        reached = {rival: self._margin(a - rival, c) for rival in rivals}
        move = [a - theta if k == label else a - score - reached[score][0] for k, score in enumerate(scores)]
        loss = sum((reached[rival][1] for rival in rivals), theta * 0)
        return Proximal(move, loss + c * sum((part * part for part in move), theta * 0) - c * missing(a) ** 2)

    def _margin(self, x: Number, c: Number) -> tuple[Number, Number]:
        """The proximal step of phi from x, where the rival alone moves, and phi there, at least."""
        sign, found = self.alone.reached([x], 0, c)
        return sign * found.mu, found.curve.value(found.mu) - found.slack

    def _rational_root(
        self, missing: Callable[[Number], Number], theta: Number, rivals: Sequence[Number], c: Number
    ) -> Number:
        """What is missing is linear between the places where a rival's step reaches the end of a piece."""
        ends = {(end, curve.slope(end)) for curve in self.curves for end in (curve.low, curve.high) if not isinf(end)}
        places = sorted({rival + end + slope / (2 * c) for rival in rivals for end, slope in ends} or {theta})
        low, high = 0, len(places)  # the first place at which nothing is missing is in this range
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if missing(places[middle]) >= 0 else (middle + 1, high)
        left = places[low - 1] if low else places[0] - 1
        right = places[low] if low < len(places) else places[-1] + 1
        at_left, at_right = missing(left), missing(right)
        return left - at_left * (right - left) / (at_right - at_left)


def _root(missing: Callable[[float], float], theta: float) -> float:
    """Where nothing is missing, in doubles."""
    width = 1.0
    while missing(theta + width) < 0 or missing(theta - width) > 0:
        width *= 2
    from scipy.optimize import brentq  # which other learners need not wait for

    return float(brentq(missing, theta - width, theta + width, xtol=1e-300, rtol=1e-15))


class PairwiseBalls(Enclosed):
    """The same in balls: in fractions where they are rational; else what is left of the gradient bounds the error."""

    def __init__(self, functions: Sequence[Expression], kind: Kind) -> None:
        self.kind = kind
        self.exact, self.steps = rational_first(PairwiseSteps, functions)
        self.phi = [compiled(part, "m", BALLS) for part in with_slopes(functions[0], "m")]

    def _at(self, scores: list[Fraction], label: int, c: Fraction) -> KnownStep:
        if self.exact:
            return exactly(self.steps.step(scores, label, c))
        rate, doubles = ball_of(c), self.steps.step([float(score) for score in scores], label, float(c))
        theta, move = [ball_of(score) for score in scores], [flint.arb(float(part)) for part in doubles.move]
        move, loss, gradient = refined(lambda moves: self._newton(theta, moves, label, rate), move)
        high = loss + rate * squares(move)
        return known_step(move, high - squares(gradient) / (4 * rate), high, rate)

    def _newton(self, theta: list[Number], move: list[Number], label: int, c: Number) -> Newton:
        """The loss, its gradient and that of the price, and the inverse Hessian on it: rivals meet the label alone."""
        own, loss, gradient, bends = theta[label] + move[label], flint.arb(0), [2 * c * part for part in move], {}
        for k, score in enumerate(theta):
            if k != label:
                value, right, left, bends[k] = (flint.arb(part(own - score - move[k])) for part in self.phi)
                slope = gradient[k].max(left).min(right)
                loss, gradient[k], gradient[label] = loss + value, gradient[k] - slope, gradient[label] + slope
        ties = {k: bend / (2 * c + bend) for k, bend in bends.items()}
        flat = gradient[label] + sum(tie * gradient[k] for k, tie in ties.items())
        rise = flat / (2 * c + 2 * c * sum(ties.values()))
        down = {k: (gradient[k] + bend * rise) / (2 * c + bend) for k, bend in bends.items()}
        return loss, gradient, [rise if k == label else down[k] for k in range(len(theta))]
