"""The loss is defined, non-negative and convex in W: what the lemma asks of it."""

from collections.abc import Iterator
from itertools import combinations

from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula
from gaptron.language.normal import put, slope
from gaptron.language.relations import Relation
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import NOWHERE, ZERO, Piece, Region, put_all, put_in
from gaptron.obligations.reduction import Reduction
from gaptron.obligations.sequents import Obligation, Sequent, claims_more_than_two, is_algebraic
from gaptron.theory.for_classes import functions_of

B = "b"  # a second point of a convex function


def loss_obligations(reduction: Reduction, coverage: Coverage) -> Iterator[Obligation]:
    """What must hold of the loss alone."""
    parts, domain = functions_of(reduction.theorem.loss), reduction.domain()
    names = " and ".join(f"{name}({variable})" for name, _, variable in parts)
    claims = tuple(c for _, value, variable in parts for c in coverage.defined(value, domain, variable))
    if claims:
        yield Obligation("loss/defined", f"{names} is a finite real number everywhere", claims)
    nonnegative = tuple(claim for _, value, _ in parts for claim in coverage.compared(value, ">=", domain))
    yield Obligation("loss/nonnegative", f"{names} >= 0", nonnegative)
    statement = "; ".join(reduction.said_convex(name) for name, _, _ in parts)
    convex = tuple(claim for _, value, _ in parts for claim in _convex(reduction, value, coverage))
    yield Obligation("loss/convex", statement, convex)
    if claims_more_than_two(reduction.theorem) and reduction.why_falling is not None:
        yield _nonincreasing(reduction, coverage)


def _convex(reduction: Reduction, value: Expression, coverage: Coverage) -> Iterator[Sequent]:
    variable, domain = reduction.variable, reduction.domain()
    smooth = coverage.smooth(value, variable, domain)
    yield from isolated(coverage.points(value, variable, domain), smooth, variable, domain)
    if reduction.of_scores and all(is_algebraic(piece.value) for piece in smooth):
        yield from _tangents(smooth, variable, domain)
        return
    for piece in smooth:
        yield Sequent((*domain, *piece.closed(variable)), Relation(">=", reduction.bend(piece.value), ZERO))
    yield from kinks(smooth, variable, domain, coverage)


def isolated(points: list[Piece], smooth: list[Piece], variable: str, domain: Region) -> Iterator[Sequent]:
    """A piece at one point has the value of every piece that it touches: the function does not jump there."""
    for point in points:
        for piece in smooth:
            touching = (*domain, *point.conditions, *piece.closed(variable))
            yield Sequent(touching, Relation("=", point.value, piece.value))


def _tangents(smooth: list[Piece], variable: str, domain: Region) -> Iterator[Sequent]:
    """The graph lies above each tangent: for every pair of pieces."""
    for piece in smooth:
        first = slope(piece.value, variable)
        tangent = formula("value + first*(b - at)", value=piece.value, first=first, at=variable)
        for other in smooth:
            given = (*domain, *piece.closed(variable), *_at_b(other, variable))
            yield Sequent(given, Relation(">=", put(other.value, {variable: B}), tangent))


def _at_b(piece: Piece, variable: str) -> Region:
    return put_all(piece.closed(variable), {variable: B})


def kinks(smooth: list[Piece], variable: str, domain: Region, coverage: Coverage) -> Iterator[Sequent]:
    """Pieces lie one after the other; where two meet, values agree and the slope does not drop from left to right."""
    ordered = sorted(smooth, key=lambda piece: coverage.guesses.place((*domain, *piece.conditions), variable))
    for left, right in combinations(ordered, 2):
        apart = (*domain, *left.closed(variable), *_at_b(right, variable))
        coverage.note(Sequent(apart, Relation("<=", variable, B)))
        both = (*domain, *left.closed(variable), *right.closed(variable))
        point = coverage.guesses.only_point(both, variable)
        if point is None:
            coverage.note(Sequent(both, NOWHERE))
            continue
        coverage.note(Sequent(both, Relation("=", variable, point)))
        there = {variable: point}
        given = put_all(both, there)
        yield Sequent(given, put_in(Relation("=", left.value, right.value), there))
        slopes = (slope(piece.value, variable) for piece in (left, right))
        yield Sequent(given, put_in(Relation("<=", *slopes), there))


def _nonincreasing(reduction: Reduction, coverage: Coverage) -> Obligation:
    ((name, value, variable),), domain = functions_of(reduction.theorem.loss), reduction.domain(at_least=3)
    claims = tuple(
        Sequent((*domain, *piece.closed(variable)), Relation("<=", slope(piece.value, variable), ZERO))
        for piece in coverage.smooth(value, variable, domain)
    )
    why = f"{name}' <= 0, needed for K >= 3 because {reduction.why_falling}"
    return Obligation("loss/nonincreasing", why, claims)
