"""Both sides of quoted bounds, exactly: losses of a comparator, comparisons with roots, strong comparators."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from hypothesis import strategies as st

from gaptron.learners.arithmetic import Array
from gaptron.numbers.evaluate import ball
from properties.formulas import margin, scores, squared_norm
from properties.strategies import Matrix, Stream, Vector, in_unit_ball, vectors

SCALES = (Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2))
DENOMINATOR, STEPS = 64, 40


def within_root(left: Fraction, square: Fraction) -> bool:
    """left <= sqrt(square)."""
    return left <= 0 or left * left <= square


def share(left: Fraction, square: Fraction) -> float:
    """left/sqrt(square): how much of a regret term is used; 0 if there is none."""
    return float(left) / float(square) ** 0.5 if square > 0 else 0.0


def surely_above(left: Any, right: Any) -> bool:
    """left > right, certainly: numbers or balls."""
    return bool(ball(left) > ball(right))


def ln(value: Fraction) -> flint.arb:
    """A ball that contains the logarithm."""
    return ball(value).log()


def squared_radius(X: Iterable[Vector]) -> Fraction:
    """X^2 of a bound: the largest ||x||^2."""
    return max(sum((v * v for v in x), Fraction(0)) for x in X)


def size(X: Iterable[Vector], U: Matrix) -> Fraction:
    """X^2 ||U||^2."""
    return squared_radius(X) * squared_norm(U)


def hinge(U: Matrix, x: Vector, y: int) -> Fraction:
    """Beygelzimer et al. 2017, equation (1)."""
    return max(1 - margin(scores(U, x), y), Fraction(0))


def parabola(eta: Fraction, v: Fraction) -> Fraction:
    """f of the proof of Theorem 3: 1 - 2 v/(2 - eta) + eta v^2/(2 - eta)."""
    return 1 - (2 * v - eta * v * v) / (2 - eta)


def eta_loss(eta: Fraction, U: Matrix, x: Vector, y: int) -> Fraction:
    """Equations (2) and (3)."""
    v = margin(scores(U, x), y)
    return parabola(eta, v) if v <= 1 else Fraction(0)


def in_range(eta: Fraction, U: Matrix, X: Iterable[Vector]) -> bool:
    """eta <= 2/(2 max ||u_i|| X + 1), the condition of Theorem 2."""
    row = max(sum((u * u for u in line), Fraction(0)) for line in U)
    return row * squared_radius(X) <= ((2 / eta - 1) / 2) ** 2


def within(eta: Fraction, U: Matrix, X: list[Vector]) -> Matrix:
    """U, halved until it is in the range of the theorem."""
    while not in_range(eta, U, X):
        U = multiple(U, Fraction(1, 2))
    return U


def strong_comparators(eta: Fraction, stream: Stream, starts: Iterable[Matrix], weight: float = 1.0) -> list[Matrix]:
    """Multiples of the starts, and minimisers of sum loss + c ||U||^2 for some c, found in doubles and rounded."""
    K, X, y = stream
    points, labels = np.array(X, dtype=float), np.array(y)
    found = [minimiser(float(eta), points, labels, weight * scale, K) for scale in (0.5, 2.0)]
    return [multiple(U, scale) for U in starts for scale in SCALES] + [*map(rounded, found)]


def minimiser(eta: float, X: Array, y: Array, c: float, K: int) -> Array:
    """Nearly a minimum of sum loss_eta(U) + c ||U||^2: subgradient steps of about 1/(c t), averaged with weights t."""
    U = average = np.zeros((K, X.shape[1]))
    for t in range(STEPS):
        U = U - (subgradient(eta, X, y, U) + 2 * c * U) / (c * (t + 2) + 4 * eta * len(y))
        average = average + (U - average) * 2 / (t + 2)
    return average


def subgradient(eta: float, X: Array, y: Array, U: Array) -> Array:
    """Of sum loss_eta at U."""
    rounds, theta = np.arange(len(y)), X @ U.T
    others = theta.copy()
    others[rounds, y] = -np.inf
    rivals = others.argmax(axis=1)
    v = theta[rounds, y] - theta[rounds, rivals]
    slope = np.where(v < 1, (2 * eta * v - 2) / (2 - eta), 0)
    steps = np.zeros_like(theta)
    steps[rounds, y], steps[rounds, rivals] = slope, -slope
    return steps.T @ X


def multiple(U: Matrix, scale: Fraction) -> Matrix:
    """scale U."""
    return [[scale * u for u in row] for row in U]


def rounded(U: Array) -> Matrix:
    """To small denominators: vertices of a piecewise linear bound often have them."""
    return [[Fraction(float(u)).limit_denominator(DENOMINATOR) for u in row] for row in U]


@st.composite
def hostile_streams(draw: st.DrawFn, max_rounds: int, max_classes: int, max_features: int = 3) -> Stream:
    """Blocks of a point and a label, most often that of the point; labels below 0 are chosen against the learner."""
    K, d = draw(st.integers(2, max_classes)), draw(st.integers(1, max_features))
    T = draw(st.sampled_from([1, 3, max_rounds // 2, max_rounds, max_rounds, max_rounds]))
    points = st.tuples(st.sampled_from(basis(d)) | vectors(d).map(in_unit_ball), st.integers(0, K - 1))
    pool = st.sampled_from(draw(st.lists(points, min_size=1, max_size=3)))
    kinds = st.sampled_from(["its own", "its own", "its own", "any"])
    rounds: list[tuple[Vector, int]] = []
    while len(rounds) < T:
        (x, own), kind, length = draw(pool), draw(kinds), draw(st.sampled_from([1, 1, 2, max_rounds]))
        rounds += [(x, own if kind == "its own" else draw(st.integers(1 - K, K - 1)))] * length
    return K, [x for x, _ in rounds[:T]], [label for _, label in rounds[:T]]


def basis(d: int) -> list[Vector]:
    """e_1, ..., e_d."""
    return [[Fraction(int(i == j)) for j in range(d)] for i in range(d)]


def two_rows(v: Fraction, d: int) -> Matrix:
    """U = (-v, v) (x) (1, ..., 1): margin 2 v for label 1 on every e_i, and ||U||^2 = 2 d v^2."""
    return [[-v] * d, [v] * d]
