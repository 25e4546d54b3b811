"""The second-order Perceptron in full information, against the losses of Beygelzimer et al. 2017, equation (2).

No document proves its bound; van der Hoeven 2020 quotes, after its Theorem 2 and in Table 1, only an order. The
argument of Beygelzimer et al. (Lemma 2 with p = 1, updates on mistakes) gives for A_0 = a I, every U, eta in (0, 2):

    M <= sum over mistakes of f(<U, (e_y - e_yhat) (x) x>) + a eta ||U||^2/(2 - eta) + Q/(eta (2 - eta)),

Q = sum over mistakes of z'A_t^{-1}z <= d(K-1) ln(1 + 2 X^2 M/(a d (K-1))): z lies in a space of d(K-1) dimensions.
"""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, target
from hypothesis import strategies as st

from gaptron.learners import SecondOrderPerceptron
from properties import planted
from properties import quoted_bounds as q
from properties.formulas import scores, squared_norm
from properties.played import Look, Played, doubled, played, tied
from properties.quoted_second_order import Round, second_order
from properties.quoted_walks import direction
from properties.strategies import Matrix, Stream

ONE, ZERO = Fraction(1), Fraction(0)
STREAMS = q.hostile_streams(40, 3)
REGULARIZERS = st.sampled_from([Fraction(1, 4), ONE, Fraction(3)])
ETAS = st.sampled_from([Fraction(1, 4), Fraction(1, 2), ONE, ONE, Fraction(3, 2)])


def against_top(U: Matrix, look: Look | Round, top: int) -> Fraction:
    """<U, (e_y - e_yhat) (x) x>."""
    theta = scores(U, look.x)
    return theta[look.y] - theta[top]


def penalty(a: Fraction, eta: Fraction, U: Matrix, quadratic: Any) -> Any:
    """What the bound adds to the loss."""
    return (a * eta * squared_norm(U) + quadratic / eta) / (2 - eta)


def walk(a: Fraction, stream: Stream) -> tuple[Played, list[Look]]:
    """The learner's own rounds, and those with a mistake."""
    K, X, y = stream
    found = played(SecondOrderPerceptron(K, len(X[0]), a=a, exact=True), X, y)
    return found, [look for look in found.looks if look.y != look.top]


def form(look: Look) -> Fraction:
    """z'A_t^{-1}z, A_t the learner's after the round."""
    z = np.array(direction(len(look.after.W), look.top, look.y, look.x))
    return z @ look.after.P @ z


def logarithm(a: Fraction, stream: Stream, mistakes: int) -> Any:
    """The bound on Q, a ball."""
    n = (stream[0] - 1) * len(stream[1][0])
    return n * q.ln(1 + 2 * q.squared_radius(stream[1]) * mistakes / (a * n))


@given(a=REGULARIZERS, eta=ETAS, stream=STREAMS)
@example(a=ONE, eta=ONE, stream=(2, [[ONE]], [1]))
@example(a=ONE, eta=ONE, stream=(2, q.basis(2), [1, 1]))
def test_the_mistake_bound(a: Fraction, eta: Fraction, stream: Stream) -> None:
    found, wrong = walk(a, stream)
    Q, labels = sum(map(form, wrong), ZERO), [look.y for look in found.looks]
    assert not q.surely_above(Q, logarithm(a, stream, len(wrong)))
    most, starts = logarithm(a, stream, len(labels)), [q.multiple(found.W, 1 / eta)]
    used, rights = [0.0], [float(len(labels))]
    for U in q.strong_comparators(min(eta, ONE), (stream[0], stream[1], labels), starts, float(a)):
        loss = sum((q.parabola(eta, against_top(U, look, look.top)) for look in wrong), ZERO)
        assert len(wrong) <= loss + penalty(a, eta, U, Q)
        if eta <= 1:
            V = q.within(eta, U, stream[1])
            loss = sum((q.eta_loss(eta, V, look.x, look.y) for look in found.looks), ZERO)
            assert len(wrong) <= loss + penalty(a, eta, V, Q)
            used.append(float((len(wrong) - loss) / penalty(a, eta, V, Q)) if penalty(a, eta, V, Q) else 0.0)
            rights.append(float(loss) + penalty(float(a), float(eta), V, float(most.mid())))
    target(max(used))
    planted.weigh(min(rights), len(labels), stream[0])


@given(a=REGULARIZERS, stream=STREAMS)
def test_the_slack_of_the_mistake_bound(a: Fraction, stream: Stream) -> None:
    """With f and eta U = V: sum of <W, z>(<W, z> + 2)/(1 + z'A^{-1}z) + ||V - W_{T+1}||_A^2, both >= 0."""
    state, rounds = second_order(a, *stream)
    V, wrong = state.ridge.W, [done for done in rounds if done.y != done.yhat]
    loss = sum((q.parabola(ONE, against_top(V, done, done.yhat)) for done in wrong), ZERO)
    assert loss + penalty(a, ONE, V, state.quadratic) - len(wrong) == state.margins
    assert all(done.m >= 0 for done in wrong)


@pytest.mark.parametrize("a", [Fraction(1, 10), ONE, Fraction(7)])
@pytest.mark.parametrize("T", [1, 3])
def test_the_mistake_bound_is_attained(a: Fraction, T: int) -> None:
    """Orthogonal rounds, eta = 1: U with margin 2/(a + 2) on each."""
    found, wrong = walk(a, (2, q.basis(T), [1] * T))
    U = q.two_rows(1 / (a + 2), T)
    loss = sum((q.eta_loss(ONE, U, look.x, look.y) for look in found.looks), ZERO)
    assert len(wrong) == T == loss + penalty(a, ONE, U, sum(map(form, wrong), ZERO))


@pytest.mark.parametrize("constant", [1, 10, 1000])
def test_the_quoted_order_fails_without_loss(constant: int) -> None:
    """One separable round: L = 0, so the quoted regret is C eta X^2 ||U||^2/(2 - eta), and eta may be as small as 1/C.

    Some multiple of dK/(eta (2 - eta)) has to stay when L = 0: ln(L + 1) cannot stand alone.
    """
    stream: Stream = (2, [[ONE]], [1])
    eta, U = Fraction(1, constant), q.two_rows(Fraction(1, 2), 1)
    found, wrong = walk(ONE, stream)
    assert q.eta_loss(eta, U, found.looks[0].x, 1) == 0
    assert q.in_range(eta, U, stream[1])
    assert len(wrong) > constant * eta / (2 - eta) * q.size(stream[1], U)


@given(a=REGULARIZERS, stream=STREAMS)
def test_the_learner_is_the_algorithm(a: Fraction, stream: Stream) -> None:
    """In fractions, and in doubles round by round, wherever they cannot mistake the top label."""
    found, (state, rounds) = walk(a, stream)[0], second_order(a, *stream)
    assert [(look.y, look.top) for look in found.looks] == [(done.y, done.yhat) for done in rounds]
    assert found.W == state.ridge.W
    for look in found.looks:
        if not tied(look):
            learner = doubled(SecondOrderPerceptron(stream[0], len(look.x), a=float(a)), look.before)
            learner.update(look.x, look.y)
            np.testing.assert_allclose(learner.W, look.after.W.astype(float), atol=1e-9)
