"""The outputs of a structured theorem: finite sets of vectors, one for every size.

A size is the number of classes K, or d: the dimension of the cube and of ordinal outputs, the number of ranked items.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import factorial
from numbers import Rational, Real
from typing import ClassVar

from gaptron.system.final import final
from gaptron.theory.refusals import TheoremError, hidden

__tracebackhide__ = hidden

Vector = tuple[Fraction, ...]

ZERO, ONE = Fraction(0), Fraction(1)


def unit(place: int, size: int) -> Vector:
    """The vector of length ``size`` with a 1 at this place."""
    return tuple(ONE if k == place else ZERO for k in range(size))


class Outputs:
    """A finite set of vectors for every size.

    ``is_binary``: every entry is 0 or 1. ``has_rows``: the entries come in rows of length ``size``, each of which is
    a unit vector, so that each row of a mean of outputs is a distribution.
    """

    size_name: ClassVar[str] = "d"
    smallest: ClassVar[int] = 1
    is_binary: ClassVar[bool] = True
    has_rows: ClassVar[bool] = False
    power: ClassVar[int] = 1

    def vectors(self, size: int) -> tuple[Vector, ...]:
        """All outputs of this size, in a fixed order."""
        return tuple(self._vectors(size))

    def _vectors(self, size: int) -> Iterator[Vector]:
        raise NotImplementedError

    def count(self, size: int) -> int:
        """How many outputs there are."""
        raise NotImplementedError

    def dimension(self, size: int) -> int:
        """The number of coordinates of each: a power of the size."""
        return int(size**self.power)


@final
@dataclass(frozen=True)
class Classes(Outputs):
    """K classes: the unit vectors e_1, ..., e_K; their means are the distributions over the classes.

    Examples
    --------
    >>> from gaptron.structured import Classes
    >>> Classes()
    Classes()
    """

    size_name: ClassVar[str] = "K"
    smallest: ClassVar[int] = 2
    has_rows: ClassVar[bool] = True

    def _vectors(self, size: int) -> Iterator[Vector]:
        return (unit(k, size) for k in range(size))

    def count(self, size: int) -> int:
        """K."""
        return size


@final
@dataclass(frozen=True)
class Cube(Outputs):
    """Sets of labels: all of {0, 1}^d.

    Examples
    --------
    >>> from gaptron.structured import Cube
    >>> Cube()
    Cube()
    """

    def _vectors(self, size: int) -> Iterator[Vector]:
        return iter(product((ZERO, ONE), repeat=size))

    def count(self, size: int) -> int:
        """2^d."""
        return 1 << size


@final
@dataclass(frozen=True)
class Ordinal(Outputs):
    """d + 1 ordered grades as thermometers in {0, 1}^d: grade j is 1 in its first j coordinates, and 0 after them.

    Examples
    --------
    >>> from gaptron.structured import Ordinal
    >>> Ordinal()
    Ordinal()
    """

    def _vectors(self, size: int) -> Iterator[Vector]:
        return ((ONE,) * j + (ZERO,) * (size - j) for j in range(size + 1))

    def count(self, size: int) -> int:
        """d + 1."""
        return size + 1


@final
@dataclass(frozen=True)
class RankVectors(Outputs):
    """Rankings of d items as vectors of ranks: all permutations of (1, 2, ..., d), coordinate i the rank of item i.

    Examples
    --------
    >>> from gaptron.structured import RankVectors
    >>> RankVectors()
    RankVectors()
    """

    smallest: ClassVar[int] = 2
    is_binary: ClassVar[bool] = False

    def _vectors(self, size: int) -> Iterator[Vector]:
        return permutations([Fraction(rank) for rank in range(1, size + 1)])

    def count(self, size: int) -> int:
        """d!."""
        return factorial(size)


@final
@dataclass(frozen=True)
class PermutationMatrices(Outputs):
    """Rankings of d items as d x d matrices, row by row: entry (i, j) is 1 if the rank of item i is j, else 0.

    Examples
    --------
    >>> from gaptron.structured import PermutationMatrices
    >>> PermutationMatrices()
    PermutationMatrices()
    """

    smallest: ClassVar[int] = 2
    has_rows: ClassVar[bool] = True
    power: ClassVar[int] = 2

    def _vectors(self, size: int) -> Iterator[Vector]:
        for ranks in permutations(range(size)):
            yield tuple(entry for rank in ranks for entry in unit(rank, size))

    def count(self, size: int) -> int:
        """d!."""
        return factorial(size)


@final
@dataclass(frozen=True)
class Finite(Outputs):
    """A list of at least two different vectors of rational numbers, of one dimension d; a decimal is read as written.

    Raises
    ------
    TheoremError
        If they are fewer than two, of different lengths or empty, not rational, or one occurs twice.

    Examples
    --------
    >>> from gaptron.structured import Finite
    >>> len(Finite([(0, 0), (1, 0), (0.5, 1)]).points)
    3
    """

    points: tuple[Vector, ...]

    def __init__(self, vectors: Sequence[Sequence[object]]) -> None:
        if not isinstance(vectors, Sequence) or isinstance(vectors, str) or len(vectors) < 2:
            raise TheoremError(f"Finite vectors = {vectors!r} is not a sequence of at least two vectors")
        points = tuple(_vector(vector, f"Finite vectors[{n}]") for n, vector in enumerate(vectors))
        for n, point in enumerate(points):
            if len(point) != len(points[0]):
                raise TheoremError(f"Finite vectors[{n}] has {len(point)} entries, and vectors[0] has {len(points[0])}")
            if point in points[:n]:
                raise TheoremError(f"Finite vectors[{n}] = {_shown(point)} repeats vectors[{points.index(point)}]")
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "is_binary", {entry for point in points for entry in point} <= {ZERO, ONE})

    @property
    def length(self) -> int:
        """The dimension of the vectors, their only size."""
        return len(self.points[0])

    def _vectors(self, size: int) -> Iterator[Vector]:
        return iter(self.points)

    def count(self, size: int) -> int:
        """As many as are listed."""
        return len(self.points)


OUTPUTS = (Classes, Cube, Ordinal, RankVectors, PermutationMatrices, Finite)


def rational(value: object, argument: str) -> Fraction:
    """A rational number; a float is read as it is written.

    Raises
    ------
    TheoremError
        If it is none.
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TheoremError(f"{argument} = {value!r} is not a rational number")
    try:
        exact = value if isinstance(value, Rational) else Fraction(str(value))
    except ValueError as error:
        raise TheoremError(f"{argument} = {value!r} is not a rational number") from error
    return Fraction(int(exact.numerator), int(exact.denominator))


def _vector(value: object, argument: str) -> Vector:
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise TheoremError(f"{argument} = {value!r} is not a non-empty sequence of numbers")
    return tuple(rational(entry, f"{argument}[{n}]") for n, entry in enumerate(value))


def _shown(vector: Vector) -> str:
    return f"({', '.join(map(str, vector))})"
