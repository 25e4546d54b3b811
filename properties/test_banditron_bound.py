"""The Banditron: the documents quote only orders; its proof gives, for every U, gamma > 0 and n = E[yhat mistakes],

    n - E L(U) <= X ||U|| sqrt((K/gamma + 1) n + rho (T - n)),   rho = gamma (K - 1)/(K - gamma (K - 1)),

L the hinge loss (on the rounds where yhat was wrong is enough), and E[M_T] = (1 - gamma) n + gamma T (K - 1)/K.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings, target
from hypothesis import strategies as st

from gaptron.learners import Banditron
from properties import quoted_bounds as q
from properties.formulas import squared_norm
from properties.quoted_walks import Look, banditron, direction
from properties.strategies import Matrix, Stream

ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)
STREAMS = q.hostile_streams(6, 3)
RATES = st.sampled_from([Fraction(1, 10), Fraction(1, 3), HALF, ONE])


def top_mistakes(looks: list[Look]) -> Fraction:
    """n."""
    return sum((look.mass for look in looks if look.y != look.yhat), ZERO)


def mistakes(looks: list[Look]) -> Fraction:
    """E[M_T]."""
    return sum((look.mass * (1 - look.p) for look in looks), ZERO)


def second_moment(stream: Stream, gamma: Fraction, n: Fraction) -> Fraction:
    """(K/gamma + 1) n + rho (T - n)."""
    K, T = stream[0], len(stream[1])
    return (K / gamma + 1) * n + gamma * (K - 1) / (K - gamma * (K - 1)) * (T - n)


def loss(looks: list[Look], U: Matrix) -> Fraction:
    """The expected hinge loss of U where yhat was wrong."""
    return sum((look.mass * q.hinge(U, look.x, look.y) for look in looks if look.y != look.yhat), ZERO)


@given(gamma=RATES, stream=STREAMS)
@example(gamma=ONE, stream=(2, [[ONE]], [1]))
@example(gamma=ONE, stream=(2, [[ONE]] * 4, [1] * 4))
def test_the_mistake_bound(gamma: Fraction, stream: Stream) -> None:
    K, X, y = stream
    looks, last = banditron(K, gamma, X, y)
    n = top_mistakes(looks)
    mean = [[sum(mass * W[k][j] for W, mass in last.items()) for j in range(len(X[0]))] for k in range(K)]
    used = [0.0]
    for U in q.strong_comparators(ZERO, (K, X, [max(label, 0) for label in y]), [mean]):
        square = q.size(X, U) * second_moment(stream, gamma, n)
        assert q.within_root(n - loss(looks, U), square)
        used.append(q.share(n - loss(looks, U), square))
    target(max(used))


@given(gamma=RATES, stream=STREAMS)
def test_the_two_halves_of_the_proof(gamma: Fraction, stream: Stream) -> None:
    """E||W||^2 is what its updates add; the mean update is the Perceptron's; and the identity for E[M_T]."""
    K, X, y = stream
    looks, last = banditron(K, gamma, X, y)
    n, T = top_mistakes(looks), len(X)
    square = sum((mass * squared_norm([*map(list, W)]) for W, mass in last.items()), ZERO)
    assert square <= q.squared_radius(X) * second_moment(stream, gamma, n)
    assert mistakes(looks) == (1 - gamma) * n + gamma * T * (K - 1) / K
    assert sum(last.values()) == 1
    for look in looks:
        assert mean_step(look) == direction(K, look.y, look.yhat, look.x)


def mean_step(look: Look) -> list[Fraction]:
    """E[W_{t+1} - W_t]."""
    rows = zip(look.W, look.right, look.wrong, strict=True)
    return [look.p * right + (1 - look.p) * wrong - w for row in rows for w, right, wrong in zip(*row, strict=True)]


@pytest.mark.few(2)
@pytest.mark.parametrize(("K", "gamma"), [(2, 1.0), (3, 0.75), (4, 1.0), (5, 0.625)])
@settings(max_examples=3 * settings().max_examples // 2)
@given(data=st.data())
def test_the_learner_is_the_algorithm(K: int, gamma: float, data: st.DataObject) -> None:
    """To the bit, on every path: 1/p is a whole number at these rates."""
    _, X, y = data.draw(q.hostile_streams(5, K))
    looks, _ = banditron(K, Fraction(gamma), X, [label % K for label in y])
    for look in looks:
        for correct, expected in ((True, look.right), (False, look.wrong)):
            learner = Banditron(K, len(look.x), exploration=gamma)
            learner.W = np.array(look.W, dtype=float)
            assert learner.predict_proba(look.x)[look.y] == look.p
            learner.update(look.x, look.y if correct else (look.y + 1) % K, correct)
            assert learner.W.tolist() == expected or (not correct and look.p == 1)


def test_half_of_the_second_moment_is_not_enough() -> None:
    """One round, gamma = 1, K = 2: 1 against sqrt(3/2), of which halves inside the root leave sqrt(3/4)."""
    stream: Stream = (2, [[ONE]], [1])
    looks, _ = banditron(2, ONE, *stream[1:])
    n, U = top_mistakes(looks), q.two_rows(HALF, 1)
    square = q.size(stream[1], U) * second_moment(stream, ONE, n)
    assert (n - loss(looks, U), square) == (1, Fraction(3, 2))
    assert not q.within_root(n - loss(looks, U), square / 2)


@pytest.mark.parametrize("gamma", [Fraction(1, 10), HALF, ONE])
def test_the_printed_rate_fails_at_large_norms(gamma: Fraction) -> None:
    """Van der Hoeven 2020, section 1 and Table 1: O((D K)^(1/3) T^(2/3)) with D >= ||U||, X = 1.

    T orthogonal rounds, K = 2, label 1: yhat = 0 on each, whatever was drawn, so E[M_T] = T(1 - gamma/2) >= T/2, and
    U with D^2 = T/2 has no loss. T/2 is more than C (2D)^(1/3) T^(2/3) for every T > 128 C^6, whatever gamma.
    With D^2 in place of D, as in the bound above at the best gamma, the order of T is right.
    """
    for T in (1, 3, 5):
        looks, _ = banditron(2, gamma, q.basis(T), [1] * T)
        assert mistakes(looks) == T * (1 - gamma / 2)
        assert squared_norm(q.two_rows(HALF, T)) == Fraction(T, 2)
        assert loss(looks, q.two_rows(HALF, T)) == 0
    for constant in (1, 2, 5):
        T = 128 * constant**6 + 1
        assert Fraction(T, 2) ** 6 > constant**6 * 4 * Fraction(T, 2) * T**4
