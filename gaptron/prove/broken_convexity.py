"""Points at which a loss is not convex in W: three weight matrices on a line, the loss of the middle one too large."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from gaptron.numbers.evaluate import UncertainError, ball, is_positive
from gaptron.prove.counterexample import MOST_CLASSES, Candidate
from gaptron.prove.exact_text import Witness, exact
from gaptron.rounds import value as loss_value
from gaptron.rounds.geometry import geometry_of
from gaptron.symbols import K, p
from gaptron.theory.losses import with_threshold
from gaptron.theory.theorem import Theorem

STEPS = (Fraction(1), Fraction(1, 2), Fraction(1, 4), Fraction(1, 16), Fraction(1, 256))


def not_convex(theorem: Theorem, point: Candidate) -> Iterator[Witness]:
    """Three scores of one label on a line, the loss in the middle above the chord; at most ``MOST_CLASSES`` labels."""
    n_classes = int(point.get(K, Fraction(theorem.first_class_count)))
    if n_classes > MOST_CLASSES:
        return
    for ends in combinations(_near(theorem, point), 2):
        low, high = min(ends), max(ends)
        for weight in (Fraction(1, 2), Fraction(1, 16), Fraction(15, 16)):
            places = [low, weight * low + (1 - weight) * high, high]
            for label in geometry_of(theorem.loss).labels:
                yield from _chord(theorem, [[x, *[Fraction(0)] * (n_classes - 1)] for x in places], label, weight)


def _near(theorem: Theorem, point: Candidate) -> list[Fraction]:
    """Margins (or score differences) around those of the point."""
    found = []
    for symbol, value in point.items():
        if symbol == p:
            value = Fraction(float((ball(value) / ball(1 - value)).log())).limit_denominator(64)
        if symbol != K:
            found += [value, *(value + sign * step for step in STEPS for sign in (1, -1))]
    return sorted(set(found or [Fraction(0)]), key=lambda v: (v.denominator, abs(v)))


def _chord(theorem: Theorem, scores: list[list[Fraction]], label: int, weight: Fraction) -> Iterator[Witness]:
    """The witness if the loss at the middle scores is certainly above weight * first + (1 - weight) * last."""
    loss = with_threshold(theorem.loss, None)
    try:
        values = [loss_value(loss, row, label) for row in scores]
        is_exact = all(isinstance(value, Fraction) for value in values)
        first, middle, last, share = [*values, weight] if is_exact else map(ball, (*values, weight))
        excess = middle - share * first - (1 - share) * last
    except (UncertainError, ValueError, ZeroDivisionError):
        return
    if is_positive(excess):
        yield {
            "K": len(scores[0]),
            "label": label,
            "points": [[str(v) for v in row] for row in scores],
            "weight": str(weight),
            "values": [exact(v) for v in values],
        }


def increasing(theorem: Theorem, point: Candidate) -> Iterator[Witness]:
    """With K >= 3, two rivals swap their scores: the margin is larger half way, and so is an increasing loss."""
    n_classes = int(point[K])
    for centre in _near(theorem, point):
        for step in STEPS:
            ends = [[centre, sign * step, -sign * step, *[-step] * (n_classes - 3)] for sign in (1, -1)]
            middle = [centre, Fraction(0), Fraction(0), *[-step] * (n_classes - 3)]
            yield from _chord(theorem, [ends[0], middle, ends[1]], 0, Fraction(1, 2))
