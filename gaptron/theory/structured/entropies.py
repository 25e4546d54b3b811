"""Entropies Omega of a structured theorem: convex functions of a mean m of outputs, of which the surrogate is made.

The Fenchel-Young loss of scores theta and an output y is Omega*(theta) + Omega(y) - <theta, y>, the supremum in Omega*
over the hull of the outputs. The sign is that of a convex function (minus Shannon's entropy); a constant added to
Omega changes nothing. Logarithms are natural: ``scale=1/log(2)`` gives base 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula
from gaptron.language.normal import NORMAL
from gaptron.system.final import final
from gaptron.theory.refusals import Readings, TheoremError, hidden
from gaptron.theory.structured.limits import at_mean
from gaptron.theory.structured.outputs import Outputs, rational

if TYPE_CHECKING:
    import sympy as sp

__tracebackhide__ = hidden


class Entropy:
    """A function of a point of the hull of the outputs. ``needs_binary``: it is one on [0, 1] in each coordinate."""

    readings: ClassVar[Readings] = ()
    needs_binary: ClassVar[bool] = True

    def value(self, mean: Sequence[Fraction]) -> Expression:
        """Omega there."""
        raise NotImplementedError


class CoordinateEntropy(Entropy):
    """Omega(m) = sum_k omega(m_k)."""

    form: ClassVar[str]

    @property
    def omega(self) -> Expression:
        """The function of one coordinate v."""
        return formula(self.form)

    def value(self, mean: Sequence[Fraction]) -> Expression:
        """sum_k omega(m_k), by its limit where it has no value at an end of [0, 1]."""
        return NORMAL.operation("+", [at_mean(self.omega, part) for part in mean])


@final
@dataclass(frozen=True)
class SquaredNorm(CoordinateEntropy):
    """||m||^2/2: sparsemax on classes, SparseMAP on any outputs. Strongly convex with 1.

    Examples
    --------
    >>> from gaptron.structured import SquaredNorm
    >>> SquaredNorm()
    SquaredNorm()
    """

    needs_binary: ClassVar[bool] = False
    form: ClassVar[str] = "v**2/2"


@final
@dataclass(frozen=True)
class Shannon(CoordinateEntropy):
    """sum_k m_k ln m_k: the softmax loss on classes. Strongly convex with 2 where rows of m sum to 1, else with 1.

    Examples
    --------
    >>> from gaptron.structured import Shannon
    >>> Shannon()
    Shannon()
    """

    form: ClassVar[str] = "v*log(v)"


@final
@dataclass(frozen=True)
class Tsallis(CoordinateEntropy):
    """(sum_k m_k^q - 1)/(q (q - 1)) for a rational q > 1; q = 2 is the squared norm, and q -> 1 Shannon's.

    For q <= 2 strongly convex with 1 for every size, and more for small ones.

    Examples
    --------
    >>> from sympy import Rational
    >>> from gaptron.structured import Tsallis
    >>> Tsallis(Rational(3, 2))
    Tsallis(q=3/2)
    """

    q: Fraction

    def __post_init__(self) -> None:
        q = rational(self.q, "Tsallis q")
        if q <= 1:
            raise TheoremError(f"Tsallis q = {q} is not above 1{': Shannon() is what q = 1 means' * (q == 1)}")
        object.__setattr__(self, "q", q)

    def __repr__(self) -> str:
        return f"Tsallis(q={self.q})"

    @property
    def omega(self) -> Expression:
        """v^q/(q (q - 1))."""
        return formula("v**q/(q*(q - 1))", q=self.q)


@final
@dataclass(frozen=True)
class BinaryEntropy(CoordinateEntropy):
    """sum_k m_k ln m_k + (1 - m_k) ln(1 - m_k), on the cube: a logistic loss for each. Strongly convex with 4.

    Examples
    --------
    >>> from gaptron.structured import BinaryEntropy
    >>> BinaryEntropy()
    BinaryEntropy()
    """

    form: ClassVar[str] = "v*log(v) + (1 - v)*log(1 - v)"


@final
@dataclass(frozen=True)
class Separable(CoordinateEntropy):
    """sum_k omega(m_k), omega an expression in ``gaptron.symbols.v``, convex on [0, 1] and finite there (in the limit).

    Raises
    ------
    TheoremError
        If it is no expression in v, or has no finite limit at 0 or at 1.

    Examples
    --------
    >>> from sympy import log
    >>> from gaptron.structured import Separable
    >>> from gaptron.symbols import v
    >>> Separable(v * log(v))
    Separable(expression=v*log(v))
    """

    expression: "sp.Expr"

    def __post_init__(self) -> None:
        from gaptron.theory.structured import separable  # here alone: other entropies do not wait for sympy

        exact, found = separable.stated(self.expression)
        object.__setattr__(self, "expression", exact)
        object.__setattr__(self, "readings", found)

    @property
    def omega(self) -> Expression:
        """The expression."""
        from gaptron.theory.structured import separable

        return separable.omega_of(self.expression)


@final
@dataclass(frozen=True)
class Quadratic(Entropy):
    """m^T A m/2 for a symmetric matrix A of rational numbers, positive semidefinite along differences of outputs.

    Examples
    --------
    >>> from gaptron.structured import Quadratic
    >>> Quadratic([[2, 1], [1, 2]])
    Quadratic(matrix=((Fraction(2, 1), Fraction(1, 1)), (Fraction(1, 1), Fraction(2, 1))))
    """

    needs_binary: ClassVar[bool] = False
    matrix: tuple[tuple[Fraction, ...], ...]

    def __init__(self, matrix: Sequence[Sequence[object]]) -> None:
        if not isinstance(matrix, Sequence) or isinstance(matrix, str) or not matrix:
            raise TheoremError(f"Quadratic A = {matrix!r} is not a matrix")
        for n, row in enumerate(matrix):
            if not isinstance(row, Sequence) or isinstance(row, str) or len(row) != len(matrix):
                raise TheoremError(f"Quadratic A[{n}] = {row!r} is not a row of {len(matrix)} numbers")
        rows = tuple(
            tuple(rational(entry, f"Quadratic A[{n}][{k}]") for k, entry in enumerate(row))
            for n, row in enumerate(matrix)
        )
        for n, row in enumerate(rows):
            for k in range(n):
                if row[k] != rows[k][n]:
                    raise TheoremError(f"Quadratic A[{n}][{k}] = {row[k]} is not A[{k}][{n}] = {rows[k][n]}")
        object.__setattr__(self, "matrix", rows)

    def value(self, mean: Sequence[Fraction]) -> Fraction:
        """m^T A m/2."""
        rows = zip(mean, self.matrix, strict=True)
        return sum((m * a * b / 2 for m, row in rows for a, b in zip(row, mean, strict=True)), Fraction(0))


CONVOLVED = (SquaredNorm, Shannon, Tsallis, BinaryEntropy, Separable, Quadratic)


@final
@dataclass(frozen=True)
class Convolutional(Entropy):
    """Omega(m) + max_k m_k - 1 for the 0-1 target; for any target, Omega(m) minus the least expected target at m.

    For classes, whose mean m is the distribution itself, and for the Hamming target on the cube or on ordinal outputs.

    Examples
    --------
    >>> from gaptron.structured import Convolutional, Shannon
    >>> Convolutional(Shannon())
    Convolutional(entropy=Shannon())
    """

    entropy: Entropy

    def __post_init__(self) -> None:
        if type(self.entropy) not in CONVOLVED:
            raise TheoremError(f"Convolutional entropy = {self.entropy!r} is not an entropy that is convolved")
        for name in ("readings", "needs_binary"):
            object.__setattr__(self, name, getattr(self.entropy, name))


ENTROPIES = (*CONVOLVED, Convolutional)


def core(entropy: Entropy) -> Entropy:
    """The entropy without convolution."""
    return entropy.entropy if isinstance(entropy, Convolutional) else entropy


def check_outputs(entropy: Entropy, outputs: Outputs) -> None:
    """Refuse outputs on which the entropy is not defined.

    Raises
    ------
    TheoremError
        With both.
    """
    if entropy.needs_binary and not outputs.is_binary:
        raise TheoremError(
            f"entropy = {entropy!r} is one of coordinates in [0, 1], and outputs = {outputs!r} has others: "
            "use SquaredNorm() or Quadratic(A)"
        )
