"""The entropy is convex, and strongly convex where that is needed: what makes the criterion sufficient.

For gradient updates Omega must be strongly convex with eta s X^2 along differences of its domain, the hull of the
outputs; then F = s Omega - kappa ||.||^2 is convex as well. For a sum over coordinates with omega'' >= r it is. Where
rows of the mean are distributions, a difference u has sum u = 0 in each row, and by Cauchy and Schwarz

    sum omega''(m_k) u_k^2 >= (sum |u_k|)^2 / sum 1/omega''(m_k) >= 2 ||u||^2 / sum 1/omega''(m_k),

so that r = 2/b is a modulus if 1/omega''(v) <= b v (Shannon: b = 1, r = 2), and r = 2 omega''(1/K)/K if 1/omega'' is
below its tangent at 1/K, for one K. Which of the three is claimed is a guess: a wrong one is not proved.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import sympy as sp

from gaptron.obligations.claims import Obligation, Sequent
from gaptron.obligations.in_sympy import WrittenCoverage, WrittenPiece, sequent
from gaptron.obligations.loss import isolated, kinks
from gaptron.obligations.structured.cases import StructuredSurrogate, mentioned, size_conditions
from gaptron.obligations.structured.guesses import seems_true
from gaptron.symbols import v
from gaptron.theory.structured.entropies import CoordinateEntropy, Quadratic, core, value_at
from gaptron.theory.structured.outputs import Classes
from gaptron.theory.structured.theorem import StructuredTheorem

INSIDE = (sp.Gt(v, 0, evaluate=False), sp.Lt(v, 1, evaluate=False))
MOST_SIZES = 12  # that are claimed one by one


def entropy_obligations(theorem: StructuredTheorem, coverage: WrittenCoverage) -> Iterator[Obligation]:
    """Omega is defined and convex."""
    entropy = core(theorem.entropy)
    if isinstance(entropy, Quadratic):
        statement = "u^T A u >= 0 for differences u of outputs: the principal minors are not negative"
        yield Obligation("entropy/convex", statement, tuple(_minors(theorem, entropy, sp.S.Zero)))
        return
    assert isinstance(entropy, CoordinateEntropy)  # noqa: S101
    has_pieces = entropy.omega.has(sp.Piecewise, sp.Min, sp.Max, sp.Abs)  # then it must not jump at an end
    domain = (INSIDE[0], sp.Le(v, 1, evaluate=False)) if has_pieces else INSIDE
    defined = coverage.defined(entropy.omega, domain, v if has_pieces else None)
    if defined:
        yield Obligation("entropy/defined", "omega(v) is a real number for 0 < v < 1", tuple(defined))
    smooth = coverage.smooth(entropy.omega, v, domain)
    alone = [piece.data for piece in coverage.points(entropy.omega, v, domain)]
    between, region = [piece.data for piece in smooth], coverage.region(domain)
    claims = [
        *coverage.settled(isolated(alone, between, v.name, region)),
        *(_at_least(piece.closed(v), sp.diff(piece.value, v, 2), sp.S.Zero) for piece in smooth),
        *coverage.settled(kinks(between, v.name, region, coverage.data)),
        *(_no_jump_at_0(entropy.omega, smooth) if has_pieces else ()),
    ]
    yield Obligation("entropy/convex", "omega'' >= 0 for 0 < v < 1, and kinks turn upward", tuple(claims))


def _no_jump_at_0(omega: sp.Expr, smooth: list[WrittenPiece]) -> Iterator[Sequent]:
    """omega(0) is the limit of the piece that touches 0: the domain of the pieces is v > 0."""
    for piece in smooth:
        touching = piece.closed_at(v, sp.S.Zero)
        yield sequent(touching, sp.Eq(value_at(omega, sp.S.Zero), value_at(piece.value, sp.S.Zero), evaluate=False))


def seems_convex(theorem: StructuredTheorem) -> bool:
    """Whether the entropy seems to be convex, in floats."""
    claims = [claim for obligation in entropy_obligations(theorem, WrittenCoverage()) for claim in obligation.claims]
    return seems_true(theorem, claims)


def strength_obligation(
    theorem: StructuredTheorem, numbers: StructuredSurrogate, coverage: WrittenCoverage
) -> Obligation:
    """Omega is strongly convex with eta s, beside kinks that turn upward."""
    entropy, needed = core(theorem.entropy), numbers.strength
    name = "entropy/strong convexity"
    if isinstance(entropy, Quadratic):
        statement = f"u^T A u >= {needed} ||u||^2 for differences u of outputs: the principal minors are not negative"
        return Obligation(name, statement, tuple(_minors(theorem, entropy, needed)))
    assert isinstance(entropy, CoordinateEntropy)  # noqa: S101
    pieces = coverage.smooth(entropy.omega, v, INSIDE)
    bends = [(piece.closed(v), sp.simplify(sp.diff(piece.value, v, 2))) for piece in pieces]
    ways = list(_ways(theorem, bends, needed))
    statement, claims = next((way for way in ways if seems_true(theorem, way[1])), ways[0])
    return Obligation(name, f"eta s X^2 = {needed} is a modulus: {statement}", tuple(_weaker(c) for c in claims))


Bends = list[tuple[tuple[sp.Basic, ...], sp.Expr]]
Way = tuple[str, list[Sequent]]


def _ways(theorem: StructuredTheorem, bends: Bends, needed: sp.Expr) -> Iterator[Way]:
    sizes = mentioned(theorem, size_conditions(theorem), needed)
    yield "omega'' >= eta s", [_at_least((*sizes, *where), bend, needed) for where, bend in bends]
    if not theorem.outputs.has_rows or len(bends) > 1:
        return
    ((_, bend),) = bends
    yield (
        "rows of the mean sum to 1, and 1/omega''(v) <= 2 v/(eta s)",
        [_at_least(sizes, sp.simplify(v * bend), needed / 2)],
    )
    if theorem.last_size == 2 and isinstance(theorem.outputs, Classes):
        yield (
            "u = (1, -1), and omega''(v) + omega''(1 - v) >= 2 eta s",
            [_at_least(sizes, bend + bend.subs(v, 1 - v), 2 * needed)],
        )
    if theorem.last_size is not None and theorem.last_size <= MOST_SIZES:
        counts = range(theorem.first_size, theorem.last_size + 1)
        claims = [claim for size in counts for claim in _tangent(bend, size, needed.subs(theorem.size, size))]
        yield "rows of the mean sum to 1, and 1/omega'' is below its tangent at 1/K", claims


def _tangent(bend: sp.Expr, size: int, needed: sp.Expr) -> Iterator[Sequent]:
    share, inverse = sp.Rational(1, size), sp.simplify(1 / bend)
    line = inverse.subs(v, share) + sp.diff(inverse, v).subs(v, share) * (v - share)
    yield sequent(INSIDE, sp.Le(inverse, line, evaluate=False))
    yield sequent((), sp.Ge(2 * bend.subs(v, share) * share, needed, evaluate=False))


def _at_least(where: tuple[sp.Basic, ...], bend: sp.Expr, needed: sp.Expr) -> Sequent:
    given = (*INSIDE, *where) if v in bend.free_symbols else where
    return sequent(given, sp.Ge(bend, needed, evaluate=False))


def _weaker(claim: Sequent) -> Sequent:
    """A modulus that fails refutes nothing: the criterion may hold all the same."""
    return replace(claim, refutes=False)


def _minors(theorem: StructuredTheorem, entropy: Quadratic, needed: sp.Expr) -> Iterator[Sequent]:
    """B^T (A - r I) B is positive semidefinite, B a basis of the differences of the outputs."""
    vectors = [sp.Matrix([sp.Rational(a) for a in y]) for y in theorem.outputs.vectors(theorem.first_size)]
    basis = sp.Matrix.hstack(*(y - vectors[0] for y in vectors[1:])).columnspace()
    matrix = sp.Matrix([[sp.Rational(a) for a in row] for row in entropy.matrix])
    inner = sp.Matrix.hstack(*basis)
    form = inner.T * (matrix - needed * sp.eye(matrix.rows)) * inner
    for count in range(1, form.rows + 1):
        for kept in combinations(range(form.rows), count):
            minor = sp.expand(form.extract(list(kept), list(kept)).det())
            yield sequent((), sp.Ge(minor, 0, evaluate=False), refutes=needed == 0)
