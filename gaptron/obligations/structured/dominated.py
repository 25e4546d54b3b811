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
from fractions import Fraction

from gaptron.language.expressions import Expression, everywhere, variables
from gaptron.language.formulas import formula, relation, where
from gaptron.language.normal import NORMAL, put
from gaptron.language.relations import Relation
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import ZERO, Region
from gaptron.obligations.sequents import Sequent
from gaptron.obligations.structured.cases import (
    REST,
    CriterionCase,
    Point,
    StructuredSurrogate,
    mentioned,
    size_at,
    size_conditions,
    slope_on_unit,
    written,
)
from gaptron.theory.structured.distributions import OutputDistribution, uniform
from gaptron.theory.structured.entropies import CoordinateEntropy, SquaredNorm
from gaptron.theory.structured.limits import at_mean
from gaptron.theory.structured.outputs import Classes, Cube, Ordinal, Outputs, PermutationMatrices, RankVectors, Vector
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.structured.targets import Hamming, KendallTau, Target, ZeroOne

HALF = where("v > 0", "v <= 1/2")
NEAREST = {Classes: 2, Cube: 1, Ordinal: 1, RankVectors: 2, PermutationMatrices: 4}  # the smallest ||yhat - y||^2


def ratio(outputs: Outputs, target: Target, size: Expression) -> Expression | None:
    """C, the largest L(yhat, y)/||yhat - y||^2, for a number or a variable; None if it is not known for every size."""
    if type(outputs) not in NEAREST:
        return None
    if isinstance(target, ZeroOne):
        return Fraction(1, NEAREST[type(outputs)])
    if isinstance(target, Hamming):
        return NORMAL.rational_power(size, Fraction(-outputs.power))
    if isinstance(target, KendallTau):
        most = "1" if isinstance(outputs, RankVectors) else "(d - 3/2)"
        return formula(f"{most}/(d*(d - 1))", d=size)
    return None


def applies(theorem: StructuredTheorem) -> bool:
    """A known C, and an entropy that is a sum over coordinates."""
    known = ratio(theorem.outputs, theorem.target, theorem.size.name) is not None
    return known and isinstance(theorem.entropy, CoordinateEntropy)


def cases(
    theorem: StructuredTheorem, numbers: StructuredSurrogate, coverage: Coverage, at_least: int = 1
) -> Iterator[CriterionCase]:
    """s J >= (kappa + 2 C/alpha) Var for the sizes from ``at_least`` on."""
    largest = ratio(theorem.outputs, theorem.target, theorem.size.name)
    assert largest is not None  # noqa: S101
    sizes = size_conditions(theorem, at_least)
    exact = written("kappa + 2*c/alpha", kappa=numbers.kappa, c=largest, alpha=numbers.alpha)
    needed = _shortened(exact, sizes, coverage)

    def failing(claim: Sequent, point: Point) -> Iterator[OutputDistribution]:
        size = max(size_at(theorem, point), at_least)
        yield uniform(size, farthest(theorem.outputs, theorem.target, size))

    shown = coverage.guesses.said(largest)
    statement = f"the target is at most C ||yhat - y||^2, C = {shown}, and s J >= (kappa + 2 C/alpha) Var"
    given = mentioned(theorem, sizes, needed, numbers.scale)
    found = _claims(theorem, numbers.scale, needed, coverage)
    claims = tuple(Sequent((*given, *where), then) for where, then in found)
    yield CriterionCase("criterion/variance", statement, claims, failing)


def _shortened(needed: Expression, sizes: Region, coverage: Coverage) -> Expression:
    """A guess that is claimed to be equal, unless it is so by its form."""
    found = coverage.guesses.shortened(needed) if variables(needed) else needed
    if written("a - b", a=found, b=needed) != 0:
        coverage.note(Sequent(sizes, Relation("=", needed, found)))
    return found


def _claims(
    theorem: StructuredTheorem, scale: Expression, needed: Expression, coverage: Coverage
) -> Iterator[tuple[Region, Relation]]:
    if isinstance(theorem.entropy, SquaredNorm):
        yield (), relation("s/2 >= needed", s=scale, needed=needed)
        return
    assert isinstance(theorem.entropy, CoordinateEntropy)  # noqa: S101
    omega = theorem.entropy.omega
    one, zero = at_mean(omega, Fraction(1)), at_mean(omega, ZERO)
    surplus = formula(
        "s*(v*one + (1 - v)*zero - omega) - needed*v*(1 - v)", s=scale, one=one, zero=zero, omega=omega, needed=needed
    )
    mirrored = put(surplus, {"v": REST})
    both = formula("a + b", a=surplus, b=mirrored) if theorem.outputs.has_rows else mirrored
    yield from _at_least_zero((surplus, both), coverage)
    if theorem.outputs.has_rows:
        for piece in coverage.smooth(written("surplus/v", surplus=surplus), "v", HALF):
            yield (*HALF, *piece.closed("v")), Relation("<=", slope_on_unit(piece.value), ZERO)


def _at_least_zero(values: tuple[Expression, ...], coverage: Coverage) -> Iterator[tuple[Region, Relation]]:
    """They are on (0, 1/2]; divided by v where they rise steeply from 0."""
    steep = [("log", "v") in everywhere(value) for value in values]
    for value in dict.fromkeys(written("a/v" if by else "a", a=a) for a, by in zip(values, steep, strict=True)):
        for piece in coverage.pieces(value, HALF):
            yield (*HALF, *piece.conditions), Relation(">=", piece.value, ZERO)


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
