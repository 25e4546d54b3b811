"""Lemmas 3 and 4 of the notes, exactly, for every learner that their Assumption 1 allows.

Such a learner is a list of probabilities: p_j of class 1 at the j-th new point, as all points before were predicted
right by then. N points, V = 1/N, eps = max(1/sqrt(N), 1/sqrt(T)); rows and columns are chosen so that eps is rational.
"""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from properties.adversaries import half_circle, lower_bound

ONE, ZERO = Fraction(1), Fraction(0)
ROOTS = st.integers(1, 4)


def until_right(right: Fraction, n_rounds: int) -> Fraction:
    """Expected mistakes on one point that is repeated until it is predicted right, in at most n rounds."""
    return sum(((1 - right) ** j for j in range(1, n_rounds + 1)), ZERO)


def label(j: int, p: Fraction, eps: Fraction) -> int:
    """The adversary's label, 1 or 2; that of the first point is 1."""
    return 2 if j > 0 and p >= 1 - eps else 1


def expected_mistakes(p: list[Fraction], eps: Fraction, n_rounds: int) -> Fraction:
    """In n rounds, until the points are used up or the one with label 2 has been predicted right."""

    @cache
    def value(j: int, left: int) -> Fraction:
        if left == 0 or j == len(p):
            return ZERO
        second = label(j, p[j], eps) == 2
        right = 1 - p[j] if second else p[j]
        after = ZERO if second else value(j + 1, left - 1)
        return (1 - right) * (1 + value(j, left - 1)) + right * after

    return value(0, n_rounds)


@st.composite
def learners(draw: st.DrawFn) -> tuple[list[Fraction], Fraction, int]:
    """(p, eps, T) with N = len(p) and T squares."""
    n, t = draw(ROOTS), draw(ROOTS)
    eps = max(Fraction(1, n), Fraction(1, t))
    near = st.sampled_from([ZERO, 1 - eps, 1 - eps / 2, 1 - eps - eps * (1 - eps) / 8, ONE])
    p = draw(near.map(lambda v: [v] * n * n) | st.lists(near, min_size=n * n, max_size=n * n))
    return [min(max(v, ZERO), ONE) for v in p], eps, t * t


@given(learners())
def test_lemma_4_holds_as_it_stands(learner: tuple) -> None:
    """If p is always less than 1 - eps, at least eps mistakes a round: min(sqrt(N), sqrt(T)) until the points end."""
    p, eps, T = learner
    below = [min(v, 1 - eps - eps * (1 - eps) / 8) for v in p]
    found, rounds = expected_mistakes(below, eps, min(T, len(p))), min(T, len(p))
    assert found >= rounds * eps
    assert rounds * eps == 1 / eps


@given(eps=st.sampled_from([Fraction(1, 2), Fraction(1, 5), Fraction(1, 20)]), extra=st.integers(0, 30))
def test_lemma_3_with_enough_rounds_left(eps: Fraction, extra: int) -> None:
    """With n >= 1/eps rounds left: (1 - eps)(1 - (1 - eps)^n)/eps >= (1 - eps)(1 - 1/e)/eps mistakes."""
    n = int(1 / eps) + extra
    found = until_right(eps, n)
    assert found == (1 - eps) * (1 - (1 - eps) ** n) / eps
    assert found >= (1 - eps) * Fraction(632, 1000) / eps


@pytest.mark.parametrize("constant", [1, 10, 100])
def test_lemma_3_as_printed_fails_at_the_last_round(constant: int) -> None:
    """t = T: at most one mistake is left, against min(sqrt(N), sqrt(T)) of any size. The lemma needs t <= T - 1/eps."""
    root = constant + 1
    assert until_right(Fraction(1, root), 1) < 1 < Fraction(root, constant)


@given(learners())
@example(([ONE], ONE, 1))
def test_both_lemmas_together(learner: tuple) -> None:
    """Over all rounds the order stands whenever the trap comes, also late: before it every round costs eps.

    The first label is known: no mistake there, at best."""
    p, eps, T = learner
    found = expected_mistakes([ONE, *p[1:]], eps, T)
    assert found >= (1 - eps) * Fraction(3, 10) * min(1 / eps, ONE * T)


def best_learner(root: int) -> float:
    """The least expected mistakes of any learner with N = T = root^2, as a share of root; p_1 = 1 costs nothing."""
    eps, T = 1 / root, root * root
    trapped = (1 - eps) * (1 - (1 - eps) ** np.arange(T + 1)) / eps
    value = np.zeros(T + 1)  # by rounds left, at the point behind the last one
    for _ in range(T - 1):
        stay = np.zeros(T + 1)
        for left in range(1, T + 1):
            stay[left] = min(eps * (1 + stay[left - 1]) + (1 - eps) * value[left - 1], trapped[left])
        value = stay
    return value[T - 1] / root


def test_the_best_learner_pays_nearly_the_root() -> None:
    """It steps into the trap at the second point: (1 - eps)/eps mistakes, a share 1 - eps of sqrt(N) = sqrt(T)."""
    assert best_learner(20) == pytest.approx(1 - 1 / 20, abs=1e-6)


class Scripted:
    """A learner whose probability of label 0 at the j-th point is p_j."""

    n_classes, n_features = 2, 2

    def __init__(self, p: list[float], pool: np.ndarray) -> None:
        self.p, self.pool = p, pool

    def predict_proba(self, x: np.ndarray) -> np.ndarray:
        p = self.p[int(np.abs(self.pool - x).sum(axis=1).argmin())]
        return np.array([p, 1 - p])


@given(learners())
@example(([*[ZERO] * 8, Fraction(2, 3)], Fraction(1, 3), 9))
def test_the_adversary_of_the_package_is_this_one(learner: tuple) -> None:
    """Its labels 0 and 1, with every round predicted right at once, up to a tie, which rounding decides in doubles."""
    p, eps, T = learner
    pool = half_circle(len(p))
    adversary = lower_bound(Scripted([float(v) for v in p], pool), pool, T)
    for j, v in enumerate(p):
        if v in (eps, 1 - eps):
            break
        expected = label(j, v, eps) - 1
        x, found = next(adversary) if j == 0 else adversary.send(False)
        assert (x.tolist(), found) == (pool[j].tolist(), expected)
        if expected == 1:
            break
