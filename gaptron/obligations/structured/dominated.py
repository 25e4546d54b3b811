"""Targets that are at most C ||yhat - y||^2, for every size: the variance dominates the least expected target.

A prediction drawn from w itself has H_L(w) <= E L(yhat, y) <= C E ||yhat - y||^2 = 2 C Var(w), so that the criterion
follows from s J(w) >= (kappa + 2 C/alpha) Var(w). For J = ||.||^2/2 that is one inequality. For a sum over coordinates
in [0, 1] it follows from G(v) = s h(v) - (kappa + 2 C/alpha) v (1 - v) >= 0. Where rows of the mean are distributions,
G(q)/(1 - q) + G(v)/v >= 0 for 0 < v <= min(q, 1 - q) is enough: with q the largest entry of a row, sum it times v over
the other entries, whose sum is 1 - q. If G(v)/v falls up to 1/2, v = q (where q <= 1/2) and v = 1 - q are the worst.

Whether it is also necessary depends: it is for the squared norm and a target that is a metric, as the two outputs at
which L = C ||.||^2 show, with probability 1/2 each.

| outputs | target | C | because |
|---|---|---|---|
| any | 0-1 | 1/min ||yhat - y||^2 | 2 for classes and rank vectors, 4 for matrices, 1 for the cube and ordinal |
| binary | Hamming | 1/dimension | ||yhat - y||^2 counts the coordinates that differ |
| rank vectors | Hamming | 1/d | ranks that differ do so by at least 1 |
| rank vectors | Kendall | 1/(d (d - 1)) | sum over inverted pairs of their rank difference = ||yhat - y||^2/2 |
| matrices | Kendall | (2 d - 3)/(2 d (d - 1)) | see below |

Matrices: k displaced items have ||yhat - y||^2 = 2 k, and inversions I <= sum |rank difference| - (d - cycles)
(Diaconis and Graham 1977) <= k (d - 1) - k/2, attained by exchanging the first and the last.
"""

from collections.abc import Iterator

import sympy as sp

from gaptron.obligations.claims import Sequent
from gaptron.obligations.in_sympy import SympyRegion, WrittenCoverage, sequent
from gaptron.obligations.structured.cases import (
    CriterionCase,
    Point,
    StructuredSurrogate,
    mentioned,
    size_at,
    size_conditions,
)
from gaptron.symbols import v
from gaptron.theory.structured.distributions import OutputDistribution, uniform
from gaptron.theory.structured.entropies import CoordinateEntropy, SquaredNorm, value_at
from gaptron.theory.structured.outputs import Classes, Cube, Ordinal, Outputs, PermutationMatrices, RankVectors, Vector
from gaptron.theory.structured.targets import Hamming, KendallTau, Target, ZeroOne
from gaptron.theory.structured.theorem import StructuredTheorem

HALF = (sp.Gt(v, 0, evaluate=False), sp.Le(v, sp.Rational(1, 2), evaluate=False))
NEAREST = {Classes: 2, Cube: 1, Ordinal: 1, RankVectors: 2, PermutationMatrices: 4}  # the smallest ||yhat - y||^2


def ratio(outputs: Outputs, target: Target, size: sp.Expr) -> sp.Expr | None:
    """C, the largest L(yhat, y)/||yhat - y||^2, for a number or a symbol; None if it is not known for every size."""
    if type(outputs) not in NEAREST:
        return None
    if isinstance(target, ZeroOne):
        return sp.Rational(1, NEAREST[type(outputs)])
    if isinstance(target, Hamming):
        return 1 / outputs.dimension(size)
    if isinstance(target, KendallTau):
        return (1 if isinstance(outputs, RankVectors) else (2 * size - 3) / sp.S(2)) / (size * (size - 1))
    return None


def applies(theorem: StructuredTheorem) -> bool:
    """A known C, and an entropy that is a sum over coordinates."""
    known = ratio(theorem.outputs, theorem.target, theorem.size) is not None
    return known and isinstance(theorem.entropy, CoordinateEntropy)


def cases(
    theorem: StructuredTheorem, numbers: StructuredSurrogate, coverage: WrittenCoverage, at_least: int = 1
) -> Iterator[CriterionCase]:
    """s J >= (kappa + 2 C/alpha) Var for the sizes from ``at_least`` on."""
    largest = ratio(theorem.outputs, theorem.target, theorem.size)
    assert largest is not None  # noqa: S101
    needed = sp.cancel(numbers.kappa + 2 * largest / numbers.alpha)
    sizes = mentioned(theorem, size_conditions(theorem, at_least), needed, numbers.scale)

    def failing(claim: Sequent, point: Point) -> Iterator[OutputDistribution]:
        size = max(size_at(theorem, point), at_least)
        yield uniform(size, farthest(theorem.outputs, theorem.target, size))

    statement = f"the target is at most C ||yhat - y||^2, C = {largest}, and s J >= (kappa + 2 C/alpha) Var"
    found = _claims(theorem, numbers.scale, needed, coverage)
    claims = tuple(sequent((*sizes, *given), then) for given, then in found)
    yield CriterionCase("criterion/variance", statement, claims, failing)


def _claims(
    theorem: StructuredTheorem, scale: sp.Expr, needed: sp.Expr, coverage: WrittenCoverage
) -> Iterator[tuple[SympyRegion, sp.Rel]]:
    if isinstance(theorem.entropy, SquaredNorm):
        yield (), sp.Ge(scale / 2, needed, evaluate=False)
        return
    assert isinstance(theorem.entropy, CoordinateEntropy)  # noqa: S101
    omega = theorem.entropy.omega
    one, zero = (value_at(omega, end) for end in (sp.S.One, sp.S.Zero))
    surplus = scale * (v * one + (1 - v) * zero - omega) - needed * v * (1 - v)
    mirrored = surplus.subs(v, 1 - v)
    yield from _at_least_zero((surplus, surplus + mirrored if theorem.outputs.has_rows else mirrored), coverage)
    if theorem.outputs.has_rows:
        for piece in coverage.smooth(sp.expand(surplus / v), v, HALF):
            falls = sp.Le(sp.diff(piece.value, v), 0, evaluate=False)
            yield (*HALF, *piece.closed(v)), falls


def _at_least_zero(values: tuple[sp.Expr, ...], coverage: WrittenCoverage) -> Iterator[tuple[SympyRegion, sp.Rel]]:
    """They are on (0, 1/2]; divided by v where they rise steeply from 0."""
    for value in dict.fromkeys(sp.expand(value / v if value.has(sp.log(v)) else value) for value in values):
        for piece in coverage.pieces(value, HALF):
            yield (*HALF, *piece.conditions), sp.Ge(piece.value, 0, evaluate=False)


def farthest(outputs: Outputs, target: Target, size: int) -> tuple[Vector, Vector]:
    """Two outputs with L = C ||.||^2."""
    first = next(outputs._vectors(size))
    if isinstance(outputs, (Cube, Ordinal)):
        return first, (1 - first[0], *first[1:])
    far = isinstance(target, KendallTau) and isinstance(outputs, PermutationMatrices)
    width = size if isinstance(outputs, PermutationMatrices) else 1
    return first, _exchanged(first, width, size - 1 if far else 1)


def _exchanged(vector: Vector, width: int, other: int) -> Vector:
    """With its first ``width`` entries exchanged for those of row ``other``."""
    rows = [vector[i : i + width] for i in range(0, len(vector), width)]
    rows[0], rows[other] = rows[other], rows[0]
    return tuple(entry for row in rows for entry in row)
