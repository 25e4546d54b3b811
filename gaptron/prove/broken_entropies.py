"""Points at which an entropy is not convex: two means of outputs, and the entropy half way above their average."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
import sympy as sp

from gaptron.numbers.evaluate import Number, UncertainError, enclosure, value_at
from gaptron.prove.exact_text import Witness, exact
from gaptron.symbols import v
from gaptron.theory.structured.entropies import Quadratic, core
from gaptron.theory.structured.outputs import Classes, PermutationMatrices, Vector
from gaptron.theory.structured.structured_theorem import StructuredTheorem

Point = dict[sp.Symbol, Fraction]
STEPS = tuple(Fraction(1, 4**k) for k in range(1, 7))
GRID = tuple(Fraction(k, 16) for k in range(17))
MOST_SIZES = 3
ROUNDING = 64


def not_convex_entropy(theorem: StructuredTheorem, point: Point) -> Iterator[Witness]:
    """Two means whose middle has the larger entropy: near the coordinate of the point, or along a bad direction."""
    entropy = core(theorem.entropy)
    for size in range(theorem.first_size, theorem.first_size + MOST_SIZES):
        if theorem.claims(size):
            ends = _along(theorem, entropy) if isinstance(entropy, Quadratic) else _near(theorem, point, size)
            for first, second in ends:
                yield from _chord(theorem, size, first, second)


def _near(theorem: StructuredTheorem, point: Point, size: int) -> Iterator[tuple[Vector, Vector]]:
    """Means whose first coordinates lie on both sides of the point's."""
    at = point.get(v, Fraction(1, 2))
    for step, other in product(STEPS, (at, *GRID)):
        if 0 <= at - step and at + step <= 1:
            first, second = (_mean(theorem, size, at + sign * step, other - sign * step) for sign in (1, -1))
            if first is not None and second is not None:
                yield first, second


def _mean(theorem: StructuredTheorem, size: int, value: Fraction, other: Fraction) -> Vector | None:
    """A mean of outputs with ``value`` as a coordinate; of K >= 3 classes ``other`` is the next one."""
    if isinstance(theorem.outputs, Classes):
        entries = [value, 1 - value] if size == 2 else [value, other, 1 - value - other]
        return (*entries, *[Fraction(0)] * (size - len(entries))) if min(entries) >= 0 else None
    vectors = theorem.outputs.vectors(size)
    if isinstance(theorem.outputs, PermutationMatrices):
        first, second = vectors[0], vectors[-1]
    else:
        first, second = vectors[0], vectors[1]
    return tuple((1 - value) * a + value * b for a, b in zip(first, second, strict=True))


def _along(theorem: StructuredTheorem, entropy: Quadratic) -> Iterator[tuple[Vector, Vector]]:
    """Steps from the middle of the hull along the direction in which the form is smallest."""
    vectors = theorem.outputs.vectors(theorem.first_size)
    spanning = np.array([[float(a - b) for a, b in zip(y, vectors[0], strict=True)] for y in vectors[1:]])
    form = np.array([[float(a) for a in row] for row in entropy.matrix])
    basis = np.linalg.svd(spanning.T, full_matrices=False)[0][:, : np.linalg.matrix_rank(spanning)]
    direction = np.linalg.eigh(basis.T @ form @ basis)[1][:, 0]
    weights = np.linalg.lstsq(spanning.T, basis @ direction, rcond=None)[0]
    weights = weights / np.abs(weights).sum() / (2 * len(vectors))
    exact_weights = [Fraction(float(w)).limit_denominator(ROUNDING * len(vectors)) for w in weights]
    middle = [sum(column, Fraction(0)) / len(vectors) for column in zip(*vectors, strict=True)]
    moved = [
        sum((w * (y[i] - vectors[0][i]) for w, y in zip(exact_weights, vectors[1:], strict=True)), Fraction(0))
        for i in range(len(middle))
    ]
    first, second = (tuple(m + sign * move for m, move in zip(middle, moved, strict=True)) for sign in (1, -1))
    yield first, second


def _chord(theorem: StructuredTheorem, size: int, first: Vector, second: Vector) -> Iterator[Witness]:
    """The witness, if the entropy of the middle is certainly above the average."""
    middle = tuple((a + b) / 2 for a, b in zip(first, second, strict=True))
    try:
        values = [_value(theorem, mean) for mean in (first, middle, second)]
    except (UncertainError, ValueError, ZeroDivisionError):
        return
    (_, high_first), (low, _), (_, high_second) = map(enclosure, values)
    if 2 * low > high_first + high_second:
        yield {
            ("K" if isinstance(theorem.outputs, Classes) else "size"): size,
            "means": [[str(entry) for entry in mean] for mean in (first, middle, second)],
            "values": [exact(value) for value in values],
        }


def _value(theorem: StructuredTheorem, mean: Vector) -> Number:
    return value_at(core(theorem.entropy).value(mean), {})
