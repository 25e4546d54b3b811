"""The loss is defined, non-negative and convex in W: what the lemma asks of it."""

from collections.abc import Iterator
from itertools import combinations

from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula, where
from gaptron.language.normal import put, slope
from gaptron.language.relations import Relation
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import NOWHERE, ZERO, Piece, Region, put_all, put_in
from gaptron.obligations.sequents import Obligation, Sequent, claims_more_than_two, class_conditions, is_algebraic
from gaptron.theory.for_classes import functions_of
from gaptron.theory.losses import OF_ALL_SCORES, BinaryLoss, Loss, SoftmaxLoss
from gaptron.theory.theorem import Theorem

B = "b"  # a second point of a convex function
LossPart = tuple[str, Expression, str, Region]  # name, expression, variable, domain


def loss_obligations(theorem: Theorem, coverage: Coverage) -> Iterator[Obligation]:
    """What must hold of the loss alone."""
    parts = _parts(theorem.loss, class_conditions(theorem))
    names = " and ".join(f"{name}({variable})" for name, _, variable, _ in parts)
    claims = tuple(c for _, value, variable, domain in parts for c in coverage.defined(value, domain, variable))
    if claims:
        yield Obligation("loss/defined", f"{names} is a finite real number everywhere", claims)
    nonnegative = tuple(
        Sequent((*domain, *piece.conditions), Relation(">=", piece.value, ZERO))
        for _, value, _, domain in parts
        for piece in coverage.pieces(value, domain)
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
    return [(*function, domain) for function in functions_of(loss)]


def probability() -> Region:
    """0 < p < 1."""
    return where("p > 0", "p < 1")


def _convex_statement(name: str, variable: str) -> str:
    if variable == "p":
        return f"p (1-p) {name}'' + (1-2p) {name}' >= 0 and kinks turn upward: {name} is convex in the scores"
    return f"{name} is convex: {name}(b) >= {name}({variable}) + {name}'({variable}) (b - {variable})"


def _convex(part: LossPart, coverage: Coverage) -> Iterator[Sequent]:
    _, value, variable, domain = part
    smooth = coverage.smooth(value, variable, domain)
    yield from isolated(coverage.points(value, variable, domain), smooth, variable, domain)
    if variable != "p" and all(is_algebraic(piece.value) for piece in smooth):
        yield from _tangents(smooth, variable, domain)
        return
    for piece in smooth:
        first = slope(piece.value, variable)
        bend = slope(first, variable)
        if variable == "p":
            bend = formula("p*(1 - p)*bend + (1 - 2*p)*first", bend=bend, first=first)
        yield Sequent((*domain, *piece.closed(variable)), Relation(">=", bend, ZERO))
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


def _nonincreasing(theorem: Theorem, coverage: Coverage) -> Obligation:
    ((name, value, variable, domain),) = _parts(theorem.loss, class_conditions(theorem, 3))
    claims = tuple(
        Sequent((*domain, *piece.closed(variable)), Relation("<=", slope(piece.value, variable), ZERO))
        for piece in coverage.smooth(value, variable, domain)
    )
    why = "the margin is concave in W" if variable == "m" else "-log p is convex in W"
    return Obligation("loss/nonincreasing", f"{name}' <= 0, needed for K >= 3 because {why}", claims)
