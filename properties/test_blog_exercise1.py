"""Exercise 1 of the blog: E[mistakes] <= sum loss_t(u) + s R_T^2 ||u - x_1||^2 without knowing R, R_T the largest norm.

The recursion is written out in fractions: norms enter by their squares. The learner, in doubles, is held against it.
"""

from fractions import Fraction
from itertools import cycle

import numpy as np
import pytest
from hypothesis import example, given, target
from hypothesis import strategies as st

from gaptron import learners
from properties import formulas, planted, strategies
from properties import quoted_bounds as q
from properties.bound_of import CHECKED
from properties.strategies import Vector

LOSS, S = formulas.SmoothHinge(2), 2
STEPS, ROUNDING = 40, 1e-9
BINARY_STREAMS = q.hostile_streams(40, 2)
SCALES = st.lists(st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1), Fraction(5)]), min_size=12, max_size=12)
SCALES |= st.just([Fraction(1)] * 12)


def dot(a: Vector, b: Vector) -> Fraction:
    return sum((v * w for v, w in zip(a, b, strict=True)), Fraction(0))


def recursion(X: list[Vector], y: list[int], start: Vector) -> list[Fraction]:
    """P(wrong) of every round: w_t = start - theta/(2 s max ||x_i||^2), theta the sum of the subgradients."""
    theta, largest = [Fraction(0)] * len(start), Fraction(0)
    wrong = []
    for x, label in zip(X, y, strict=True):
        largest = max(largest, dot(x, x))
        w = [a - (b / (2 * S * largest) if largest else 0) for a, b in zip(start, theta, strict=True)]
        z = dot(w, x)
        a, sign = LOSS.a(abs(z)), 1 - 2 * label
        wrong.append((1 - a) * ((z >= 0) != (label == 0)) + a / 2)
        theta = [b + sign * LOSS.slope(sign * z) * v for b, v in zip(theta, x, strict=True)]
    return wrong


def right(X: list[Vector], y: list[int], start: Vector, u: Vector) -> Fraction:
    """sum loss_t(u) + s R_T^2 ||u - x_1||^2."""
    losses = (LOSS.phi((1 - 2 * label) * dot(u, x)) for x, label in zip(X, y, strict=True))
    distance = [a - b for a, b in zip(u, start, strict=True)]
    return sum(losses, Fraction(0)) + S * max(dot(x, x) for x in X) * dot(distance, distance)


def best(X: list[Vector], y: list[int], start: Vector) -> Vector:
    """Nearly the u of the least right side: gradient steps in doubles, rounded."""
    points = np.array(X, dtype=float) * (1 - 2 * np.array(y))[:, None]
    squares = (points**2).sum(axis=1)
    u, origin = np.array(start, dtype=float), np.array(start, dtype=float)
    for _ in range(STEPS if squares.max() else 0):
        slopes = -2 * np.clip(1 - points @ u, 0, 1)
        u = u - (slopes @ points + 2 * S * squares.max() * (u - origin)) / (2 * squares.sum() + 2 * S * squares.max())
    return [Fraction(v).limit_denominator(64) for v in u.tolist()]


def learner(start: Vector) -> learners.FTRLGaptron:
    """In doubles."""
    return learners.FTRLGaptron(len(start), start=[float(v) for v in start])


def scaled(stream: strategies.Stream, scales: list[Fraction]) -> tuple[list[Vector], list[int]]:
    """The features of round t times the scale of t modulo 12."""
    _, X, y = stream
    return [[scale * v for v in x] for x, scale in zip(X, cycle(scales), strict=False)], [label % 2 for label in y]


@given(stream=BINARY_STREAMS, scales=SCALES, data=st.data())
def test_mistake_bound(stream: strategies.Stream, scales: list[Fraction], data: st.DataObject) -> None:
    X, y = scaled(stream, scales)
    start = data.draw(st.just([Fraction(0)] * len(X[0])) | strategies.vectors(len(X[0])))
    mistakes = learner(start).run([[float(v) for v in x] for x in X], y).expected_mistakes
    least = min(right(X, y, start, u) for u in (start, best(X, y, start)))
    assert mistakes <= least + ROUNDING
    target(mistakes - float(least))
    planted.weigh(least, len(y), 2)
    CHECKED["streams"] += 1
    CHECKED["outcome paths after merging"] += 1


def test_half_of_the_regret_is_needed() -> None:
    """One round, u = -1/2: as in Theorem 1 of the blog."""
    one, zero = [Fraction(1)], [Fraction(0)]
    assert right([one], [1], zero, [-Fraction(1, 2)]) == Fraction(3, 4)
    assert learner(zero).run([[1.0]], [1]).expected_mistakes == Fraction(1, 2)


@given(stream=BINARY_STREAMS, scales=SCALES, data=st.data())
@example(stream=(2, [[Fraction(0)], [Fraction(1)]], [1, 1]), scales=[Fraction(1)] * 12, data=None)
def test_the_learner_is_the_recursion(stream: strategies.Stream, scales: list[Fraction], data: object) -> None:
    X, y = scaled(stream, scales)
    start = [Fraction(0)] * len(X[0]) if data is None else data.draw(strategies.vectors(len(X[0])))
    wrong = learner(start).run([[float(v) for v in x] for x in X], y).probability_wrong
    assert wrong == pytest.approx([float(v) for v in recursion(X, y, start)], abs=1e-7)
