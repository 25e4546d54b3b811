"""Four arithmetics with one result: numbers, inner products, and powers of transition matrices."""

import math
from collections.abc import Callable, Sequence
from itertools import accumulate
from operator import add, mul
from typing import Any, Protocol, TypeAlias

import flint
import numpy as np
from scipy.sparse import csr_array

from gaptron.numbers.compiled import constant
from gaptron.numbers.evaluate import sympys_door
from gaptron.numbers.kinds import Balls, Doubles, Exact, Function, Intervals, Kind, Number, Rationals, is_irrational

MOST_STEPPED = 2500
FEWEST_STEPPED, MOST_OF_DOUBLES = 20_000, 100_000  # between them as many as come one a round

Columnar: TypeAlias = Any  # a matrix of flint's or NumPy's, or a list
Transitions = Sequence[tuple[int, int, Number]]
Summed = tuple[list[Number], Number, Number]


class MatrixKind(Kind, Protocol):
    """A kind of numbers that expectations are computed in; its matrices are lists where it has none of its own."""

    equality: bool = False  # whether equal numbers are known to be equal

    def column(self, x: Sequence[Number]) -> Columnar:
        """The features as W x needs them."""
        return [self.number(v) for v in x]

    def weights(self, rows: Sequence[Sequence[Number]]) -> Columnar:
        """W."""
        return [self.column(row) for row in rows]

    def scores(self, W: Columnar, column: Columnar) -> list[Number]:
        """W x."""
        return [sum((w * v for w, v in zip(row, column, strict=True)), self.number(0)) for row in W]

    def summed(self, transitions: Transitions, mistakes: list[Number], losses: list[Number], times: int) -> Summed:
        """The first row of P^times, and of sum_{t < times} P^t applied to mistakes and to losses.

        Round by round; later states are reached later.
        """
        zero = self.number(0)
        ways: list[list[tuple[int, Number]]] = [[] for _ in mistakes]
        for before, state, probability in transitions:
            ways[before].append((state, probability))
        reach = list(accumulate((max((state for state, _ in out), default=0) for out in ways), max))
        row, visits, last = [zero] * len(mistakes), [zero] * len(mistakes), 0
        row[0] = self.number(1)
        for _ in range(times):
            visits[: last + 1] = map(add, visits, row[: last + 1])
            after = [zero] * len(row)
            for share, out in zip(row[: last + 1], ways, strict=False):
                for state, probability in out:
                    after[state] += share * probability
            row, last = after, reach[last]
        totals = (sum(map(mul, visits, values), zero) for values in (mistakes, losses))
        return row, *totals

    def most(self, rounds: int) -> int:
        """Of how many states this is cheaper than these rounds one by one."""
        return 300


class FlintMatrices(Exact, MatrixKind):
    """Matrices of rationals or of balls."""

    matrix: Columnar
    equality = True

    def column(self, x: Sequence[Number]) -> Columnar:
        return self.matrix(len(x), 1, [self.number(v) for v in x])

    def weights(self, rows: Sequence[Sequence[Number]]) -> Columnar:
        return self.matrix(len(rows), len(rows[0]), [self.number(w) for row in rows for w in row])

    def scores(self, W: Columnar, column: Columnar) -> list[Number]:
        return (W * column).entries()  # type: ignore[no-any-return]

    def summed(self, transitions: Transitions, mistakes: list[Number], losses: list[Number], times: int) -> Summed:
        """They stand in a power of [[P, mistakes, losses], [0, 1, 0], [0, 0, 1]]."""
        M = _augmented(transitions, mistakes, losses, self.number)
        *shares, mistake, loss = (self.matrix(M) ** times).tolist()[0]
        return shares, mistake, loss

    def most(self, rounds: int) -> int:
        return min(300, math.isqrt(4 * rounds // rounds.bit_length()))


class RationalMatrices(FlintMatrices, Rationals):
    """flint.fmpq."""

    matrix = flint.fmpq_mat


class BallMatrices(FlintMatrices, Balls):
    """flint.arb at the current precision."""

    matrix = flint.arb_mat
    equality = False

    def number(self, value: Number) -> Number:
        """A ball that contains ``value``, also a sympy number."""
        return constant(sympys_door().read(value), Balls()) if is_irrational(value) else super().number(value)

    def summed(self, transitions: Transitions, mistakes: list[Number], losses: list[Number], times: int) -> Summed:
        """Round by round where that is cheaper than products of matrices."""
        if len(mistakes) <= super().most(times):
            return super().summed(transitions, mistakes, losses, times)
        return MatrixKind.summed(self, transitions, mistakes, losses, times)

    def most(self, rounds: int) -> int:
        return MOST_STEPPED


class IntervalMatrices(Intervals, MatrixKind):
    """mpmath.iv at the current precision, in lists."""

    def number(self, value: Number) -> Number:
        """An interval that contains ``value``, also a sympy number."""
        return constant(sympys_door().read(value), Intervals()) if is_irrational(value) else super().number(value)


class DoubleMatrices(Doubles, MatrixKind):
    """Python floats and NumPy arrays."""

    equality = True

    def column(self, x: Sequence[Number]) -> Columnar:
        """ValueError if they are not finite."""
        column = np.array([float(v) for v in x])
        if not np.isfinite(column).all():
            raise ValueError(f"{column[~np.isfinite(column)][0]} is not a finite number")
        return column

    def weights(self, rows: Sequence[Sequence[Number]]) -> Columnar:
        return np.array(rows, dtype=float)

    def scores(self, W: Columnar, column: Columnar) -> list[Number]:
        return (W @ column).tolist()  # type: ignore[no-any-return]

    def summed(self, transitions: Transitions, mistakes: list[Number], losses: list[Number], times: int) -> Summed:
        """Vector by vector where that is cheaper than squaring."""
        n = len(mistakes)
        if n * n < times:
            M: Columnar = np.array(_augmented(transitions, mistakes, losses, self.number))
            *shares, mistake, loss = np.linalg.matrix_power(M, times)[0].tolist()
            return shares, mistake, loss
        rows, columns, values = zip(*transitions, strict=True)
        transposed = csr_array((values, (columns, rows)), shape=(n, n))
        row, visits = np.eye(1, n)[0], np.zeros(n)
        for _ in range(times):
            visits += row
            row = transposed @ row
        return row.tolist(), float(visits @ mistakes), float(visits @ losses)

    def most(self, rounds: int) -> int:
        return min(max(FEWEST_STEPPED, rounds + 1), MOST_OF_DOUBLES)


def _augmented(
    transitions: Transitions, mistakes: list[Number], losses: list[Number], number: Function
) -> list[list[Number]]:
    n, zero = len(mistakes), number(0)
    M = [[zero] * (n + 2) for _ in range(n + 2)]
    for row, column, probability in transitions:
        M[row][column] += probability
    for row in range(n):
        M[row][n:] = mistakes[row], losses[row]
    M[n][n] = M[n + 1][n + 1] = number(1)
    return M


ARITHMETICS: dict[str, Callable[[], MatrixKind]] = {
    "rational": RationalMatrices,
    "ball": BallMatrices,
    "interval": IntervalMatrices,
    "float": DoubleMatrices,
}
