"""The loss is defined, non-negative and convex in W: what the lemma asks of it."""

from collections.abc import Iterator
from itertools import pairwise

import sympy as sp
from sympy.core.relational import Relational

from gaptron.losses import BinaryLoss, Loss, MarginLoss
from gaptron.obligations.claims import NOWHERE, Claim, Obligation, claims_more_than_two, class_conditions, is_algebraic
from gaptron.pieces import Piece, defined_pieces, has_interior, interval, pieces
from gaptron.symbols import K, m, p, z
from gaptron.theorem import Theorem

b = sp.Symbol("b", real=True)  # a second point of a convex function
LossPart = tuple[str, sp.Expr, sp.Symbol, tuple[Relational, ...]]  # name, expression, variable, domain


def loss_obligations(theorem: Theorem) -> Iterator[Obligation]:
    """What must hold of the loss alone."""
    parts, classes = _parts(theorem.loss), class_conditions(theorem)
    names = " and ".join(f"{name}({variable})" for name, _, variable, _ in parts)
    claims = tuple(c for _, expr, _, domain in parts for c in defined(expr, domain + classes))
    if claims:
        yield Obligation("loss/defined", f"{names} is a finite real number everywhere", claims)
    nonnegative = tuple(
        Claim(piece.conditions + domain + classes, sp.Ge(piece.value, 0, evaluate=False))
        for _, expr, _, domain in parts
        for piece in defined_pieces(expr, domain)
    )
    yield Obligation("loss/nonnegative", f"{names} >= 0", nonnegative)
    yield _convexity(theorem, parts)
    if claims_more_than_two(theorem):
        yield _nonincreasing(theorem, parts[0])


def _parts(loss: Loss) -> list[LossPart]:
    """The one-variable functions that make up the loss: two of them for a binary loss."""
    if isinstance(loss, MarginLoss):
        return [("phi", loss.phi, m, ())]
    if isinstance(loss, BinaryLoss):
        return [("plus", loss.plus, z, ()), ("minus", loss.minus, z, ())]
    return [("psi", loss.psi, p, (p > 0, p < 1))]


def smooth_pieces(expr: sp.Expr, domain: tuple[Relational, ...] = ()) -> list[Piece]:
    """The pieces with interior: where derivatives are taken, and closed to reach every one-sided derivative."""
    return [piece for piece in defined_pieces(expr, domain) if has_interior(piece.conditions)]


def _convexity(theorem: Theorem, parts: list[LossPart]) -> Obligation:
    statement = "; ".join(_convex_statement(name, variable) for name, _, variable, _ in parts)
    try:
        claims = tuple(c for part in parts for c in _convex(part, class_conditions(theorem)))
    except NotImplementedError as reason:
        return Obligation("loss/convex", statement, (), str(reason))
    return Obligation("loss/convex", statement, claims)


def _convex_statement(name: str, variable: sp.Symbol) -> str:
    if variable == p:
        return f"p (1-p) {name}'' + (1-2p) {name}' >= 0 and kinks turn upward: {name} is convex in the scores"
    return f"{name} is convex: {name}(b) >= {name}({variable}) + {name}'({variable}) (b - {variable})"


def _convex(part: LossPart, classes: tuple[Relational, ...]) -> Iterator[Claim]:
    _, expr, variable, domain = part
    smooth = smooth_pieces(expr, domain)
    yield from _isolated_points(expr, domain, smooth, classes)
    if variable != p and all(is_algebraic(piece.value) for piece in smooth):
        yield from _tangents(smooth, variable, classes)
        return
    for piece in smooth:
        slope, bend = sp.diff(piece.value, variable), sp.diff(piece.value, variable, 2)
        curvature = p * (1 - p) * bend + (1 - 2 * p) * slope if variable == p else bend
        yield Claim(piece.closed() + domain + classes, sp.Ge(curvature, 0, evaluate=False))
    yield from _kinks(smooth, variable)


def _isolated_points(
    expr: sp.Expr, domain: tuple[Relational, ...], smooth: list[Piece], classes: tuple[Relational, ...]
) -> Iterator[Claim]:
    """A piece without interior has the value of every piece that it touches: the function does not jump there."""
    for point in defined_pieces(expr, domain):
        if point not in smooth:
            for piece in smooth:
                yield Claim(
                    (*point.conditions, *piece.closed(), *domain, *classes),
                    sp.Eq(point.value, piece.value, evaluate=False),
                )


def _tangents(smooth: list[Piece], variable: sp.Symbol, classes: tuple[Relational, ...]) -> Iterator[Claim]:
    """The graph lies above each tangent: for every pair of pieces."""
    for piece in smooth:
        tangent = piece.value + sp.diff(piece.value, variable) * (b - variable)
        for other in smooth:
            elsewhere = tuple(c.subs(variable, b) for c in other.closed())
            yield Claim(
                piece.closed() + elsewhere + classes, sp.Ge(other.value.subs(variable, b), tangent, evaluate=False)
            )


def _kinks(smooth: list[Piece], variable: sp.Symbol) -> Iterator[Claim]:
    """Where two pieces meet, the values agree and the slope does not drop from left to right."""
    located = [(interval(piece.conditions, variable), piece.value) for piece in smooth]
    located.sort(key=lambda pair: pair[0])
    for ((_, end), left), ((start, _), right) in pairwise(located):
        if end != start:
            raise NotImplementedError(f"the pieces of the loss do not meet end to end in {variable}")
        slopes = (sp.diff(part, variable).subs(variable, end) for part in (left, right))
        yield Claim((), sp.Eq(left.subs(variable, end), right.subs(variable, end), evaluate=False))
        yield Claim((), sp.Le(*slopes, evaluate=False))


def _nonincreasing(theorem: Theorem, part: LossPart) -> Obligation:
    name, expr, variable, domain = part
    claims = tuple(
        Claim(
            piece.closed() + domain + class_conditions(theorem, 3),
            sp.Le(sp.diff(piece.value, variable), 0, evaluate=False),
        )
        for piece in smooth_pieces(expr, domain)
    )
    why = "the margin is concave in W" if variable == m else "-log p is convex in W"
    return Obligation("loss/nonincreasing", f"{name}' <= 0, needed for K >= 3 because {why}", claims)


def defined(expr: sp.Expr, given: tuple[Relational, ...]) -> Iterator[Claim]:
    """No division by zero, no logarithm or even root of a negative number, and a value for every point."""
    for piece in pieces(expr):
        here = piece.conditions + given
        if piece.value.has(sp.nan):
            yield Claim(here, NOWHERE)
            continue
        for part in sp.preorder_traversal(piece.value):
            requirement = _requirement(part)
            if requirement is not None and not _is_evident(requirement):
                yield Claim(here, requirement)


def _is_evident(requirement: Relational) -> bool:
    """Powers and logarithms of p or K alone, and of positive constants, need no proof: p > 0 and K >= 2."""
    base = requirement.lhs
    return base in (p, K) or bool(base.is_number and requirement.func(base, 0) == sp.true)


def _requirement(part: sp.Basic) -> Relational | None:
    if isinstance(part, sp.log):
        return sp.Gt(part.args[0], 0, evaluate=False)
    if isinstance(part, sp.Pow) and not isinstance(part, sp.exp):
        if part.exp.is_Integer:
            return sp.Ne(part.base, 0, evaluate=False) if part.exp.is_negative else None
        return (sp.Ge if part.exp.is_positive else sp.Gt)(part.base, 0, evaluate=False)
    return None
