"""Both sides of the bounds of Theorems 2, 3, 5 and 6 against recursions written out in fractions, on their own."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaptron.bounds.exact_stream import exact_sides
from gaptron.testing import Stream
from properties import bound_of, formulas, strategies
from properties.strategies import Matrix, Vector

FULL = {
    formulas.Hinge: bound_of.theorem("gaptron/theorem2_hinge", "Theorem 2, hinge"),
    formulas.SmoothHinge: bound_of.theorem("gaptron/theorem3_smooth_hinge", "Theorem 3, smooth hinge"),
}
BANDIT = {
    formulas.Hinge: bound_of.theorem("gaptron/theorem5_bandit_hinge", "Theorem 5, bandit hinge"),
    formulas.SmoothHinge: bound_of.theorem("gaptron/theorem6_bandit_smooth_hinge", "Theorem 6, bandit smooth hinge"),
}
Pair = tuple[Fraction, Fraction]


class Recursion:
    """Expected mistakes and comparator loss over the right and wrong draws of every round; no projection."""

    def __init__(self, loss: formulas.Loss, U: Matrix, gamma: Fraction, bandit: bool) -> None:
        self.loss, self.U, self.gamma, self.bandit = loss, U, gamma, bandit
        self.largest = Fraction(0)

    def __call__(self, W: Matrix, rounds: list[tuple[Vector, int]]) -> Pair:
        self.largest = max(self.largest, formulas.squared_norm(W))
        if not rounds:
            return Fraction(0), Fraction(0)
        (x, y), later = rounds[0], rounds[1:]
        theta = formulas.scores(W, x)
        right = formulas.distribution(self.loss, theta, self.gamma)[y]
        on = not self.loss.is_off(theta, y)
        here = 1 - right, self.loss.phi(formulas.margin(formulas.scores(self.U, x), y)) if on else Fraction(0)
        share = right if self.bandit else Fraction(1)
        moved = formulas.step(self.loss, W, x, y, 1 / share) if share else W
        found = [(mass, self(V, later)) for mass, V in ((share, moved), (1 - share, W)) if mass]
        return here[0] + sum(p * v[0] for p, v in found), here[1] + sum(p * v[1] for p, v in found)


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", FULL)
@given(stream=strategies.streams(max_rounds=6), data=st.data())
def test_full_information(kind: type, stream: strategies.Stream, data: st.DataObject) -> None:
    K, X, y = stream
    U, loss = data.draw(strategies.matrices(K, len(X[0]))), kind(K)
    zero = [[Fraction(0)] * len(X[0])] * K
    expected = Recursion(loss, U, Fraction(0), False)(zero, list(zip(X, y, strict=True)))
    sides = exact_sides(FULL[kind], Stream(K, tuple(map(tuple, X)), tuple(y)), U)
    assert (sides.mistakes, sides.comparator_loss) == expected
    assert sides.regret == loss.regret * formulas.squared_norm(U)


@pytest.mark.slow
@pytest.mark.parametrize("kind", BANDIT)
@given(
    pool=st.lists(strategies.vectors(2), min_size=2),
    labels=st.lists(st.integers(0, 1), min_size=2),
)
def test_bandit_feedback(kind: type, pool: list[Vector], labels: list[int]) -> None:
    """Two rounds, at a rational gamma, on which no projection is needed."""
    T, D, gamma = 2, Fraction(1, 4), Fraction(1, 2)
    X, y = [[v / 4 for v in strategies.in_unit_ball(x)] for x in pool[:T]], labels[:T]
    U, loss = [[Fraction(-1, 8), Fraction(0)], [Fraction(1, 8), Fraction(1, 8)]], kind(2)
    loss.eta *= gamma / 2
    recursion = Recursion(loss, U, gamma, True)
    expected = recursion([[Fraction(0)] * 2] * 2, list(zip(X, y, strict=True)))
    stream = Stream(2, tuple(map(tuple, X)), tuple(y), radius=D)
    game = stream.game(BANDIT[kind])
    assert (game.exploration, game.learning_rate) == (gamma, loss.eta)
    assert recursion.largest <= D**2
    sides = exact_sides(BANDIT[kind], stream, U)
    assert (sides.mistakes, sides.comparator_loss) == expected
