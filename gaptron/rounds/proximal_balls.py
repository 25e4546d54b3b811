"""Proximal steps that certainly contain the true ones, in balls or intervals.

At the midpoints of the scores and of c the step is known exactly, or to within a radius that strong convexity bounds:
by a subgradient there, or by the dual. From there to any scores within the balls a step changes by no more than the
scores do, and the envelope by no more than its slope, 2 c times the step, allows.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import flint
import numpy as np

from gaptron.language.expressions import Expression
from gaptron.language.slopes import left_slope, right_slope
from gaptron.numbers.compiled import compiled
from gaptron.numbers.evaluate import EXACT
from gaptron.numbers.kinds import Balls, Function, Kind, Number, plain
from gaptron.rounds.proximal_margins import BinarySteps, MarginSteps, one_score
from gaptron.rounds.proximal_softmax import LOG_P, SoftmaxSteps, in_log_p
from gaptron.rounds.proximal_step import Proximal

NEWTONS = 12
SPARE_BITS = 32
BALLS = Balls()
Steps = TypeVar("Steps")
Newton = tuple[Number, list[Number], list[Number]]  # a loss, its gradient, and the step


@dataclass(frozen=True)
class KnownStep:
    """A step at exact scores: its moves, how far they may be off in norm, and the ends of the envelope."""

    move: Sequence[flint.arb]
    off: flint.arb
    low: flint.arb
    high: flint.arb


class Enclosed(ABC):
    """Steps from midpoints; ``labels`` is how many there are, None for as many as scores."""

    kind: Kind
    labels: int | None = None

    @abstractmethod
    def _at(self, scores: list[Fraction], label: int, c: Fraction) -> KnownStep:
        """The step at exact numbers."""

    def envelopes(self, scores: Sequence[Number], c: Number) -> list[Number]:
        """One step for each label."""
        return [self.step(scores, label, c).least for label in range(self.labels or len(scores))]

    def step(self, scores: Sequence[Number], label: int, c: Number) -> Proximal:
        """See ``ProximalSteps``."""
        given, rate = [ball_of(score) for score in scores], ball_of(c)
        with _finer():
            at, c_at = [_middle(ball) for ball in given], _middle(rate)
            known = self._at(at, label, c_at)
            spread, apart = _norm([ball.rad() for ball in given]), rate.rad()
            size = _norm(known.move) + known.off + spread
            size = _upper(size + apart * size / rate.lower())
            radius = _upper(known.off + spread + apart * size / rate.lower())
            drift = _upper(2 * rate.upper() * size * spread + apart * size * size)
            least = (known.low - drift).union(known.high + drift)
            moves = [flint.arb(part.mid(), _upper(radius + part.rad())) for part in known.move]
        return Proximal(self._shared(scores, label, moves), self.kind.number(least))

    def _shared(self, scores: Sequence[Number], label: int, moves: list[flint.arb]) -> list[Number]:
        """Scores that are one object move by one object."""
        objects: dict[tuple[int, bool], Number] = {}
        for k, move in enumerate(moves):
            objects.setdefault((id(scores[k]), k == label), self.kind.number(move))
        return [objects[id(scores[k]), k == label] for k in range(len(moves))]


class MarginBalls(Enclosed):
    """phi of the margin: in fractions where they are rational.

    Otherwise for any mu and any slope -s of the loss there, and any weights w of the rivals, the dual bounds the
    minimum from below: loss(mu) + s mu - s (theta_y - <w, rivals>) - s^2 (1 + ||w||^2)/(4 c).
    """

    name = "m"
    in_numbers: type[MarginSteps] | type[BinarySteps] = MarginSteps

    def __init__(self, functions: Sequence[Expression], kind: Kind) -> None:
        self.kind = kind
        self.steps: MarginSteps | BinarySteps
        self.exact, self.steps = rational_first(self.in_numbers, functions)
        self.losses = [[compiled(part, self.name, BALLS) for part in with_slopes(phi, self.name)] for phi in functions]

    def _at(self, scores: list[Fraction], label: int, c: Fraction) -> KnownStep:
        if self.exact:
            return exactly(self.steps.step(scores, label, c))
        sign, found = self.steps.reached([float(score) for score in scores], label, float(c))
        own, others = self._apart(scores, label)
        theta, rate, n, d = ball_of(own), ball_of(c), found.price.n, found.price.d
        rise = ball_of(sum(sorted(others, reverse=True)[:n]) - n * own)
        price = lambda mu: (2 * rate * (n * mu + rise) / d, 2 * rate * n / d)  # noqa: E731
        mu = self._refined(label, flint.arb(sign * found.mu), price)
        level = (theta + (n * mu + rise) / d - mu).mid()
        loss, slope = self._slope(label, mu, 2 * rate * (level + mu - theta))
        rivals = [ball_of(score) for score in others]
        down = [max(flint.arb(0), (ball - level).mid()) for ball in rivals]
        if not any(part > 0 for part in down):
            down = [flint.arb(int(score == max(others))) for score in others]
        weights = [part / sum(down) for part in down]
        move = [(level - ball).min(flint.arb(0)) for ball in rivals]
        move.insert(label if others else 0, level + mu - theta)
        high = loss + rate * squares(move)
        ahead = theta - sum(w * ball for w, ball in zip(weights, rivals, strict=True))
        low = loss + slope * (mu - ahead) - slope * slope * (1 + squares(weights)) / (4 * rate)
        return known_step(move, low, high, rate)

    def _apart(self, scores: list[Fraction], label: int) -> tuple[Fraction, list[Fraction]]:
        """The label's score, and those of its rivals."""
        return scores[label], scores[:label] + scores[label + 1 :]

    def _refined(self, label: int, mu: flint.arb, price: Callable[[flint.arb], tuple[Number, Number]]) -> flint.arb:
        """Newton's method on the sum of the slopes, unless it leaves the neighbourhood: a kink stays."""
        _, right, _, bend = self._functions(label)
        start = mu
        for _ in range(NEWTONS):
            slope, growth = price(mu)
            step = ((right(mu) + slope) / (bend(mu) + growth)).mid()
            if not abs(mu - step - start) < flint.arb(2) ** -20:
                return start
            mu = (mu - step).mid()
        return mu

    def _slope(self, label: int, mu: flint.arb, wanted: flint.arb) -> tuple[flint.arb, flint.arb]:
        """The loss at mu, and the s nearest to the wanted one for which -s is a slope there."""
        value, right, left, _ = self._functions(label)
        most, least = -flint.arb(left(mu)), -flint.arb(right(mu))
        return flint.arb(value(mu)), wanted.min(most).max(least)

    def _functions(self, label: int) -> list[Function]:
        return self.losses[label % len(self.losses)]


