"""The Perceptron: Theorem 1 of Beygelzimer et al. 2017, and what van der Hoeven 2020 quotes of it."""

from fractions import Fraction

import pytest
from hypothesis import example, given, target

from gaptron.learners import Perceptron
from gaptron.numbers.evaluate import ball
from properties import planted
from properties import quoted_bounds as q
from properties.played import played
from properties.quoted_walks import perceptron
from properties.strategies import Matrix, Stream

ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)
FIRST: Stream = (2, [[ONE]], [1])
STREAMS = q.hostile_streams(20, 4)
POWERS = (ONE, Fraction(5, 4), Fraction(3, 2), Fraction(7, 4), Fraction(2))


class Sides:
    """A stream of the Perceptron, and what its bounds say of it."""

    def __init__(self, stream: Stream) -> None:
        self.K, self.X, given = stream
        found = played(Perceptron(self.K, len(self.X[0]), exact=True), self.X, given)
        self.W, self.y = found.W, [look.y for look in found.looks]
        self.wrong = [look.p != 1 for look in found.looks]
        self.mistakes = Fraction(found.mistakes)

    def comparators(self) -> list[Matrix]:
        stream = (self.K, self.X, self.y)
        return q.strong_comparators(ZERO, stream, [self.W, [[w / max(self.mistakes, ONE) for w in r] for r in self.W]])

    def losses(self, U: Matrix) -> list[Fraction]:
        return [q.hinge(U, x, y) for x, y in zip(self.X, self.y, strict=True)]

    def on_mistakes(self, U: Matrix) -> Fraction:
        return sum((v for v, wrong in zip(self.losses(U), self.wrong, strict=True) if wrong), ZERO)


def right(L: Fraction, c2: Fraction) -> float:
    """The right side of the solved bound."""
    return float(L + c2) + float(c2 * (c2 + 2 * L)) ** 0.5


def first_display(M: Fraction, L: Fraction, c2: Fraction) -> bool:
    """M <= L + 2 c^2 + sqrt(2) c sqrt(L), q = 1."""
    return q.within_root(M - L - 2 * c2, 2 * c2 * L)


def second_display(M: Fraction, L2: Fraction, c2: Fraction) -> bool:
    """M <= L2 + 2 c^2 + 2 sqrt(2) c sqrt(L2), q = 2."""
    return q.within_root(M - L2 - 2 * c2, 8 * c2 * L2)


def solved(M: Fraction, L: Fraction, c2: Fraction) -> bool:
    """M <= L + c^2 + c sqrt(c^2 + 2 L): what Theorem 1 with q = 1 says, solved for M."""
    return q.within_root(M - L - c2, c2 * (c2 + 2 * L))


def quoted(M: Fraction, L: Fraction, c2: Fraction) -> bool:
    """M <= L + c^2 + 2 c sqrt(2 L), van der Hoeven 2020 after Theorem 2."""
    return q.within_root(M - L - c2, 8 * c2 * L)


@given(stream=STREAMS)
def test_the_learner_is_the_algorithm(stream: Stream) -> None:
    W, labels, wrong = perceptron(*stream)
    for exact in (False, True):
        learner = Perceptron(stream[0], len(stream[1][0]), exact=exact)
        assert learner.run(stream[1], labels).wrong.tolist() == wrong
        assert learner.W.tolist() == W


@given(stream=STREAMS)
@example(stream=FIRST)
@example(stream=(2, q.basis(3), [1, 1, 1]))
def test_every_bound_but_the_quoted_one(stream: Stream) -> None:
    """M - L <= sqrt(2 c^2 M) already with the losses of the rounds with a mistake; it implies the rest."""
    sides = Sides(stream)
    M, used, rights = sides.mistakes, [0.0], []
    for U in sides.comparators():
        L, c2, losses = sides.on_mistakes(U), q.size(sides.X, U), sides.losses(U)
        rights.append(right(sum(losses, ZERO), c2))
        assert q.within_root(M - L, 2 * c2 * M)
        assert solved(M, L, c2)
        assert first_display(M, sum(losses, ZERO), c2)
        assert second_display(M, sum((v * v for v in losses), ZERO), c2)
        assert quoted(M, L, c2) or c2 > 6 * L
        used.append(q.share(M - L, 2 * c2 * M))
    target(max(used))
    planted.weigh(min(rights), len(sides.X), sides.K)


@given(stream=q.hostile_streams(6, 3))
@example(stream=FIRST)
def test_theorem_1_for_powers_between(stream: Stream) -> None:
    sides = Sides(stream)
    M = ball(sides.mistakes)
    for U in sides.comparators():
        c = (2 * ball(q.size(sides.X, U)) * M).sqrt()
        for power in POWERS:
            total = sum((ball(v) ** ball(power) for v in sides.losses(U) if v), ball(ZERO))
            mixed = M ** ball(1 - 1 / power) * total ** ball(1 / power) if total > 0 and M > 0 else ball(ZERO)
            assert not q.surely_above(M, mixed + c)


# --- how sharp they are -------------------------------------------------------------------------------------


def on_a_basis(T: int, v: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """(M, L, c^2) of T orthogonal rounds with label 1 against a comparator of margin 2v."""
    sides, U = Sides((2, q.basis(T), [1] * T)), q.two_rows(v, T)
    return sides.mistakes, sum(sides.losses(U), ZERO), q.size(sides.X, U)


@pytest.mark.parametrize("T", [1, 2, 5])
@pytest.mark.parametrize("v", [Fraction(1, 8), Fraction(1, 3), HALF])
def test_theorem_1_is_attained_at_every_ratio_of_loss_to_norm(T: int, v: Fraction) -> None:
    """Equality, with every power of the losses: they are all 1 - 2v."""
    M, L, c2 = on_a_basis(T, v)
    assert (M - L) ** 2 == 2 * c2 * M
    assert (M - L - c2) ** 2 == c2 * (c2 + 2 * L)
    L2 = T * (1 - 2 * v) ** 2
    assert (M - L2 - 2 * c2) ** 2 == 8 * c2 * L2


def test_the_quoted_bound_fails_on_one_round() -> None:
    M, L, c2 = on_a_basis(1, HALF)
    assert (M, L, c2) == (1, 0, HALF)
    assert not quoted(M, L, c2)
    assert M == L + 2 * c2


@pytest.mark.parametrize("T", [1, 4])
def test_the_quoted_bound_fails_with_a_loss_as_well(T: int) -> None:
    """On a basis it fails exactly if c^2 > 6 L, that is v > sqrt(12) - 3: where the other bounds do not imply it."""
    for v in (Fraction(47, 100), Fraction(49, 100)):
        M, L, c2 = on_a_basis(T, v)
        assert L > 0
        assert c2 > 6 * L
        assert not quoted(M, L, c2)
    assert quoted(*on_a_basis(T, Fraction(46, 100)))


def test_in_the_separable_case_two_classes_tie_with_theorem_2() -> None:
    """2 X^2 ||U||^2 is attained, and Theorem 2's K^2/(2(K - 1)) is 2 at K = 2 and more for every K >= 3."""
    M, L, c2 = on_a_basis(3, HALF)
    assert (M, L) == (2 * c2, 0)
    excess = [Fraction(K * K, 2 * (K - 1)) - 2 for K in range(2, 50)]
    assert excess[0] == 0
    assert min(excess[1:]) > 0
