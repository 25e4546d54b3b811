"""From doubles to an exact attack: points and comparator rounded to fractions, both sides of the bound computed."""

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from gaptron.adversary.attack_json import Attack, Verified
from gaptron.adversary.families import Family
from gaptron.adversary.target import Targeted
from gaptron.bounds.exact_stream import ExactStream, Matrix, Vector
from gaptron.learners.arithmetic import Array
from gaptron.numbers.evaluate import UncertainError

GRAIN = 2**16
DENOMINATORS = (12, 120, GRAIN)


def verified(target: Targeted, family: Family, parameters: Array) -> Verified | None:
    """The stream with these parameters and its strongest comparator, exactly; None if a branch stays open, or U = 0."""
    radius = target.radius(parameters)
    points = family.points(parameters[None, : family.size])[0]
    rounds, labels = tuple(map(_inside, points.tolist())), tuple(map(int, family.labels))
    rounded = np.array(rounds, dtype=float)
    D = Fraction(max(1, round(radius * GRAIN)), GRAIN) if radius < math.inf else None
    stream = ExactStream(target.n_classes, rounds, labels, D, counts=family.counts)
    U = target.comparator(rounded, np.array(family.labels), family.counts, radius)
    found = []
    for comparator in _fractions(U, D):
        attack = Attack(stream, comparator)
        try:
            found.append(Verified(family.name, attack, attack.sides(target.theorem)))
        except UncertainError:
            return None
    return max(found, key=lambda one: one.low, default=None)


def _inside(x: list[float]) -> Vector:
    """Rounded towards 0, so that a norm of at most 1 stays so."""
    return tuple(Fraction(int(v * GRAIN), GRAIN) for v in x)


def _fractions(U: Array, radius: Fraction | None) -> Iterator[Matrix]:
    """U with small denominators, and with large ones; scaled into its ball, if rounding has brought it out."""
    for denominator in DENOMINATORS:
        rows = tuple(tuple(Fraction(v).limit_denominator(denominator) for v in row) for row in U.tolist())
        if any(v for row in rows for v in row):
            yield rows if radius is None else _scaled(rows, radius)


def _scaled(rows: Matrix, radius: Fraction) -> Matrix:
    square = sum(v * v for row in rows for v in row)
    if square <= radius**2:
        return rows
    factor = Fraction(int(GRAIN * float(radius) / float(square) ** 0.5) - 1, GRAIN)
    return tuple(tuple(v * factor for v in row) for row in rows)
