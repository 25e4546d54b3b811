"""Lemma 3 of Beygelzimer et al. 2017: the first bound, how sharp it is, and its special case a = X^2."""

import math
from fractions import Fraction

from hypothesis import example, given, target
from hypothesis import strategies as st

from properties import quoted_bounds as q
from properties.quoted_second_order import Ridge, State, look, soba, updated
from properties.strategies import Stream

ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)
STREAMS = q.hostile_streams(5, 3)
RATES = st.sampled_from([Fraction(1, 10), HALF, ONE])
REGULARIZERS = st.sampled_from([Fraction(1, 4), ONE, Fraction(3)])


def expected_quadratic(a: Fraction, gamma: Fraction, stream: Stream) -> Fraction:
    """E sum of n_t z_t'A_t^{-1}z_t."""
    return sum((done.mass * done.state.quadratic for done in [*soba(a, gamma, *stream)][-1]), ZERO)


@given(a=REGULARIZERS, gamma=RATES, stream=STREAMS)
@example(a=Fraction(100), gamma=ONE, stream=(2, [[ONE]], [1]))
def test_lemma_3_and_its_sharper_form(a: Fraction, gamma: Fraction, stream: Stream) -> None:
    """Sharper: d(K - 1) for dK, as the z span no more; and every term is at most 2 X^2/(a + 2 X^2)."""
    K, X, _ = stream
    T, X2 = len(X), q.squared_radius(X)
    n, found = (K - 1) * len(X[0]), expected_quadratic(a, gamma, stream)
    bound = n * q.ln(1 + 2 * X2 * T / (a * n))
    assert not q.surely_above(found, bound)
    assert found <= T * 2 * X2 / (a + 2 * X2)
    if X2 > 0:
        target(float(found) / float(bound.mid()))


def test_lemma_3_is_sharp_for_large_regularizers() -> None:
    """gamma = 1, a first round: 2p/(ap + 2) against 2 ln(1 + 1/a)."""
    for a, share in ((1, 0.28), (100, 0.96), (10**4, 0.999)):
        found = expected_quadratic(Fraction(a), ONE, (2, [[ONE]], [1]))
        assert found == 1 / (Fraction(a, 2) + 2)
        assert share < float(found) / (2 * math.log1p(1 / a)) < 1


# --- the special case a = X^2 -------------------------------------------------------------------------------


def special_case(n: int, T: int) -> bool:
    """dk ln(1 + 2T/(dk)) <= dk ln T, decided in fractions."""
    return 1 + Fraction(2 * T, n) <= T


def test_the_special_case_of_lemma_3_fails_for_two_and_once_for_three() -> None:
    """T(1 - 2/(dk)) >= 1: never for dk = 2; from T = 3 on for dk = 3; always for dk >= 4. ln(1 + T) always does."""
    failures = {(n, T) for n in range(2, 40) for T in range(2, 60) if not special_case(n, T)}
    assert failures == {(2, T) for T in range(2, 60)} | {(3, 2)}
    assert all(1 + Fraction(2 * T, n) <= 1 + T for n in range(2, 40) for T in range(2, 60))


@given(gamma=RATES, stream=q.hostile_streams(6, 3))
@example(gamma=Fraction(1, 10), stream=(2, [[ONE]] * 6, [0] * 6))
def test_the_sum_is_nevertheless_at_most_dk_ln_t(gamma: Fraction, stream: Stream) -> None:
    """a = X^2, T >= 2. T = 2: every term is at most 2/3, and 4/3 < 2 ln 2. T >= 3, dk = 2: the space has dimension 1,
    and 1 + 2T <= T^2. T >= 3, dk >= 3: the special case."""
    K, X, y = stream
    X, y = (X * 2, y * 2) if len(X) == 1 else (X, y)
    a = q.squared_radius(X)
    if a > 0:
        bound = K * len(X[0]) * q.ln(Fraction(len(X)))
        assert not q.surely_above(expected_quadratic(a, gamma, (K, X, y)), bound)


@given(x=st.sampled_from([ONE, HALF]), count=st.integers(1, 30))
def test_a_certain_label_repeated_gives_the_harmonic_sum(x: Fraction, count: int) -> None:
    """p = 1, every round an update: sum of 2/(1 + 2t) <= ln(1 + 2T) <= 2 ln T from T = 3 on."""
    state = State(Ridge.new(2, 1, x * x))
    for t in range(1, count + 1):
        done = look(ONE, state, [x], 0, ZERO, certain=True)
        before, state = state, updated(state, done)
        assert state.quadratic - before.quadratic == Fraction(2, 1 + 2 * t)
    assert not q.surely_above(state.quadratic, q.ln(Fraction(1 + 2 * count)))
