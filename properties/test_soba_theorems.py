"""Theorems 2, 3 and 4 of Beygelzimer et al. 2017 on adaptive streams, every outcome path counted.

Written out, for gamma > 0, eta in the range of the theorems, R = eta a ||U||^2/(2 - eta), Q = E sum n z'A_t^{-1}z:

    Theorem 3   n <= E L + R + k Q/(gamma eta (2 - eta)),   n = E[yhat mistakes],
    identity    E[M_T] = (1 - gamma) n + gamma T (k - 1)/k,
    Theorem 2   E[M_T] <= E L + X^2 ||U||^2 + (2/eta) k sqrt(dT ln T),   a = X^2, T >= 2,
                gamma = min(1, k sqrt(d ln T/T)): its O(...) with the constants that the proof gives,
    Theorem 4   h <= E L_0 + sqrt(2 ||U||^2 X^2 (h + 1/2) dk^2 ln T/gamma),   h = E sum h_t: printed without the 2.
"""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import example, given, settings, target
from hypothesis import strategies as st

from gaptron.learners import SOBA
from gaptron.numbers.evaluate import ball
from properties import planted
from properties import quoted_bounds as q
from properties.formulas import squared_norm
from properties.played import Look, played
from properties.strategies import Matrix, Stream

ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)
STREAMS = q.hostile_streams(10, 3)
RATES = st.sampled_from([Fraction(1, 10), HALF, ONE, ONE])
REGULARIZERS = st.sampled_from([Fraction(1, 8), ONE, Fraction(3)])
ETAS = st.sampled_from([Fraction(1, 4), HALF, ONE, ONE])
FIRST: Stream = (2, [[ONE]], [1])
LONG, ROUNDING = 12, Fraction(1, 10**9)  # from so many rounds on, doubles


class Walk:
    """A stream of SOBA itself, on all paths."""

    def __init__(self, a: Fraction, gamma: Fraction, stream: Stream, exact: bool = True) -> None:
        self.a, self.gamma, (self.K, self.X, given) = a, gamma, stream
        number = Fraction if exact else float
        learner = SOBA(self.K, len(self.X[0]), exploration=number(gamma), regularizer=number(a), exact=exact)
        self.played = played(learner, self.X, given)
        self.labels = [max(label, 0) for label in given]
        self.top_mistakes, self.mistakes = self.played.top_mistakes, self.played.mistakes
        self.updates = self.played.expectation(lambda look: look.y != look.top or is_update(look))
        self.quadratic = sum(mass * learner.quadratic_sum for mass, learner in self.played.last)

    def loss(self, eta: Fraction, U: Matrix) -> Fraction:
        """E L_eta(U); the labels may depend on the path."""
        return self.played.loss(lambda x, y: q.eta_loss(eta, U, x, y) if eta else q.hinge(U, x, y))

    def penalty(self, eta: Fraction, U: Matrix) -> Fraction:
        """What Theorem 3 adds to it."""
        return (self.a * eta * squared_norm(U) + self.K * self.quadratic / (self.gamma * eta)) / (2 - eta)

    def comparators(self, eta: Fraction, weight: float) -> list[Matrix]:
        W = self.played.W
        found = q.strong_comparators(eta, (self.K, self.X, self.labels), [W, q.multiple(W, 1 / max(eta, HALF))], weight)
        return found if eta == 0 else [q.within(eta, U, self.X) for U in found]


def is_update(look: Look) -> bool:
    """n_t of a right draw."""
    return not any(look.x) or bool((look.after.theta != look.before.theta).any())


