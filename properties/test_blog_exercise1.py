"""Exercise 1 of the blog: E[mistakes] <= sum loss_t(u) + s R_T^2 ||u - x_1||^2 without knowing R, R_T the largest norm.

The recursion is written out in fractions: norms enter by their squares. The learner, in doubles, is held against it.
"""

from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import example, given, target
from hypothesis import strategies as st

from gaptron import learners
from properties import formulas, strategies
from properties.bound_of import CHECKED
from properties.strategies import Vector

LOSS, S = formulas.SmoothHinge(2), 2
BINARY_STREAMS = strategies.streams(max_classes=2)
SCALES = st.lists(st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1), Fraction(5)]), min_size=12, max_size=12)


class Lived(NamedTuple):
    """What the recursion saw."""

    wrong: list[Fraction]
    weights: list[Vector]
    largest: Fraction


def dot(a: Vector, b: Vector) -> Fraction:
    return sum((v * w for v, w in zip(a, b, strict=True)), Fraction(0))


def recursion(X: list[Vector], y: list[int], start: Vector) -> Lived:
    """w_t = start - theta/lambda_t with lambda_t = 2 s max ||x_i||^2, theta the sum of the subgradients."""
    theta, largest = [Fraction(0)] * len(start), Fraction(0)
    wrong, weights = [], []
    for x, label in zip(X, y, strict=True):
        largest = max(largest, dot(x, x))
        w = [a - (b / (2 * S * largest) if largest else 0) for a, b in zip(start, theta, strict=True)]
        z = dot(w, x)
        a, sign = LOSS.a(abs(z)), 1 - 2 * label
        wrong.append((1 - a) * ((z >= 0) != (label == 0)) + a / 2)
        theta = [b + sign * LOSS.slope(sign * z) * v for b, v in zip(theta, x, strict=True)]
        weights.append(w)
    return Lived(wrong, weights, largest)


def slack(X: list[Vector], y: list[int], start: Vector, u: Vector) -> Fraction:
    """Right side minus left side of the bound."""
    lived = recursion(X, y, start)
    losses = (LOSS.phi((1 - 2 * label) * dot(u, x)) for x, label in zip(X, y, strict=True))
    distance = [a - b for a, b in zip(u, start, strict=True)]
    return sum(losses, Fraction(0)) + S * lived.largest * dot(distance, distance) - sum(lived.wrong)


@given(stream=BINARY_STREAMS, scales=SCALES, data=st.data())
def test_mistake_bound(stream: strategies.Stream, scales: list[Fraction], data: st.DataObject) -> None:
    _, X, y = stream
    X = [[scale * v for v in x] for x, scale in zip(X, scales, strict=False)]
    start, u = (data.draw(strategies.vectors(len(X[0]))) for _ in range(2))
    last = recursion(X, y, start).weights[-1]
    least = min(slack(X, y, start, v) for v in (u, start, last))
    assert least >= 0
    target(-float(least))
    CHECKED["streams"] += 1
    CHECKED["outcome paths after merging"] += 1


def test_half_of_the_regret_is_needed() -> None:
    """One round, u = -1/2: as in Theorem 1 of the blog."""
    one, zero = [Fraction(1)], [Fraction(0)]
    assert slack([one], [1], zero, [-Fraction(1, 2)]) == Fraction(1, 4)


@given(stream=BINARY_STREAMS, scales=SCALES, data=st.data())
@example(stream=(2, [[Fraction(0)], [Fraction(1)]], [1, 1]), scales=[Fraction(1)] * 12, data=None)
def test_the_learner_is_the_recursion(stream: strategies.Stream, scales: list[Fraction], data: object) -> None:
    _, X, y = stream
    X = [[scale * v for v in x] for x, scale in zip(X, scales, strict=False)]
    start = [Fraction(0)] * len(X[0]) if data is None else data.draw(strategies.vectors(len(X[0])))
    learner = learners.FTRLGaptron(len(start), start=[float(v) for v in start])
    wrong = learner.run([[float(v) for v in x] for x in X], y).probability_wrong
    assert wrong == pytest.approx([float(v) for v in recursion(X, y, start).wrong], abs=1e-7)
