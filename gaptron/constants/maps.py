"""Gap maps that a learning rate leaves possible: the largest one, and the least one, in closed form."""

from collections.abc import Iterator
from typing import NamedTuple

import sympy as sp

from gaptron.door.showing import show
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.guesses import Guesses
from gaptron.obligations.in_sympy import SympyRegion, s
from gaptron.obligations.needs import Face, faces
from gaptron.symbols import K, m
from gaptron.theory.decoders import GapMap
from gaptron.theory.losses import BinaryLoss
from gaptron.theory.theorem import Theorem


def candidates(theorem: Theorem, eta: sp.Expr) -> Iterator[GapMap]:
    """The largest and the least gap map at this learning rate: whichever is proved first is the answer."""
    guesses = Guesses.of(theorem)
    every = [_shown(face, guesses) for face in faces(theorem, Coverage(guesses))]
    n_classes = sp.Integer(2) if isinstance(theorem.loss, BinaryLoss) else K
    least = [_least(face, eta, n_classes) for face in every]
    largest = [_largest(face, eta, n_classes) for face in every]
    for expr in (sp.Min(1, *largest), sp.Max(0, *least)):
        yield GapMap(expr.subs(s, m))


class NeedInSympy(NamedTuple):
    """What a label needs at top margin s: 1 - loss + eta half."""

    region: SympyRegion
    loss: sp.Expr
    half: sp.Expr


class FaceInSympy(NamedTuple):
    """What the top label needs, and any other."""

    right: list[NeedInSympy]
    wrong: list[NeedInSympy]


def _shown(face: Face, guesses: Guesses) -> FaceInSympy:
    return FaceInSympy(
        *(
            [
                NeedInSympy(guesses.region(n.region), *(show(part, guesses.symbols) for part in (n.loss, n.half)))
                for n in side
            ]
            for side in (face.right, face.wrong)
        )
    )


def _least(face: FaceInSympy, eta: sp.Expr, n_classes: sp.Expr) -> sp.Expr:
    """K (1 - h) of the runner-up."""
    parts = [(need, _tidy(n_classes * (1 - need.loss + eta * need.half))) for need in face.wrong]
    return _joined(parts, steep_first=False)


def _largest(face: FaceInSympy, eta: sp.Expr, n_classes: sp.Expr) -> sp.Expr:
    """K h/(K - 1) of the top label."""
    scale = n_classes / (n_classes - 1)
    return _joined([(need, _tidy(scale * (need.loss - eta * need.half))) for need in face.right], steep_first=True)


def _tidy(expr: sp.Expr) -> sp.Expr:
    """A polynomial in the top margin by its powers, coefficients factored."""
    return sp.collect(sp.expand(expr), s, sp.factor) if expr.is_polynomial(s) else expr


def _joined(parts: list[tuple[NeedInSympy, sp.Expr]], steep_first: bool) -> sp.Expr:
    """The pieces as one expression; where two of them meet, the one with the larger slope counts.

    For a convex loss that is the piece of smaller margins: the first on right rounds, the second on wrong ones.
    """
    parts = [part for part in sorted(parts, key=lambda part: _start(part[0].region)) if not _is_point(part[0].region)]
    if len(parts) == 1:
        return parts[0][1]
    branches = [(value, sp.And(*_upper(need.region, steep_first))) for need, value in parts]
    return sp.Piecewise(*branches[:-1], (branches[-1][0], True))


def _start(region: SympyRegion) -> float:
    """Where the piece begins, for three classes: only an order."""
    return max((float(low.subs(K, 3)) for low in _bounds(region, above=False)), default=0.0)


def _is_point(region: SympyRegion) -> bool:
    return any(high == 0 for high in _bounds(region, above=True))


def _upper(region: SympyRegion, closed: bool) -> Iterator[sp.Basic]:
    for high in _bounds(region, above=True):
        yield s <= high if closed else s < high


def _bounds(region: SympyRegion, above: bool) -> Iterator[sp.Expr]:
    """The upper (or lower) bounds that relations linear in the top margin put on it."""
    for relation in region:
        difference = sp.expand(relation.lhs - relation.rhs)
        slope = difference.coeff(s, 1)
        rest = difference - slope * s
        is_linear = slope.is_number and slope != 0 and s not in rest.free_symbols
        if is_linear and (isinstance(relation, (sp.Le, sp.Lt)) == bool(slope > 0)) == above:
            yield -rest / slope