@given(a=REGULARIZERS, gamma=RATES, eta=ETAS, stream=STREAMS)
@example(a=Fraction(1, 8), gamma=ONE, eta=ONE, stream=FIRST)
@example(a=Fraction(1, 8), gamma=ONE, eta=ONE, stream=(2, [[ONE]] * 5, [1] * 5))
@example(a=ONE, gamma=ONE, eta=ONE, stream=(2, q.basis(2), [1, 1]))
def test_theorem_3_and_the_first_statement_of_theorem_2(
    a: Fraction, gamma: Fraction, eta: Fraction, stream: Stream
) -> None:
    """Already for E sum h_t, which counts more than the mistakes of yhat."""
    walk = Walk(a, gamma, stream)
    K, T, used, rights = walk.K, len(walk.X), [0.0], []
    assert walk.mistakes == (1 - gamma) * walk.top_mistakes + gamma * T * (K - 1) / K
    assert walk.top_mistakes <= walk.updates
    for U in walk.comparators(eta, float(a)):
        loss, penalty = walk.loss(eta, U), walk.penalty(eta, U)
        assert walk.updates <= loss + penalty
        assert walk.mistakes <= loss + penalty + gamma * T
        assert not q.surely_above(penalty, second_line(walk, eta, U))
        used.append(float((walk.updates - loss) / penalty) if penalty else 0.0)
        rights.append(float(loss + a * eta * squared_norm(U) / (2 - eta)))  # who is never right has Q = 0
    target(max(used))
    planted.weigh(min(rights), T, K)


def second_line(walk: Walk, eta: Fraction, U: Matrix):
    """R + dk^2 ln(1 + 2TX^2/(adk))/(gamma eta (2 - eta)), a ball."""
    n, T = walk.K * len(walk.X[0]), len(walk.X)
    logarithm = q.ln(1 + 2 * T * q.squared_radius(walk.X) / (walk.a * n)) * ball(n * walk.K / walk.gamma / eta)
    return (ball(walk.a * eta * squared_norm(U)) + logarithm) / ball(2 - eta)


def test_theorem_3_is_approached_by_one_round_and_a_small_regularizer() -> None:
    """gamma = eta = 1, the best U: the share of the regret term that is used tends to 1 with a."""
    shares = []
    for a in (ONE, Fraction(1, 10), Fraction(1, 1000)):
        walk, U = Walk(a, ONE, FIRST), q.two_rows(1 / (a + 2), 1)
        shares.append((walk.updates - walk.loss(ONE, U)) / walk.penalty(ONE, U))
    assert shares[0] == Fraction(20, 23)
    assert all(left < right < 1 for left, right in pairwise(shares))
    assert shares[-1] > Fraction(999, 1000)


# --- Theorem 2, second statement ----------------------------------------------------------------------------


def tuned(stream: Stream) -> Fraction:
    """A rational at most 2^-20 below min(1, k sqrt(d ln T/T))."""
    K, X, _ = stream
    rate = float((ball(K) * (ball(len(X[0])) * q.ln(Fraction(len(X))) / ball(len(X))).sqrt()).mid())
    return min(ONE, Fraction(int(rate * 2**20), 2**20))


@pytest.mark.parametrize("zeros", [0, 20])
def test_the_second_statement_of_theorem_2_with_constants(zeros: int) -> None:
    """One point, in doubles: at T < 69 the bound is above T, so that no short stream could break it."""
    stream: Stream = (2, [[ONE]] * 200, [1] * (200 - zeros) + [0] * zeros)
    walk = Walk(ONE, tuned(stream), stream, exact=False)
    root = (ball(200) * q.ln(Fraction(200))).sqrt() * ball(4)
    rights = [Fraction(walk.loss(ONE, U)) + q.size(walk.X, U) for U in walk.comparators(ONE, 1.0)]
    assert not any(q.surely_above(Fraction(walk.mistakes) - loss - ROUNDING, root) for loss in rights)
    assert zeros or q.surely_above(200, ball(min(rights)) + root)


def test_the_second_statement_fails_for_a_single_round() -> None:
    """ln 1 = 0: whatever the constants, E[M] - L - C X^2 ||U||^2 > 0 for a short U; gamma = 0 is allowed then."""
    for constant in (1, 10, 1000):
        U = q.two_rows(Fraction(1, 8 * constant), 1)
        assert ONE > q.eta_loss(ONE, U, [ONE], 1) + constant * squared_norm(U)


