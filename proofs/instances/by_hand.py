"""Gaptron on margin losses written out in fractions: a second route to what learners and provers say.

Nothing is shared with ``gaptron.learners``. With full information the weights do not depend on the draws, so the sum of
P(wrong) over the rounds is the expected number of mistakes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

Vector = list[Fraction]
Matrix = list[Vector]
Scalar = Callable[[Fraction], Fraction]
Point = tuple[Vector, int]

ONE = Fraction(1)
POINTS = ((1, 0), (0, 1), (-1, 0), ("3/5", "4/5"), ("4/5", "-3/5"), ("1/2", "1/2"), ("1/4", "-1/3"), ("1/8", 0))
STEPS = tuple(map(Fraction, ("0", "1/4", "1/2", "1", "2")))


@dataclass(frozen=True)
class HandRule:
    """A margin loss with its derivative, a gap map in the top margin, and a learning rate.

    Attributes
    ----------
    phi, slope, gap : functions of a Fraction
        At a kink ``slope`` is either one-sided derivative.
    eta : Fraction
        The learning rate, 1/X^2 included.
    beta : Fraction, optional
        Loss and gradient vanish on rounds whose top label is right with m* > beta.
    """

    phi: Scalar
    slope: Scalar
    gap: Scalar
    eta: Fraction
    beta: Fraction | None = None


@dataclass(frozen=True)
class HandRound:
    """One round at the weights before its update; ``squares`` is ||g||^2, ``a`` the value of the gap map."""

    right: bool
    on: bool
    a: Fraction
    loss: Fraction
    squares: Fraction
    P_wrong: Fraction


def hinge(n_classes: int, beta: Fraction | None = None, eta: Fraction | None = None) -> HandRule:
    """Equation (2) and Theorem 2 of van der Hoeven 2020 for X = 1; beta = 1/K and eta = (1 - beta)/K by default."""
    at = Fraction(1, n_classes) if beta is None else beta
    rate = (1 - at) / n_classes if eta is None else eta
    return HandRule(
        lambda m: max(1 - m, Fraction(0)),
        lambda m: Fraction(-1 if m < 1 else 0),
        lambda s: 1 - s if s <= at else Fraction(0),
        rate,
        at,
    )


def smooth_hinge(n_classes: int, eta: Fraction | None = None, *, truncated: bool = True) -> HandRule:
    """Equation (3) and Theorem 3 of van der Hoeven 2020 for X = 1, the loss truncated at m = 1 or as printed."""

    def cap(m: Fraction) -> Fraction:
        return min(m, ONE) if truncated else m

    return HandRule(
        lambda m: 1 - 2 * m if m <= 0 else (1 - cap(m)) ** 2,
        lambda m: Fraction(-2) if m <= 0 else -2 * (1 - cap(m)),
        lambda s: (1 - min(s, ONE)) ** 2,
        Fraction(1, 4 * n_classes) if eta is None else eta,
    )


def eta_loss(m: Fraction, eta: Fraction) -> Fraction:
    """l_eta at a margin (Beygelzimer, Orabona, Zhang 2017, equation (2))."""
    return Fraction(0) if m > 1 else 1 - 2 * m / (2 - eta) + eta * m**2 / (2 - eta)


def dot(left: Vector, right: Vector) -> Fraction:
    """<left, right>."""
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))


def scores(W: Matrix, x: Vector) -> Vector:
    """W x."""
    return [dot(row, x) for row in W]


def squared_norm(W: Matrix) -> Fraction:
    """||W||^2."""
    return sum((dot(row, row) for row in W), Fraction(0))


def margin(theta: Vector, label: int) -> tuple[Fraction, int]:
    """m(W, y) and the lowest index among the best rivals."""
    rival = max((k for k in range(len(theta)) if k != label), key=lambda k: (theta[k], -k))
    return theta[label] - theta[rival], rival


def play(rule: HandRule, n_classes: int, stream: Sequence[Point], gamma: Fraction = Fraction(0)) -> Iterator[HandRound]:
    """The rounds of Algorithm 1 with full information, without projection; the top label is the lowest index."""
    W = zeros(n_classes, len(stream[0][0]))
    for x, label in stream:
        now, W = step(rule, W, x, label, gamma)
        yield now


def step(
    rule: HandRule, W: Matrix, x: Vector, label: int, gamma: Fraction, weight: Scalar = lambda _: ONE
) -> tuple[HandRound, Matrix]:
    """A round, and the weights after a gradient step; ``weight`` of P(right) multiplies the gradient."""
    theta, K = scores(W, x), len(W)
    top = theta.index(max(theta))
    m, rival = margin(theta, label)
    on = rule.beta is None or top != label or m <= rule.beta
    a = rule.gap(margin(theta, top)[0])
    mix = max(a, gamma)
    P_wrong = mix * Fraction(K - 1, K) if top == label else 1 - mix / K
    slope = rule.slope(m) if on else Fraction(0)
    now = HandRound(top == label, on, a, rule.phi(m) if on else Fraction(0), 2 * slope**2 * dot(x, x), P_wrong)
    move = {label: -1, rival: 1}
    rate = rule.eta * slope * (weight(1 - P_wrong) if slope else 0)
    return now, [[w + move.get(k, 0) * rate * v for w, v in zip(row, x, strict=True)] for k, row in enumerate(W)]


def comparator_losses(rule: HandRule, rounds: Sequence[HandRound], stream: Sequence[Point], U: Matrix) -> Fraction:
    """The sum of l_t(U), the cases of l_t being those of W_t."""
    on = (point for now, point in zip(rounds, stream, strict=True) if now.on)
    return sum((rule.phi(margin(scores(U, x), label)[0]) for x, label in on), Fraction(0))


def zeros(n_rows: int, n_columns: int) -> Matrix:
    """A matrix of zeros."""
    return [[Fraction(0)] * n_columns for _ in range(n_rows)]


def draw_stream(rng: np.random.Generator, longest: int = 6) -> tuple[int, list[Point]]:
    """K in 2..4, and 1 to ``longest`` rounds with ||x|| <= 1 in the plane."""
    K, T = int(rng.integers(2, 5)), int(rng.integers(1, longest + 1))
    points = [POINTS[int(i)] for i in rng.integers(len(POINTS), size=T)]
    return K, [([Fraction(v) for v in x], int(rng.integers(K))) for x in points]


def draw_comparator(rng: np.random.Generator, n_classes: int, stream: Sequence[Point]) -> Matrix:
    """A multiple of the sum of (e_y - 1/K) (x) x, which separates what can be separated, plus noise."""
    U: Any = np.array(zeros(n_classes, len(stream[0][0])), dtype=object)
    scale, noise = STEPS[int(rng.integers(len(STEPS)))], Fraction(int(rng.integers(2)), 4)
    for x, label in stream:
        U -= scale / n_classes * np.array(x, dtype=object)
        U[label] += scale * np.array(x, dtype=object)
    rows: Matrix = (U + noise * fractions(rng, *U.shape)).tolist()
    return rows


def fractions(rng: np.random.Generator, *shape: int) -> Any:
    """Small fractions n/d, an object array of this shape."""
    numerators, denominators = rng.integers(-6, 7, size=shape), rng.integers(1, 5, size=shape)
    return np.vectorize(lambda n, d: Fraction(int(n), int(d)), otypes=[object])(numerators, denominators)
