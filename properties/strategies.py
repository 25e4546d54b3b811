"""Rounds and streams to try theorems on: dyadic rationals, on which doubles branch as fractions do."""

from fractions import Fraction

from hypothesis import strategies as st

Vector = list[Fraction]
Matrix = list[Vector]
Stream = tuple[int, list[Vector], list[int]]

EIGHTHS = st.integers(-24, 24).map(lambda n: Fraction(n, 8))
HALVES = st.integers(-4, 4).map(lambda n: Fraction(n, 2))
CLASSES = st.integers(2, 5)


def vectors(d: int, entries: st.SearchStrategy[Fraction] = EIGHTHS) -> st.SearchStrategy[Vector]:
    """Vectors of length d."""
    return st.lists(entries, min_size=d, max_size=d)


def matrices(K: int, d: int) -> st.SearchStrategy[Matrix]:
    """(K, d) matrices; entries that are halves make ties and kinks common."""
    return st.lists(vectors(d, EIGHTHS | HALVES), min_size=K, max_size=K)


def in_unit_ball(x: Vector) -> Vector:
    """x divided by the least power of two that brings its norm to at most 1."""
    scale = Fraction(1)
    while sum(v * v for v in x) * scale**2 > 1:
        scale /= 2
    return [v * scale for v in x]


@st.composite
def rounds(draw: st.DrawFn) -> tuple[Matrix, Vector, int]:
    """(W, x, label): weights, features, true label."""
    K, d = draw(CLASSES), draw(st.integers(1, 3))
    return draw(matrices(K, d)), draw(vectors(d)), draw(st.integers(0, K - 1))


@st.composite
def streams(draw: st.DrawFn, max_rounds: int = 12, max_classes: int = 4) -> Stream:
    """(K, features with norm <= 1, labels): few distinct directions, so that labels contradict each other."""
    K, d = draw(st.integers(2, max_classes)), draw(st.integers(1, 3))
    pool = draw(st.lists(vectors(d).map(in_unit_ball), min_size=1, max_size=3))
    one_round = st.tuples(st.sampled_from(pool), st.sampled_from([1, 1, -1]), st.integers(0, K - 1))
    picks = draw(st.lists(one_round, min_size=1, max_size=max_rounds))
    return K, [[sign * v for v in x] for x, sign, _ in picks], [label for *_, label in picks]