def test_theorem_4_fails_for_a_single_round() -> None:
    """ln 1 = 0: case 1 is that L_0 >= 0, its gamma is 0, so label 1 is wrong, and its bound is L_0 = 3/4."""
    assert q.hinge(q.two_rows(Fraction(1, 8), 1), [ONE], 1) == Fraction(3, 4) < 1


def test_not_any_rate_of_that_order_will_do() -> None:
    """gamma = 0 is O(...): label 1 on every round is always wrong, and U separates. T outgrows sqrt(T ln T)."""
    T, U = 3000, q.two_rows(HALF, 1)
    assert q.eta_loss(ONE, U, [ONE], 1) == 0
    assert SOBA(2, 1, exploration=0).run([[1.0]] * T, [1] * T).mistakes == T
    excess = ball(squared_norm(U)) + (ball(T) * q.ln(Fraction(T))).sqrt() * ball(4)
    assert q.surely_above(T, excess)


# --- Theorem 4 ----------------------------------------------------------------------------------------------


def fall_back(walk: Walk, U: Matrix, factor: Fraction, h: int | None = None):
    """sqrt(factor ||U||^2 X^2 (h + 1/2) dk^2 ln T/gamma), a ball; 1/2 and then 1 are printed, 2 is proved."""
    updates = Fraction(walk.updates if h is None else h)
    scale = factor * q.size(walk.X, U) * (updates + HALF) * len(walk.X[0]) * walk.K**2 / walk.gamma
    return (ball(scale) * q.ln(Fraction(len(walk.X)))).sqrt()


@settings(max_examples=3 * settings().max_examples // 2)
@given(gamma=RATES, stream=q.hostile_streams(24, 2, 1))
@example(gamma=ONE, stream=(2, [[ONE]] * 2, [1, 1]))
def test_theorem_4_before_the_tuning_of_gamma(gamma: Fraction, stream: Stream) -> None:
    K, X, y = (stream[0], stream[1] * 2, stream[2] * 2) if len(stream[1]) == 1 else stream
    a = q.squared_radius(X)
    if a == 0:
        return
    walk, used, rights = Walk(a, gamma, (K, X, y), exact=len(X) < LONG), [0.0], []
    for U in walk.comparators(ZERO, float(a)):
        excess, bound = Fraction(walk.updates - walk.loss(ZERO, U)), fall_back(walk, U, Fraction(2))
        assert not q.surely_above(excess - ROUNDING, bound)
        used.append(float(excess) / float(bound.mid()) if bound > 0 else 0.0)
        rights.append(float(walk.loss(ZERO, U)) + float(fall_back(walk, U, Fraction(2), len(X)).mid()))
    target(max(used))
    planted.weigh(min(rights), len(X), K)


def test_the_printed_line_after_the_choice_of_eta_fails() -> None:
    """T = 2, K = 2, d = 1, x = 1, label 1 twice, gamma = 1, U = (-1/2, 1/2): 3/2 against sqrt(2 ln 2) = 1.177.

    The choice should be the root of the printed fraction, and gives twice this: sqrt(8 ln 2) = 2.355.
    """
    walk, U = Walk(ONE, ONE, (2, [[ONE]] * 2, [1, 1])), q.two_rows(HALF, 1)
    assert (walk.updates, walk.loss(ZERO, U)) == (Fraction(3, 2), 0)
    assert q.surely_above(walk.updates, fall_back(walk, U, HALF))
    assert q.surely_above(fall_back(walk, U, Fraction(2)), walk.updates)


@pytest.mark.parametrize("eta", [Fraction(1, 3), Fraction(2, 5)])
def test_the_printed_choice_of_eta_is_not_the_minimiser(eta: Fraction) -> None:
    """B eta + C/eta at the printed eta = C/B is C^2/B + ... , not 2 sqrt(BC): equal only if B = C."""
    B, C = ONE, eta
    assert B * (C / B) + C / (C / B) == B + C > 2 * min(B, C)
    assert (B + C) ** 2 > 4 * B * C
