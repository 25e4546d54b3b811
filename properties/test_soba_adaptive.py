"""Appendix A of Beygelzimer et al. 2017: SOBA with an exploration rate that depends on the past (Theorem 5).

For any rates gamma_t in (0, 1] that the past decides, a = X^2 and eta in the range of Theorem 2:

    E[M_T] <= E L + eta X^2 ||U||^2/(2 - eta) + E sum [k n_t z_t'A_t^{-1}z_t/(gamma_t eta (2 - eta)) + gamma_t],

and with the adaptive ones, the proof of Lemma 4 and Jensen's inequality, the sum is at most

    (2 + 2/(eta (2 - eta))) sqrt(T k (1 + dk ln T)) + k dk ln T/(eta (2 - eta)).
"""

from fractions import Fraction
from math import isqrt

import pytest
from hypothesis import example, given, settings, target
from hypothesis import strategies as st

from gaptron.learners import SOBA
from gaptron.numbers.evaluate import ball
from properties import planted
from properties import quoted_bounds as q
from properties.formulas import squared_norm
from properties.played import Look, played
from properties.quoted_second_order import State, soba, updated
from properties.strategies import Stream

ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)
SCALE, ROUNDING = 2**30, 1e-9
ETAS = st.sampled_from([HALF, ONE])
REPEATED: Stream = (2, [[ONE]] * 7, [1] * 7)


def adaptive(K: int):
    """gamma_t = min(sqrt(k (1 + Q)/t), 1), rounded down to a multiple of 2^-30."""

    def rate(state: State, t: int) -> Fraction:
        square = K * (1 + state.quadratic) / t
        root = Fraction(isqrt(square.numerator * SCALE**2 // square.denominator), SCALE)
        return min(root, ONE)

    return rate


def price(look: Look, K: int, weight: float) -> float:
    """A summand in expectation over the draw; weight = 1/(eta (2 - eta))."""
    gamma, grown = look.before._exploration(), look.after.quadratic_sum - look.before.quadratic_sum
    return float(K * look.p * grown * weight / gamma + gamma)


def closed_form(stream: Stream, eta: Fraction):
    """The last display, a ball."""
    K, d, T = stream[0], len(stream[1][0]), len(stream[1])
    weight, n = 1 / (eta * (2 - eta)), d * K
    logarithm = q.ln(Fraction(T))
    root = (ball(T * K) * (1 + ball(n) * logarithm)).sqrt()
    return ball(2 + 2 * weight) * root + ball(K * n * weight) * logarithm


@pytest.mark.slow
@settings(max_examples=3 * settings().max_examples // 2)
@given(eta=ETAS, stream=q.hostile_streams(12, 2, 2))
@example(eta=ONE, stream=REPEATED)
@example(eta=HALF, stream=(3, [[ONE], [HALF], [-ONE]] * 2, [1, 2, -1, 0, -2, 1]))
def test_theorem_5_with_constants(eta: Fraction, stream: Stream) -> None:
    K, X, y = (stream[0], stream[1] * 2, stream[2] * 2) if len(stream[1]) == 1 else stream
    a = q.squared_radius(X)
    if a == 0:
        return
    found = played(SOBA(K, len(X[0]), adaptive=True, regularizer=float(a)), X, y)
    added = found.expectation(lambda look: price(look, K, float(1 / (eta * (2 - eta)))))
    assert added <= float(closed_form((K, X, y), eta).mid()) + ROUNDING
    used, rights, labels = [0.0], [], [max(label, 0) for label in y]
    for U in q.strong_comparators(eta, (K, X, labels), [], float(a)):
        V = q.within(eta, U, X)
        loss = found.loss(lambda x, y, V=V: float(q.eta_loss(eta, V, x, y)))
        regret = float(a * eta * squared_norm(V) / (2 - eta))
        assert found.mistakes <= loss + regret + added + ROUNDING
        used.append((found.mistakes - loss) / (regret + added))
        rights.append(loss + regret + found.expectation(lambda look: look.before._exploration()))
    target(max(used))
    planted.weigh(min(rights), len(X), K)  # who is never right adds gamma_t alone


def test_a_summand_without_an_update_can_be_more_than_its_range() -> None:
    """The printed gamma_t and c_t have no n_t: c_2 = k z_2'A_2^{-1}z_2 = 16 k/5 is more than k.

    X = 1, K = 2, d = 1, x = 1/4 and then 1, label 1: after a right draw in round 1, round 2 makes no update.
    """
    _, second, _ = soba(ONE, adaptive(2), 2, [[Fraction(1, 4)], [ONE]], [1, 1])
    done = second[0]
    assert done.gamma == 1
    assert not done.updates
    assert done.state.ridge.form(done.v) / done.p == Fraction(16, 5)


@given(stream=q.hostile_streams(6, 2))
def test_with_the_updates_only_every_summand_is_less_than_one(stream: Stream) -> None:
    K, X, y = stream
    *levels, _ = soba(ONE, adaptive(K), K, X, y)
    for done in [done for level in levels for done in level if done.updates]:
        assert 0 <= updated(done.state, done).quadratic - done.state.quadratic < 1
