"""Target losses L(yhat, y) >= 0, zero where yhat = y: what the learner is judged by."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from gaptron.system.final import final
from gaptron.theory.refusals import TheoremError, hidden
from gaptron.theory.structured.outputs import Outputs, PermutationMatrices, RankVectors, Vector, rational

__tracebackhide__ = hidden

Table = tuple[tuple[Fraction, ...], ...]  # [yhat][y]


class Target:
    """A loss for every pair of outputs."""

    def table(self, outputs: Outputs, size: int) -> Table:
        """L[yhat][y] in the order of ``outputs.vectors(size)``."""
        vectors = outputs.vectors(size)
        return tuple(tuple(self.between(outputs, size, guess, truth) for truth in vectors) for guess in vectors)

    def between(self, outputs: Outputs, size: int, guess: Vector, truth: Vector) -> Fraction:
        """L(guess, truth)."""
        raise NotImplementedError

    def check(self, outputs: Outputs) -> None:
        """Refuse outputs with which the target makes no sense."""


@final
@dataclass(frozen=True)
class ZeroOne(Target):
    """1 if the prediction is wrong, else 0.

    Examples
    --------
    >>> from gaptron.structured import ZeroOne
    >>> ZeroOne()
    ZeroOne()
    """

    def between(self, outputs: Outputs, size: int, guess: Vector, truth: Vector) -> Fraction:
        """1[guess != truth]."""
        return Fraction(guess != truth)


@final
@dataclass(frozen=True)
class Hamming(Target):
    """The fraction of the coordinates that are wrong (of all d^2 entries for PermutationMatrices).

    Examples
    --------
    >>> from gaptron.structured import Hamming
    >>> Hamming()
    Hamming()
    """

    def between(self, outputs: Outputs, size: int, guess: Vector, truth: Vector) -> Fraction:
        """The number of coordinates that differ over that of all coordinates."""
        return Fraction(sum(a != b for a, b in zip(guess, truth, strict=True)), len(guess))


@final
@dataclass(frozen=True)
class KendallTau(Target):
    """The fraction of the d (d - 1)/2 pairs of items that a ranking puts in the wrong order.

    Examples
    --------
    >>> from gaptron.structured import KendallTau
    >>> KendallTau()
    KendallTau()
    """

    def between(self, outputs: Outputs, size: int, guess: Vector, truth: Vector) -> Fraction:
        """The number of discordant pairs over that of all pairs."""
        a, b = (_ranks(outputs, size, vector) for vector in (guess, truth))
        pairs = list(combinations(range(size), 2))
        return Fraction(sum((a[i] - a[j]) * (b[i] - b[j]) < 0 for i, j in pairs), len(pairs))

    def check(self, outputs: Outputs) -> None:
        """Rankings are needed."""
        if not isinstance(outputs, (RankVectors, PermutationMatrices)):
            raise TheoremError(
                f"target = KendallTau() compares rankings: outputs = {outputs!r} is neither RankVectors() nor "
                "PermutationMatrices()"
            )


@final
@dataclass(frozen=True)
class Cost(Target):
    """Any costs: ``matrix[yhat][y]`` >= 0 for predicting yhat where y is true, 0 on the diagonal; rational numbers.

    Raises
    ------
    TheoremError
        If the matrix is not square, has a negative entry or a diagonal entry other than 0, or is zero.

    Examples
    --------
    >>> from gaptron.structured import Cost
    >>> Cost([[0, 1, 3], [2, 0, 1], [1, 1, 0]]).matrix[0][2]
    Fraction(3, 1)
    """

    matrix: Table

    def __init__(self, matrix: Sequence[Sequence[object]]) -> None:
        if not isinstance(matrix, Sequence) or isinstance(matrix, str) or len(matrix) < 2:
            raise TheoremError(f"Cost matrix = {matrix!r} is not a square matrix with at least two rows")
        object.__setattr__(self, "matrix", tuple(_row(matrix, n) for n in range(len(matrix))))
        if not any(entry for row in self.matrix for entry in row):
            raise TheoremError("Cost matrix is zero everywhere: every prediction is right")

    def table(self, outputs: Outputs, size: int) -> Table:
        """The matrix itself."""
        return self.matrix


TARGETS = (ZeroOne, Hamming, KendallTau, Cost)


def _row(matrix: Sequence[Sequence[object]], n: int) -> tuple[Fraction, ...]:
    row = matrix[n]
    if not isinstance(row, Sequence) or isinstance(row, str) or len(row) != len(matrix):
        raise TheoremError(
            f"Cost matrix[{n}] = {row!r} is not a row of {len(matrix)} numbers, as many as there are rows"
        )
    found = tuple(rational(entry, f"Cost matrix[{n}][{k}]") for k, entry in enumerate(row))
    for k, entry in enumerate(found):
        if entry < 0:
            raise TheoremError(f"Cost matrix[{n}][{k}] = {entry} is negative: a cost is at least 0")
    if found[n] != 0:
        raise TheoremError(f"Cost matrix[{n}][{n}] = {found[n]} is not 0: a right prediction costs nothing")
    return found


def _ranks(outputs: Outputs, size: int, vector: Vector) -> Sequence[Fraction]:
    if isinstance(outputs, RankVectors):
        return vector
    return [Fraction(vector[size * item : size * (item + 1)].index(Fraction(1))) for item in range(size)]
