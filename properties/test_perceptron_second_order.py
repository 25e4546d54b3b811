"""The second-order Perceptron in full information, against the losses of Beygelzimer et al. 2017, equation (2).

No document proves its bound; van der Hoeven 2020 quotes, after its Theorem 2 and in Table 1, only an order. The
argument of Beygelzimer et al. (Lemma 2 with p = 1, updates on mistakes) gives for A_0 = a I, every U, eta in (0, 2):

    M <= sum over mistakes of f(<U, (e_y - e_yhat) (x) x>) + a eta ||U||^2/(2 - eta) + Q/(eta (2 - eta)),

Q = sum over mistakes of z'A_t^{-1}z <= d(K-1) ln(1 + 2 X^2 M/(a d (K-1))): z lies in a space of d(K-1) dimensions.
"""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, target
from hypothesis import strategies as st

from gaptron.learners import SecondOrderPerceptron
from properties import quoted_bounds as q
from properties.formulas import scores, squared_norm
from properties.quoted_second_order import Round, State, second_order
from properties.strategies import Matrix, Stream

ONE, ZERO = Fraction(1), Fraction(0)
STREAMS = q.hostile_streams(8, 3)
REGULARIZERS = st.sampled_from([Fraction(1, 4), ONE, Fraction(3)])
ETAS = st.sampled_from([Fraction(1, 4), Fraction(1, 2), ONE, Fraction(3, 2)])


def against_top(U: Matrix, done: Round) -> Fraction:
    """<U, (e_y - e_yhat) (x) x>."""
    theta = scores(U, done.x)
    return theta[done.y] - theta[done.yhat]


def penalty(a: Fraction, eta: Fraction, U: Matrix, state: State) -> Fraction:
    """What the bound adds to the loss."""
    return (a * eta * squared_norm(U) + state.quadratic / eta) / (2 - eta)


def played(a: Fraction, stream: Stream) -> tuple[State, list[Round], list[Round]]:
    """The last state, all rounds, and those with a mistake."""
    state, rounds = second_order(a, *stream)
    return state, rounds, [done for done in rounds if done.y != done.yhat]


@given(a=REGULARIZERS, eta=ETAS, stream=STREAMS)
@example(a=ONE, eta=ONE, stream=(2, [[ONE]], [1]))
@example(a=ONE, eta=ONE, stream=(2, q.basis(2), [1, 1]))
def test_the_mistake_bound(a: Fraction, eta: Fraction, stream: Stream) -> None:
    state, rounds, wrong = played(a, stream)
    labels = [done.y for done in rounds]
    starts = [q.multiple(state.ridge.W, 1 / eta)]
    used = [0.0]
    for U in q.strong_comparators(min(eta, ONE), (stream[0], stream[1], labels), starts, float(a)):
        loss = sum((q.parabola(eta, against_top(U, done)) for done in wrong), ZERO)
        assert len(wrong) <= loss + penalty(a, eta, U, state)
        if eta <= 1 and q.in_range(eta, U, stream[1]):
            loss = sum((q.eta_loss(eta, U, done.x, done.y) for done in rounds), ZERO)
            assert len(wrong) <= loss + penalty(a, eta, U, state)
            used.append(float((len(wrong) - loss) / penalty(a, eta, U, state)) if penalty(a, eta, U, state) else 0.0)
    target(max(used))


@given(a=REGULARIZERS, stream=STREAMS)
def test_the_slack_of_the_mistake_bound(a: Fraction, stream: Stream) -> None:
    """With f and eta U = V: sum of <W, z>(<W, z> + 2)/(1 + z'A^{-1}z) + ||V - W_{T+1}||_A^2, both >= 0."""
    state, _, wrong = played(a, stream)
    V = state.ridge.W
    loss = sum((q.parabola(ONE, against_top(V, done)) for done in wrong), ZERO)
    assert loss + penalty(a, ONE, V, state) - len(wrong) == state.margins
    assert all(done.m >= 0 for done in wrong)


@given(a=REGULARIZERS, stream=STREAMS)
def test_the_quadratic_sum_is_at_most_a_logarithm(a: Fraction, stream: Stream) -> None:
    state, _, wrong = played(a, stream)
    n = Fraction((stream[0] - 1) * len(stream[1][0]))
    assert not q.surely_above(state.quadratic, n.numerator * q.ln(1 + 2 * len(wrong) / (a * n)))


@pytest.mark.parametrize("a", [Fraction(1, 10), ONE, Fraction(7)])
@pytest.mark.parametrize("T", [1, 3])
def test_the_mistake_bound_is_attained(a: Fraction, T: int) -> None:
    """Orthogonal rounds, eta = 1: U with margin 2/(a + 2) on each."""
    state, rounds, wrong = played(a, (2, q.basis(T), [1] * T))
    U = q.two_rows(1 / (a + 2), T)
    loss = sum((q.eta_loss(ONE, U, done.x, done.y) for done in rounds), ZERO)
    assert len(wrong) == T == loss + penalty(a, ONE, U, state)


@pytest.mark.parametrize("constant", [1, 10, 1000])
def test_the_quoted_order_fails_without_loss(constant: int) -> None:
    """One separable round: L = 0, so the quoted regret is C eta X^2 ||U||^2/(2 - eta), and eta may be as small as 1/C.

    Some multiple of dK/(eta (2 - eta)) has to stay when L = 0: ln(L + 1) cannot stand alone.
    """
    stream: Stream = (2, [[ONE]], [1])
    eta, U = Fraction(1, constant), q.two_rows(Fraction(1, 2), 1)
    _, rounds, wrong = played(ONE, stream)
    assert q.eta_loss(eta, U, rounds[0].x, 1) == 0
    assert q.in_range(eta, U, stream[1])
    assert len(wrong) > constant * eta / (2 - eta) * q.size(stream[1], U)


@given(a=REGULARIZERS, stream=STREAMS)
def test_the_learner_is_the_algorithm(a: Fraction, stream: Stream) -> None:
    """Round by round from the exact state, wherever doubles cannot mistake the top label."""
    _, rounds = second_order(a, *stream)
    for before, after in pairwise(rounds):
        theta = sorted(map(float, scores(before.state.ridge.W, before.x)))
        if theta[-1] - theta[-2] < 1e-9 and squared_norm(before.state.ridge.W) > 0:
            continue
        learner = SecondOrderPerceptron(stream[0], len(before.x), a=float(a))
        set_state(learner, before.state)
        learner.update(before.x, before.y)
        np.testing.assert_allclose(learner.W, np.array(after.state.ridge.W, dtype=float), atol=1e-9)


def set_state(learner: SecondOrderPerceptron, state: State) -> None:
    """The exact state in doubles."""
    learner.W = np.array(state.ridge.W, dtype=float)
    learner.P = np.array(state.ridge.inverse.tolist(), dtype=float)
    learner.theta = np.array(state.ridge.theta.entries(), dtype=float).reshape(learner.W.shape)
