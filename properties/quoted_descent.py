"""Algorithm 4 of the notes on rounds that are predicted right, in fractions."""

from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq_mat

from properties.formulas import scores
from properties.quoted_bounds import hinge
from properties.quoted_second_order import fraction, rational
from properties.quoted_walks import added
from properties.strategies import Matrix, Vector

ETA = Fraction(1, 8)


def loss(W: Matrix, x: Vector, y: int) -> Fraction:
    """The squared hinge loss."""
    return hinge(W, x, y) ** 2


def difference(W: Matrix, V: Matrix) -> Matrix:
    """W - V."""
    return [[w - v for w, v in zip(*rows, strict=True)] for rows in zip(W, V, strict=True)]


@dataclass(frozen=True)
class State:
    """W, M and the sum of the losses of the right rounds."""

    W: Matrix
    M: fmpq_mat
    total: Fraction = Fraction(0)

    def after(self, x: Vector, y: int) -> "State":
        """Lines 13 and 14 without the projection, which a large D leaves idle."""
        theta, value = scores(self.W, x), loss(self.W, x, y)
        rival = min((k for k in range(len(theta)) if k != y), key=lambda k: (-theta[k], k))
        step = 2 * ETA * hinge(self.W, x, y)
        column = fmpq_mat(len(x), 1, [*map(rational, x)])
        M = self.M + column * column.transpose() * rational(value)
        return State(added(added(self.W, y, step, x), rival, -step, x), M, self.total + value)

    def new_direction(self, x: Vector) -> Fraction:
        """||x||_{M^{-1}}^2."""
        column = fmpq_mat(len(x), 1, [*map(rational, x)])
        return fraction((column.transpose() * self.M.inv() * column)[0, 0])

    def distance(self, star: Matrix) -> Fraction:
        """||W - W*||_M^2, the sum over the rows."""
        rows = [fmpq_mat(1, len(row), [*map(rational, row)]) for row in difference(self.W, star)]
        return sum((fraction((row * self.M * row.transpose())[0, 0]) for row in rows), Fraction(0))


def start(K: int, d: int) -> State:
    """W = 0 and M = I."""
    return State([[Fraction(0)] * d] * K, fmpq_mat(d, d, [int(i == j) for i in range(d) for j in range(d)]))
