"""Lemma 2 of Beygelzimer et al. 2017 for SOBAdiag (section 5), which keeps only the diagonal of A: it fails.

K = 2, d = 1, gamma = 1 (so p = 1/2), a = 1, x = 1, 8/5, 8/5, 8/5, 8/5, label 1, every draw right. With W = (-w, w) the
rounds see w = theta/D with D = a + sum x^2/p, half of what the second update of A would make it, and so overshoot:
<W, v> <= -2 from round 2 on, m >= 0, and every round is an update. In full SOBA the second round is none.
"""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from gaptron.learners import SOBA

HALF, A = Fraction(1, 2), Fraction(1)
POINTS = [Fraction(1), *[Fraction(8, 5)] * 4]


class Diagonal:
    """SOBAdiag for K = 2, d = 1 on rounds with label 1 that are predicted right with p = 1/2."""

    def __init__(self, a: Fraction, X: list[Fraction]) -> None:
        self.D, self.theta, self.S, self.quadratic, self.updates = a, Fraction(0), Fraction(0), Fraction(0), []
        for x in X:
            mu = -2 * self.theta / self.D * x
            m = (mu * mu + 2 * mu) / HALF / (1 + 2 * x * x / self.D / HALF)
            if self.S + m >= 0:
                self.S, self.D, self.theta = self.S + m, self.D + x * x / HALF, self.theta + x / HALF
                self.quadratic += 2 * x * x / HALF**2 / self.D
                self.updates.append(x)

    def excess(self, a: Fraction) -> Fraction:
        """Left side minus right side of Lemma 2 at its best U = (-u, u), u = theta/(a + 2 sum x^2/p)."""
        u = self.theta / (a + 2 * (self.D - a))
        left = sum((4 * u * x / HALF - 4 * u * u * x * x / HALF for x in self.updates), Fraction(0))
        return left - 2 * a * u * u - self.quadratic


def test_lemma_2_fails_for_the_diagonal() -> None:
    played = Diagonal(A, POINTS)
    assert played.updates == POINTS
    assert played.S >= 0
    assert played.excess(A) > Fraction(1, 2)
    assert Diagonal(A, POINTS[:3]).excess(A) < 0


def test_the_learner_does_what_the_counterexample_says() -> None:
    assert learned(POINTS) == text(POINTS)


def learned(X: list[Fraction]) -> tuple[list[Fraction], list[Fraction], Fraction]:
    """theta, the diagonal of A^{-1} and S of the learner."""
    learner = SOBA(2, 1, exploration=1, diagonal=True, exact=True)
    for x in X:
        learner.update([x], 1, True)
    return learner.theta.ravel().tolist(), learner.P.tolist(), learner.margin_sum


def text(X: list[Fraction]) -> tuple[list[Fraction], list[Fraction], Fraction]:
    """The same by the recursion."""
    found = Diagonal(A, X)
    return [-found.theta, found.theta], [1 / found.D] * 2, found.S


@given(X=st.lists(st.integers(1, 16).map(lambda n: Fraction(n, 8)), min_size=1, max_size=4))
def test_four_rounds_on_a_grid_do_not_break_it(X: list[Fraction]) -> None:
    assert learned(X) == text(X)
    assert Diagonal(A, X).excess(A) <= 0
