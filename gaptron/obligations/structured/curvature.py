"""The entropy is convex, and strongly convex where that is needed: what makes the criterion sufficient.

For gradient updates Omega must be strongly convex with eta s X^2 along differences of its domain, the hull of the
outputs; then F = s Omega - kappa ||.||^2 is convex as well. For a sum over coordinates with omega'' >= r it is. Where
rows of the mean are distributions, a difference u has sum u = 0 in each row, and by Cauchy and Schwarz

    sum omega''(m_k) u_k^2 >= (sum |u_k|)^2 / sum 1/omega''(m_k) >= 2 ||u||^2 / sum 1/omega''(m_k),

so that r = 2/b is a modulus if 1/omega''(v) <= b v (Shannon: b = 1, r = 2), and r = 2 omega''(1/K)/K if 1/omega'' is
below its tangent at 1/K, for one K. Which of the three is claimed is a guess: a wrong one is not proved.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations

from gaptron.language.expressions import Expression, evaluated, variables
from gaptron.language.formulas import formula, relation, where
from gaptron.language.normal import NORMAL, put
from gaptron.language.relations import Relation
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.guessing import Guesses
from gaptron.obligations.loss import isolated, kinks
from gaptron.obligations.pieces import ZERO, Piece, Region, first_split, put_all
from gaptron.obligations.sequents import Obligation, Sequent
from gaptron.obligations.structured.cases import (
    ON_UNIT,
    REST,
    StructuredSurrogate,
    mentioned,
    size_conditions,
    slope_on_unit,
    written,
)
from gaptron.theory.structured.entropies import CoordinateEntropy, Quadratic, core
from gaptron.theory.structured.limits import at_mean
from gaptron.theory.structured.outputs import Classes, Vector
from gaptron.theory.structured.structured_theorem import StructuredTheorem

UNIT = where("v > 0", "v < 1")
MOST_SIZES = 12  # that are claimed one by one


def entropy_obligations(theorem: StructuredTheorem, coverage: Coverage) -> Iterator[Obligation]:
    """Omega is defined and convex.

    Raises
    ------
    NotImplementedError
        If a value at 0 or 1 is not known.
    """
    entropy = core(theorem.entropy)
    if isinstance(entropy, Quadratic):
        statement = "u^T A u >= 0 for differences u of outputs: the principal minors are not negative"
        yield Obligation("entropy/convex", statement, tuple(_minors(theorem, entropy, ZERO)))
        return
    assert isinstance(entropy, CoordinateEntropy)  # noqa: S101
    omega = entropy.omega
    has_pieces = first_split(omega) is not None  # then it must not jump at an end
    domain = where("v > 0", "v <= 1") if has_pieces else UNIT
    defined = coverage.defined(omega, domain, "v" if has_pieces else None)
    if defined:
        yield Obligation("entropy/defined", "omega(v) is a real number for 0 < v < 1", tuple(defined))
    smooth = coverage.smooth(omega, "v", domain)
    claims = [
        *isolated(coverage.points(omega, "v", domain), smooth, "v", domain),
        *(_at_least(piece.closed("v"), _bend(piece), ZERO) for piece in smooth),
        *kinks(smooth, "v", domain, coverage),
        *(_no_jump_at_0(omega, smooth) if has_pieces else ()),
    ]
    yield Obligation("entropy/convex", "omega'' >= 0 for 0 < v < 1, and kinks turn upward", tuple(claims))


def _bend(piece: Piece) -> Expression:
    """omega'' on a piece."""
    return slope_on_unit(slope_on_unit(piece.value))


def _no_jump_at_0(omega: Expression, smooth: list[Piece]) -> Iterator[Sequent]:
    """omega(0) is the limit of the piece that touches 0: the domain of the pieces is v > 0."""
    for piece in smooth:
        touching = put_all(piece.closed("v"), {"v": ZERO})
        yield Sequent(touching, Relation("=", at_mean(omega, ZERO), at_mean(piece.value, ZERO)))


def seems_convex(theorem: StructuredTheorem, guesses: Guesses) -> bool:
    """Whether the entropy seems to be convex, in floats."""
    found = entropy_obligations(theorem, Coverage(guesses))
    return guesses.seem_true(theorem, [claim for obligation in found for claim in obligation.claims])


def strength_obligation(theorem: StructuredTheorem, numbers: StructuredSurrogate, coverage: Coverage) -> Obligation:
    """Omega is strongly convex with eta s, beside kinks that turn upward."""
    entropy, needed = core(theorem.entropy), numbers.strength
    name, shown = "entropy/strong convexity", coverage.guesses.said(needed)
    if isinstance(entropy, Quadratic):
        statement = f"u^T A u >= {shown} ||u||^2 for differences u of outputs: the principal minors are not negative"
        return Obligation(name, statement, tuple(_minors(theorem, entropy, needed)))
    assert isinstance(entropy, CoordinateEntropy)  # noqa: S101
    bends = [(piece.closed("v"), _bend(piece)) for piece in coverage.smooth(entropy.omega, "v", UNIT)]
    ways = list(_ways(theorem, bends, needed))
    statement, claims = next((way for way in ways if coverage.guesses.seem_true(theorem, way[1])), ways[0])
    return Obligation(name, f"eta s X^2 = {shown} is a modulus: {statement}", tuple(_weaker(c) for c in claims))


Bends = list[tuple[Region, Expression]]
Way = tuple[str, list[Sequent]]


def _ways(theorem: StructuredTheorem, bends: Bends, needed: Expression) -> Iterator[Way]:
    sizes = mentioned(theorem, size_conditions(theorem), needed)
    yield "omega'' >= eta s", [_at_least((*sizes, *where), bend, needed) for where, bend in bends]
    if not theorem.outputs.has_rows or len(bends) > 1:
        return
    ((_, bend),) = bends
    half, twice = written("needed/2", needed=needed), written("2*needed", needed=needed)
    along = evaluated(formula("v*bend", bend=bend), ON_UNIT)
    yield "rows of the mean sum to 1, and 1/omega''(v) <= 2 v/(eta s)", [_at_least(sizes, along, half)]
    if theorem.last_size == 2 and isinstance(theorem.outputs, Classes):
        both = formula("bend + other", bend=bend, other=put(bend, {"v": REST}))
        yield "u = (1, -1), and omega''(v) + omega''(1 - v) >= 2 eta s", [_at_least(sizes, both, twice)]
    if theorem.last_size is not None and theorem.last_size <= MOST_SIZES:
        counts = range(theorem.first_size, theorem.last_size + 1)
        at_sizes = ((size, put(needed, {theorem.size.name: Fraction(size)})) for size in counts)
        claims = [claim for size, there in at_sizes for claim in _tangent(bend, Fraction(1, size), there)]
        yield "rows of the mean sum to 1, and 1/omega'' is below its tangent at 1/K", claims


def _tangent(bend: Expression, share: Fraction, needed: Expression) -> Iterator[Sequent]:
    inverse, at_share = ON_UNIT.product([], [bend]), {"v": share}
    known = {"at": put(inverse, at_share), "falls": put(slope_on_unit(inverse), at_share), "share": share}
    yield Sequent(UNIT, relation("inverse <= at + falls*(v - share)", inverse=inverse, **known))
    yield Sequent((), relation("2*bend*share >= needed", bend=put(bend, at_share), share=share, needed=needed))


def _at_least(given: Region, bend: Expression, needed: Expression) -> Sequent:
    return Sequent((*UNIT, *given) if "v" in variables(bend) else given, Relation(">=", bend, needed))


def _weaker(claim: Sequent) -> Sequent:
    """A modulus that fails refutes nothing: the criterion may hold all the same."""
    return replace(claim, refutes=False)


def _minors(theorem: StructuredTheorem, entropy: Quadratic, needed: Expression) -> Iterator[Sequent]:
    """B^T (A - r I) B is positive semidefinite, B a basis of the differences of the outputs."""
    first, *others = theorem.outputs.vectors(theorem.first_size)
    basis = _independent([tuple(a - b for a, b in zip(y, first, strict=True)) for y in others])
    there = put(needed, {theorem.size.name: Fraction(theorem.first_size)})
    images = [[_inner(row, w) for row in entropy.matrix] for w in basis]
    form = [
        [
            written("a - r*b", a=_inner(u, image), b=_inner(u, w), r=there)
            for w, image in zip(basis, images, strict=True)
        ]
        for u in basis
    ]
    for count in range(1, len(basis) + 1):
        for kept in combinations(range(len(basis)), count):
            minor = _determinant(tuple(tuple(form[i][j] for j in kept) for i in kept))
            yield Sequent((), Relation(">=", minor, ZERO), refutes=needed == 0)


def _independent(vectors: Sequence[Vector]) -> list[Vector]:
    """Those that are no combination of the ones before."""
    kept, rows = [], list[tuple[int, Vector]]()
    for vector in vectors:
        rest = vector
        for place, row in rows:
            rest = tuple(a - rest[place] * b for a, b in zip(rest, row, strict=True))
        first = next((i for i, entry in enumerate(rest) if entry), None)
        if first is not None:
            kept.append(vector)
            rows.append((first, tuple(entry / rest[first] for entry in rest)))
    return kept


def _inner(u: Sequence[Fraction], w: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(u, w, strict=True)), ZERO)


@cache
def _determinant(rows: tuple[tuple[Expression, ...], ...]) -> Expression:
    """Along the first row."""
    if not rows:
        return Fraction(1)
    first, *below = rows
    without = (tuple((*row[:k], *row[k + 1 :]) for row in below) for k in range(len(first)))
    signed = [(Fraction((-1) ** k), entry, rest) for k, (entry, rest) in enumerate(zip(first, without, strict=True))]
    parts = [written("sign*a*minor", sign=sign, a=entry, minor=_determinant(rest)) for sign, entry, rest in signed]
    return NORMAL.operation("+", parts)