class BinaryBalls(MarginBalls):
    """Both sides of the score z of one weight vector, which has no rivals."""

    labels, name = 2, "z"
    in_numbers = BinarySteps

    def _apart(self, scores: list[Fraction], label: int) -> tuple[Fraction, list[Fraction]]:
        return one_score(scores), []


class SoftmaxBalls(Enclosed):
    """psi(p_y): Newton's method from the step in doubles; the gradient left over bounds what is wrong with it."""

    def __init__(self, functions: Sequence[Expression], kind: Kind) -> None:
        self.kind, self.doubles = kind, SoftmaxSteps(functions)
        self.h = [compiled(part, LOG_P, BALLS) for part in in_log_p(functions[0])]

    def _at(self, scores: list[Fraction], label: int, c: Fraction) -> KnownStep:
        theta, rate = [ball_of(score) for score in scores], ball_of(c)
        doubles, _ = self.doubles.solved(np.array([float(s) for s in scores]), np.array([label]), np.array([float(c)]))
        best = [flint.arb(float(part)) for part in doubles[0]]
        best, loss, gradient = refined(lambda moves: self._newton(theta, moves, label, rate), best)
        square = squares(gradient)
        high = loss + rate * squares(best)
        return KnownStep(best, _upper(_root(square) / (2 * rate)), high - _upper(square / (4 * rate)), high)

    def _newton(self, theta: list[Number], moves: list[Number], label: int, c: Number) -> Newton:
        """The loss, the gradient h' (e_y - p) + 2 c delta, and the inverse Hessian on it: see ``SoftmaxSteps``."""
        at = [score + move for score, move in zip(theta, moves, strict=True)]
        top = max(ball.mid() for ball in at)
        powers = [(ball - top).exp() for ball in at]
        total = sum(powers)
        shares = [power / total for power in powers]
        loss, first, second = (flint.arb(h((powers[label] / total).log())) for h in self.h)
        toward = [int(k == label) - share for k, share in enumerate(shares)]
        gradient = [first * way + 2 * c * move for way, move in zip(toward, moves, strict=True)]
        ranks, weights = (toward, shares), (second, first)
        scaled = [[part / (2 * c - first * share) for part, share in zip(rank, shares, strict=True)] for rank in ranks]
        flat = [part / (2 * c - first * share) for part, share in zip(gradient, shares, strict=True)]
        (a, b), (d, e) = ([int(i == j) + weights[i] * _dot(ranks[i], scaled[j]) for j in (0, 1)] for i in (0, 1))
        f, g = (weight * _dot(rank, flat) for weight, rank in zip(weights, ranks, strict=True))
        minor = a * e - b * d
        x, y = (f * e - b * g) / minor, (a * g - d * f) / minor
        newton = [part - x * u - y * v for part, u, v in zip(flat, *scaled, strict=True)]
        return loss, gradient, newton


