"""The loss is defined, non-negative and convex in W: what the lemma asks of it."""

from collections.abc import Iterator
from itertools import combinations

import sympy as sp

from gaptron.obligations.claims import Obligation, Sequent, claims_more_than_two, class_conditions, is_algebraic
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.guesses import only_point, place
from gaptron.obligations.pieces import NOWHERE, Piece, Region, put, put_all
from gaptron.symbols import m, p
from gaptron.theory.losses import OF_ALL_SCORES, BinaryLoss, Loss, SoftmaxLoss
from gaptron.theory.theorem import Theorem

b = sp.Symbol("b", real=True)  # a second point of a convex function
LossPart = tuple[str, sp.Expr, sp.Symbol, Region]  # name, expression, variable, domain


def loss_obligations(theorem: Theorem, coverage: Coverage) -> Iterator[Obligation]:
    """What must hold of the loss alone."""
    parts = _parts(theorem.loss, class_conditions(theorem))
    names = " and ".join(f"{name}({variable})" for name, _, variable, _ in parts)
    claims = tuple(c for _, expr, variable, domain in parts for c in coverage.defined(expr, domain, variable))
    if claims:
        yield Obligation("loss/defined", f"{names} is a finite real number everywhere", claims)
    nonnegative = tuple(
        Sequent((*domain, *piece.conditions), sp.Ge(piece.value, 0, evaluate=False))
        for _, expr, _, domain in parts
        for piece in coverage.pieces(expr, domain)
    )
    yield Obligation("loss/nonnegative", f"{names} >= 0", nonnegative)
    statement = "; ".join(_convex_statement(name, variable) for name, _, variable, _ in parts)
    yield Obligation("loss/convex", statement, tuple(c for part in parts for c in _convex(part, coverage)))
    if claims_more_than_two(theorem) and type(theorem.loss) not in OF_ALL_SCORES:
        yield _nonincreasing(theorem, coverage)


def _parts(loss: Loss, classes: Region) -> list[LossPart]:
    """The one-variable functions that make up the loss: two of them for a binary loss."""
    domain = (
        (*probability(), *classes) if isinstance(loss, SoftmaxLoss) else () if isinstance(loss, BinaryLoss) else classes
    )
    return [(*function, domain) for function in loss.functions]


def probability() -> Region:
    """p > 0 stays a relation although p is positive as a symbol."""
    return sp.Gt(p, 0, evaluate=False), sp.Lt(p, 1, evaluate=False)


def _convex_statement(name: str, variable: sp.Symbol) -> str:
    if variable == p:
        return f"p (1-p) {name}'' + (1-2p) {name}' >= 0 and kinks turn upward: {name} is convex in the scores"
    return f"{name} is convex: {name}(b) >= {name}({variable}) + {name}'({variable}) (b - {variable})"


def _convex(part: LossPart, coverage: Coverage) -> Iterator[Sequent]:
    _, expr, variable, domain = part
    smooth = coverage.smooth(expr, variable, domain)
    yield from isolated(coverage.points(expr, variable, domain), smooth, variable, domain)
    if variable != p and all(is_algebraic(piece.value) for piece in smooth):
        yield from _tangents(smooth, variable, domain)
        return
    for piece in smooth:
        slope, bend = sp.diff(piece.value, variable), sp.diff(piece.value, variable, 2)
        curvature = p * (1 - p) * bend + (1 - 2 * p) * slope if variable == p else bend
        yield Sequent((*domain, *piece.closed(variable)), sp.Ge(curvature, 0, evaluate=False))
    yield from kinks(smooth, variable, domain, coverage)


def isolated(points: list[Piece], smooth: list[Piece], variable: sp.Symbol, domain: Region) -> Iterator[Sequent]:
    """A piece at one point has the value of every piece that it touches: the function does not jump there."""
    for point in points:
        for piece in smooth:
            touching = (*domain, *point.conditions, *piece.closed(variable))
            yield Sequent(touching, sp.Eq(point.value, piece.value, evaluate=False))


def _tangents(smooth: list[Piece], variable: sp.Symbol, domain: Region) -> Iterator[Sequent]:
    """The graph lies above each tangent: for every pair of pieces."""
    for piece in smooth:
        tangent = piece.value + sp.diff(piece.value, variable) * (b - variable)
        for other in smooth:
            given = (*domain, *piece.closed(variable), *_at_b(other, variable))
            yield Sequent(given, sp.Ge(other.value.subs(variable, b), tangent, evaluate=False))


def _at_b(piece: Piece, variable: sp.Symbol) -> Region:
    return put_all(piece.closed(variable), {variable: b})


def kinks(smooth: list[Piece], variable: sp.Symbol, domain: Region, coverage: Coverage) -> Iterator[Sequent]:
    """Pieces lie one after the other; where two meet, values agree and the slope does not drop from left to right."""
    ordered = sorted(smooth, key=lambda piece: place((*domain, *piece.conditions), variable))
    for left, right in combinations(ordered, 2):
        apart = (*domain, *left.closed(variable), *_at_b(right, variable))
        coverage.note(Sequent(apart, sp.Le(variable, b, evaluate=False)))
        both = (*domain, *left.closed(variable), *right.closed(variable))
        point = only_point(both, variable)
        if point is None:
            coverage.note(Sequent(both, NOWHERE))
            continue
        coverage.note(Sequent(both, sp.Eq(variable, point, evaluate=False)))
        there = {variable: point}
        given = put_all(both, there)
        yield Sequent(given, put(sp.Eq(left.value, right.value, evaluate=False), there))
        slopes = (sp.diff(piece.value, variable) for piece in (left, right))
        yield Sequent(given, put(sp.Le(*slopes, evaluate=False), there))


def _nonincreasing(theorem: Theorem, coverage: Coverage) -> Obligation:
    ((name, expr, variable, domain),) = _parts(theorem.loss, class_conditions(theorem, 3))
    claims = tuple(
        Sequent((*domain, *piece.closed(variable)), sp.Le(sp.diff(piece.value, variable), 0, evaluate=False))
        for piece in coverage.smooth(expr, variable, domain)
    )
    why = "the margin is concave in W" if variable == m else "-log p is convex in W"
    return Obligation("loss/nonincreasing", f"{name}' <= 0, needed for K >= 3 because {why}", claims)
