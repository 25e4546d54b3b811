"""Where a loss, or an entropy, is not convex: the value at a point between two others is certainly above the chord.

Whether a loss looks convex, in doubles, is a hint about what to ask first, never a verdict.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import TypeVar

import numpy as np
import sympy as sp

from gaptron.numbers.arrays import on_arrays
from gaptron.numbers.evaluate import Number, UncertainError, ball, is_positive, value_at
from gaptron.obligations import reduction_of
from gaptron.obligations.sequents import claims_more_than_two
from gaptron.prove.counterexample import MOST_CLASSES, Candidate, any_value
from gaptron.prove.exact_text import Witness, exact
from gaptron.rounds import value as loss_value
from gaptron.rounds.geometry import geometry_of
from gaptron.symbols import K, p, v
from gaptron.theory.losses import with_threshold
from gaptron.theory.structured.entropies import Quadratic, core
from gaptron.theory.structured.outputs import Classes, PermutationMatrices, Vector
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Theorem

STEPS = (Fraction(1), Fraction(1, 2), Fraction(1, 4), Fraction(1, 16), Fraction(1, 256))
HALF = Fraction(1, 2)
STEPS_OF_MEANS = tuple(Fraction(1, 4**k) for k in range(1, 7))
GRID = tuple(Fraction(k, 16) for k in range(17))
MOST_SIZES = 3
ROUNDING = 64
SCORES = np.linspace(-12, 12, 961)  # of one label against zeros
RELATIVE = 1e-9

Place = TypeVar("Place")


def _above_chord(value: Callable[[Place], Number], places: Sequence[Place], weight: Fraction) -> list[object]:
    """The three values, if the middle one is certainly above weight * first + (1 - weight) * last; else none."""
    try:
        values = [value(place) for place in places]
        is_exact = all(isinstance(value, Fraction) for value in values)
        first, middle, last, share = [*values, weight] if is_exact else map(ball, (*values, weight))
        excess = middle - share * first - (1 - share) * last
    except (UncertainError, ValueError, ZeroDivisionError):
        return []
    return [exact(value) for value in values] if is_positive(excess) else []


# --- losses -------------------------------------------------------------------------------------------------------


def not_convex(theorem: Theorem, point: Candidate) -> Iterator[Witness]:
    """Three scores of one label on a line, the loss in the middle above the chord; at most ``MOST_CLASSES`` labels."""
    n_classes = int(point.get(K, Fraction(theorem.first_class_count)))
    if n_classes > MOST_CLASSES:
        return
    for ends in combinations(_near(point), 2):
        low, high = min(ends), max(ends)
        for weight in (HALF, Fraction(1, 16), Fraction(15, 16)):
            places = [low, weight * low + (1 - weight) * high, high]
            for label in geometry_of(theorem.loss).labels:
                yield from _chord(theorem, [[x, *[Fraction(0)] * (n_classes - 1)] for x in places], label, weight)


def _near(point: Candidate) -> list[Fraction]:
    """Margins (or score differences) around those of the point."""
    found = []
    for symbol, value in point.items():
        if symbol == p:
            value = Fraction(float((ball(value) / ball(1 - value)).log())).limit_denominator(64)
        if symbol != K:
            found += [value, *(value + sign * step for step in STEPS for sign in (1, -1))]
    return sorted(set(found or [Fraction(0)]), key=lambda v: (v.denominator, abs(v)))


def _chord(theorem: Theorem, scores: list[list[Fraction]], label: int, weight: Fraction) -> Iterator[Witness]:
    loss = with_threshold(theorem.loss, None)
    values = _above_chord(lambda row: loss_value(loss, row, label), scores, weight)
    if values:
        yield {
            "K": len(scores[0]),
            "label": label,
            "points": [[str(v) for v in row] for row in scores],
            "weight": str(weight),
            "values": values,
        }


def increasing(theorem: Theorem, point: Candidate) -> Iterator[Witness]:
    """With K >= 3, two rivals swap their scores: the margin is larger half way, and so is an increasing loss."""
    n_classes = int(point[K])
    for centre in _near(point):
        for step in STEPS:
            ends = [[centre, sign * step, -sign * step, *[-step] * (n_classes - 3)] for sign in (1, -1)]
            middle = [centre, Fraction(0), Fraction(0), *[-step] * (n_classes - 3)]
            yield from _chord(theorem, [ends[0], middle, ends[1]], 0, HALF)


def looks_convex(theorem: Theorem) -> bool:
    """Whether values on a line of scores are never above their chords, and for K >= 3 never rise with the margin.

    Values that are not finite are ends of the line.
    """
    n_classes = theorem.first_class_count
    known = {parameter: sp.Rational(any_value(parameter)) for parameter in theorem.parameters}
    known |= {K: sp.Integer(n_classes)}
    may_not_rise = claims_more_than_two(theorem) and reduction_of(theorem).why_falling is not None
    at = geometry_of(theorem.loss).ahead(SCORES, n_classes)
    for _, expr, variable in theorem.loss.functions:
        values = on_arrays(expr.subs(known), variable)(at)
        values = values[np.isfinite(values)]
        steps, allowed = np.diff(values), RELATIVE * np.maximum(1, np.abs(values))
        if np.any(np.diff(steps) < -allowed[1:-1]) or (may_not_rise and np.any(steps > allowed[1:])):
            return False
    return True


# --- entropies ----------------------------------------------------------------------------------------------------


def not_convex_entropy(theorem: StructuredTheorem, point: Candidate) -> Iterator[Witness]:
    """Two means whose middle has the larger entropy: near the coordinate of the point, or along a bad direction."""
    entropy = core(theorem.entropy)
    for size in range(theorem.first_size, theorem.first_size + MOST_SIZES):
        if not theorem.claims(size):
            continue
        ends = _along(theorem, entropy) if isinstance(entropy, Quadratic) else _near_mean(theorem, point, size)
        for first, last in ends:
            means = (first, tuple((a + b) / 2 for a, b in zip(first, last, strict=True)), last)
            values = _above_chord(lambda mean: value_at(entropy.value(mean), {}), means, HALF)
            if values:
                shown = [[str(entry) for entry in mean] for mean in means]
                name = "K" if isinstance(theorem.outputs, Classes) else "size"
                yield {name: size, "means": shown, "values": values}


def _near_mean(theorem: StructuredTheorem, point: Candidate, size: int) -> Iterator[tuple[Vector, Vector]]:
    """Means whose first coordinates lie on both sides of the point's."""
    at = point.get(v, HALF)
    for step, other in product(STEPS_OF_MEANS, (at, *GRID)):
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
    first, second = vectors[0], vectors[-1 if isinstance(theorem.outputs, PermutationMatrices) else 1]
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