def with_slopes(loss: Expression, name: str) -> tuple[Expression, ...]:
    """The loss, its slopes from the right and from the left, and how fast the slope grows."""
    right = right_slope(loss, name)
    return loss, right, left_slope(loss, name), right_slope(right, name)


def rational_first(
    steps: Callable[[Sequence[Expression], bool], Steps], functions: Sequence[Expression]
) -> tuple[bool, Steps]:
    """Whether steps are rational, and the steps: in fractions then, else in doubles."""
    try:
        return True, steps(functions, True)
    except NotImplementedError:
        return False, steps(functions, False)


def exactly(found: Proximal) -> KnownStep:
    """A step in fractions."""
    least = ball_of(found.least)
    return KnownStep([ball_of(part) for part in found.move], flint.arb(0), least, least)


def refined(
    newton: Callable[[list[flint.arb]], Newton], move: list[flint.arb]
) -> tuple[list[flint.arb], Number, list[Number]]:
    """Newton's method, as long as it halves the gradient: where it ends, the loss and the gradient there."""
    loss, gradient, step = newton(move)
    for _ in range(NEWTONS):
        tried = [(part - by).mid() for part, by in zip(move, step, strict=True)]
        there = newton(tried)
        if not 4 * squares(there[1]) < squares(gradient):
            break
        move, (loss, gradient, step) = tried, there
    return move, loss, gradient


def known_step(move: list[flint.arb], low: flint.arb, high: flint.arb, c: flint.arb) -> KnownStep:
    """c ||delta - move||^2 is at most what the value there is above the minimum."""
    return KnownStep(move, _upper(_root(high - low) / _root(c)), low, high)


def ball_of(value: Number) -> flint.arb:
    exact = EXACT.number(value)
    return exact if isinstance(exact, flint.arb) else flint.arb(exact)


def _middle(ball: flint.arb) -> Fraction:
    return Fraction(plain(ball.mid().fmpq()))


def _upper(value: flint.arb) -> flint.arb:
    """A number that is certainly not below, and not below 0."""
    return flint.arb(max(value.upper(), flint.arb(0)))


def _root(square: flint.arb) -> flint.arb:
    """The root of something that is not negative, however its ball looks."""
    return _upper(_upper(square).sqrt())


def _dot(left: Sequence[Number], right: Sequence[Number]) -> Number:
    return sum((a * b for a, b in zip(left, right, strict=True)), flint.arb(0))


def squares(vector: Sequence[Number]) -> Number:
    return _dot(vector, vector)


def _norm(vector: Sequence[Number]) -> flint.arb:
    return _root(squares(vector))


@contextmanager
def _finer() -> Iterator[None]:
    """Twice the precision: a root halves it."""
    before = flint.ctx.prec
    flint.ctx.prec = 2 * before + SPARE_BITS
    try:
        yield
    finally:
        flint.ctx.prec = before
