"""Biased halving (notes, section 2) on finite pools: both counts, on every outcome path."""

from fractions import Fraction
from itertools import product
from math import comb, floor, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gaptron.learners import BiasedHalving
from properties.formulas import scores
from properties.strategies import Matrix, Vector, matrices, vectors

ALPHAS = st.sampled_from([Fraction(1, 8), Fraction(1, 3), Fraction(1, 2), Fraction(3, 4)])


def outputs(W: Matrix, x: Vector) -> set[int]:
    """The i with W in Omega(i|x)."""
    theta = scores(W, x)
    return {i for i, v in enumerate(theta) if v == max(theta)}


def step(pool: list[Matrix], alive: frozenset, alpha: Fraction, x: Vector, y: int) -> tuple[bool, int, frozenset]:
    """(greedy, its label, Omega after a wrong greedy round or a right guess): lines 7 to 14."""
    members = [frozenset(n for n in alive if i in outputs(pool[n], x)) for i in range(len(pool[0]))]
    top = max(range(len(members)), key=lambda i: (len(members[i]), -i))
    greedy = len(members[top]) >= (1 - alpha) * len(alive)
    return greedy, top, (alive - members[top] if top != y else alive) if greedy else members[y]


@st.composite
def games(draw: st.DrawFn) -> tuple[list[Matrix], list[Vector], list[int]]:
    """(pool, X, y): member 0 has a single largest score, at the label, on every round."""
    K, d = draw(st.integers(2, 3)), draw(st.integers(1, 2))
    pool = draw(st.lists(matrices(K, d), min_size=2, max_size=10))
    points = [x for x in draw(st.lists(vectors(d), min_size=4, max_size=8)) if len(outputs(pool[0], x)) == 1]
    return pool, points, [min(outputs(pool[0], x)) for x in points]


@given(game=games(), alpha=ALPHAS, luck=st.lists(st.booleans(), min_size=8, max_size=8))
def test_both_counts_hold_on_every_path(game: tuple, alpha: Fraction, luck: list[bool]) -> None:
    """Wrong greedy rounds: alpha^n N >= 1; right guesses: (1 - alpha)^n N > 1 or n = 0; the true member stays."""
    pool, X, y = game
    learner = BiasedHalving(len(pool[0]), len(pool[0][0]), pool=pool, alpha=float(alpha))
    wrong = guessed = 0
    for x, label, lucky in zip(X, y, luck, strict=False):
        alive, predicted = members(learner), learner.predict_proba(x)
        greedy = bool(predicted.max() == 1)
        drawn = int(predicted.argmax()) if greedy else label
        if greedy or lucky:
            learner.update(x, drawn, drawn == label)
            wrong, guessed = wrong + (drawn != label), guessed + (not greedy)
            if alpha != Fraction(1, 3):  # which is not a double, and matters where a share is exactly 2/3
                expected = step(pool, alive, alpha, x, label)
                assert (greedy, drawn if greedy else expected[1], members(learner)) == expected
        assert 0 in members(learner)
    assert alpha**wrong * len(pool) >= 1
    assert (1 - alpha) ** guessed * len(pool) > 1 or guessed == 0


def members(learner: BiasedHalving) -> frozenset:
    """Omega."""
    return frozenset(np.flatnonzero(learner.alive).tolist())


def test_under_the_assumption_of_the_notes_there_can_be_one_more_greedy_error() -> None:
    """No error once |Omega_t| < |Omega|/N: the error that gets there still counts, so 1 + ln N/ln(1/alpha).

    Three classifiers of x = 1, two with label 0, alpha = 1/3, N = 29/10: one error leaves 1 < 3/N, and it is more
    than ln N/ln 3 = 0.97. After it the only member left is the true one.
    """
    pool = [[[Fraction(s)], [Fraction(-s)]] for s in (-1, 1, 1)]
    greedy, top, after = step(pool, frozenset(range(3)), Fraction(1, 3), [Fraction(1)], 1)
    assert (greedy, top, after) == (True, 0, {0})
    assert 1 < 3 / Fraction(29, 10)
    assert Fraction(29, 10) < 3**1


# --- mistakes in exploration rounds -------------------------------------------------------------------------


def at_most(failures: int, successes: int, K: int) -> Fraction:
    """P(at most so many wrong guesses before so many right ones)."""
    p = Fraction(1, K)
    return sum(comb(n + successes - 1, n) * (1 - p) ** n * p**successes for n in range(failures + 1))


def signs() -> list[Matrix]:
    """The 16 classifiers of e_1, ..., e_4 by signs, K = 2."""
    return [[[Fraction(s) for s in row], [Fraction(-s) for s in row]] for row in product((1, -1), repeat=4)]


def probability_of_no_mistake(alpha: Fraction) -> Fraction:
    """On e_1, ..., e_4, label 0 each: every round is a guess, and a right one halves the pool."""
    pool, alive, chance = signs(), frozenset(range(16)), Fraction(1)
    for j in range(4):
        x = [Fraction(int(i == j)) for i in range(4)]
        greedy, _, alive = step(pool, alive, alpha, x, 0)
        assert not greedy
        chance /= 2
    assert alive == {0}
    return chance


def test_the_exploration_count_fails_as_stated() -> None:
    """K = 2, N = 16, alpha = 49/100, delta = 9/10: 0.87 mistakes, so none, with probability 1/10? 1/16."""
    bound = 2 * log(10 / 9) * log(16) / -log(0.51)
    assert 0.8 < bound < 0.9
    chance = probability_of_no_mistake(Fraction(49, 100))
    assert chance == at_most(0, 4, 2) == Fraction(1, 16) < Fraction(1, 10)


@settings(max_examples=2 * settings().max_examples)
@given(K=st.integers(2, 6), successes=st.integers(1, 8), inverse=st.integers(2, 1000))
def test_with_a_union_over_the_right_guesses_it_holds(K: int, successes: int, inverse: int) -> None:
    """R right guesses: R K ln(R/delta) mistakes; and as stated, R K ln(1/delta), from delta <= 1/213 on."""
    delta = Fraction(1, inverse)
    assert at_most(floor(successes * K * log(successes * inverse)), successes, K) >= 1 - delta
    if inverse >= 213:
        assert at_most(floor(successes * K * log(inverse)), successes, K) >= 1 - delta


@pytest.mark.parametrize("K", [10, 50])
def test_as_stated_it_fails_for_every_delta_that_is_not_small(K: int) -> None:
    """delta = 1/2: the mean of the mistakes is R(K - 1), more than R K ln 2; the probability falls with R."""
    chances = [at_most(floor(R * K * log(2)), R, K) for R in (1, 5, 20)]
    assert chances[0] >= Fraction(1, 2) > chances[2]
