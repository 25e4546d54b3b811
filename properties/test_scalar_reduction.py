"""The surrogate gap with matrices is the scalar formula in (K, s, t), times ||x||^2 in the gradient part."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given

from gaptron import Gaptron
from properties import formulas, strategies

LOSSES = (formulas.Hinge, formulas.SmoothHinge)


def scalar_gap(loss: formulas.Loss, K: int, s: Fraction, t: Fraction | None, xx: Fraction) -> Fraction:
    """The gap of a round whose top label is right with margin s (t is None), or wrong with margin -t."""
    if t is not None:
        return 1 - loss.a(s) / K - loss.phi(-t) + loss.eta * loss.slope(-t) ** 2 * xx
    spread = loss.a(s) * Fraction(K - 1, K)
    if isinstance(loss, formulas.Hinge) and s > loss.beta:
        return spread
    return spread - loss.phi(s) + loss.eta * loss.slope(s) ** 2 * xx


def learner_gap(name: str, W: formulas.Matrix, x: formulas.Vector, y: int, eta: Fraction) -> Fraction:
    """The gap of a round, by the learner's own code on matrices."""
    learner = Gaptron(len(W), len(x), loss=name, exact=True)
    learner.W = np.array(W, dtype=object)
    wrong, loss = 1 - learner.predict_proba(x)[y], learner.loss(x, y)
    learner.update(x, y)
    step = learner.W - np.array(W, dtype=object)
    return wrong - loss + eta / 2 * (step**2).sum() / learner.learning_rate**2


@pytest.mark.parametrize("kind", LOSSES)
@given(item=strategies.rounds())
@example(item=([[Fraction(0)], [Fraction(0)]], [Fraction(1)], 1))
@example(item=([[Fraction(0)], [Fraction(0)]], [Fraction(1)], 0))
@example(item=([[Fraction(1)], [Fraction(0)], [Fraction(0)]], [Fraction(1)], 2))
def test_gap_depends_on_scalars_only(kind: type, item: tuple) -> None:
    W, x, y = item
    K, theta, loss = len(W), formulas.scores(W, x), kind(len(W))
    s = formulas.margin(theta, formulas.top(theta))
    t = None if formulas.top(theta) == y else -formulas.margin(theta, y)
    assert s >= 0
    assert t is None or (t == s if K == 2 else t >= s)
    expected = scalar_gap(loss, K, s, t, sum(v * v for v in x))
    assert formulas.surrogate_gap(loss, W, x, y) == expected
    assert learner_gap(loss.name, W, x, y, loss.eta) == expected


@pytest.mark.parametrize("kind", LOSSES)
@given(item=strategies.rounds())
def test_gap_is_at_most_zero_in_the_unit_ball(kind: type, item: tuple) -> None:
    W, x, y = item
    assert formulas.surrogate_gap(kind(len(W)), W, strategies.in_unit_ball(x), y) <= 0


@pytest.mark.parametrize("K", [2, 3, 7])
@pytest.mark.parametrize("kind", LOSSES)
def test_a_larger_learning_rate_breaks_the_gap(kind: type, K: int) -> None:
    W, x, y = contact(kind, K)
    loss = kind(K)
    assert formulas.surrogate_gap(loss, W, x, y) == 0
    loss.eta *= Fraction(1001, 1000)
    assert formulas.surrogate_gap(loss, W, x, y) > 0
    assert learner_gap(loss.name, W, x, y, loss.eta) > 0


def contact(kind: type, K: int) -> tuple[formulas.Matrix, formulas.Vector, int]:
    """A round on which the gap is exactly zero."""
    lead = Fraction(1, K) if kind is formulas.Hinge else Fraction(0)
    return [[lead], *[[Fraction(0)]] * (K - 1)], [Fraction(1)], 0 if lead else 1
