"""The Banditron: the documents quote only orders; its proof gives, for every U, gamma > 0 and n = E[yhat mistakes],

    n - E L(U) <= X ||U|| sqrt((K/gamma + 1) n + rho (T - n)),   rho = gamma (K - 1)/(K - gamma (K - 1)),

L the hinge loss (on the rounds where yhat was wrong is enough), and E[M_T] = (1 - gamma) n + gamma T (K - 1)/K.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings, target
from hypothesis import strategies as st

from gaptron.expectation.copies import Copies
from gaptron.learners import Banditron
from properties import planted
from properties import quoted_bounds as q
from properties.formulas import squared_norm
from properties.played import Played, played
from properties.quoted_walks import banditron, direction
from properties.strategies import Matrix, Stream

ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)
STREAMS = q.hostile_streams(10, 3)
RATES = st.sampled_from([Fraction(1, 10), Fraction(1, 3), HALF, HALF, ONE, ONE])


def walk(gamma: Fraction, stream: Stream) -> Played:
    """The Banditron itself."""
    K, X, y = stream
    return played(Banditron(K, len(X[0]), exploration=gamma, exact=True), X, y)


def moments(stream: Stream, gamma: Fraction) -> tuple[Fraction, Fraction]:
    """(a, b) of the second moment (K/gamma + 1) n + rho (T - n) = a n + b."""
    K, T = stream[0], len(stream[1])
    rho = gamma * (K - 1) / (K - gamma * (K - 1))
    return K / gamma + 1 - rho, rho * T


def loss(found: Played, U: Matrix) -> Fraction:
    """The expected hinge loss of U where yhat was wrong."""
    return found.loss(lambda x, y: q.hinge(U, x, y), lambda look: look.y != look.top)


def right(stream: Stream, gamma: Fraction, found: Played, U: Matrix) -> float:
    """The bound, solved for n, with the loss of all rounds."""
    a, b = (float(q.size(stream[1], U) * part) for part in moments(stream, gamma))
    total = float(found.loss(lambda x, y: q.hinge(U, x, y)))
    return total + (a + (a * a + 4 * (a * total + b)) ** 0.5) / 2


@given(gamma=RATES, stream=STREAMS)
@example(gamma=ONE, stream=(2, [[ONE]], [1]))
@example(gamma=ONE, stream=(2, [[ONE]] * 4, [1] * 4))
def test_the_mistake_bound(gamma: Fraction, stream: Stream) -> None:
    K, X, y = stream
    found = walk(gamma, stream)
    n, (a, b) = found.top_mistakes, moments(stream, gamma)
    used, rights = [0.0], []
    for U in q.strong_comparators(ZERO, (K, X, [max(label, 0) for label in y]), [found.W]):
        square = q.size(X, U) * (a * n + b)
        assert q.within_root(n - loss(found, U), square)
        used.append(q.share(n - loss(found, U), square))
        rights.append(right(stream, gamma, found, U))
    target(max(used))
    planted.weigh(min(rights), len(X), K)


@given(gamma=RATES, stream=STREAMS)
def test_the_two_halves_of_the_proof(gamma: Fraction, stream: Stream) -> None:
    """E||W||^2 is what its updates add; the mean update is the Perceptron's; and the identity for E[M_T]."""
    K, X, _ = stream
    found = walk(gamma, stream)
    n, (a, b) = found.top_mistakes, moments(stream, gamma)
    square = sum((mass * squared_norm(learner.W.tolist()) for mass, learner in found.last), ZERO)
    assert square <= q.squared_radius(X) * (a * n + b)
    assert found.mistakes == (1 - gamma) * n + gamma * len(X) * (K - 1) / K
    assert sum(mass for mass, _ in found.last) == 1
    for look in found.looks:
        copies = Copies(look.before)
        draws = copies.successors(0, copies.point(look.x, look.y))
        steps = [share * (copies.weights(after) - look.before.W) for share, after in draws]
        assert sum(steps).ravel().tolist() == direction(K, look.y, look.top, look.x)


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
    found, (a, b), U = walk(ONE, stream), moments(stream, ONE), q.two_rows(HALF, 1)
    n = found.top_mistakes
    square = q.size(stream[1], U) * (a * n + b)
    assert (n - loss(found, U), square) == (1, Fraction(3, 2))
    assert not q.within_root(n - loss(found, U), square / 2)


@pytest.mark.parametrize("gamma", [Fraction(1, 10), HALF, ONE])
def test_the_printed_rate_fails_at_large_norms(gamma: Fraction) -> None:
    """Van der Hoeven 2020, section 1 and Table 1: O((D K)^(1/3) T^(2/3)) with D >= ||U||, X = 1.

    T orthogonal rounds, K = 2, label 1: yhat = 0 on each, whatever was drawn, so E[M_T] = T(1 - gamma/2) >= T/2, and
    U with D^2 = T/2 has no loss. T/2 is more than C (2D)^(1/3) T^(2/3) for every T > 128 C^6, whatever gamma.
    With D^2 in place of D, as in the bound above at the best gamma, the order of T is right.
    """
    for T in (1, 3, 5):
        found = walk(gamma, (2, q.basis(T), [1] * T))
        assert found.mistakes == T * (1 - gamma / 2)
        assert squared_norm(q.two_rows(HALF, T)) == Fraction(T, 2)
        assert loss(found, q.two_rows(HALF, T)) == 0
    for constant in (1, 2, 5):
        T = 128 * constant**6 + 1
        assert Fraction(T, 2) ** 6 > constant**6 * 4 * Fraction(T, 2) * T**4
