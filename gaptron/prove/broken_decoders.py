"""Scores at which no randomized prediction will do: the labels need probabilities that sum to more than 1."""

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction

import sympy as sp

from gaptron.guesses.in_sympy import q, s, t
from gaptron.numbers.evaluate import Number, UncertainError, evaluate, is_positive
from gaptron.prove.counterexample import Candidate
from gaptron.prove.exact_text import Witness, exact
from gaptron.rounds.exact import BestDecoder, total
from gaptron.rounds.geometry import geometry_of
from gaptron.symbols import K, p
from gaptron.theory.theorem import Theorem

FAR = Fraction(60)  # a score this far below the others has next to no probability
MOST_EQUAL = 8
FEW = 6  # numbers of classes below this are tried before that of the point
DYADIC = 2**40
Point = Mapping[sp.Symbol, Fraction]


def broken_decoders(theorem: Theorem, point: Candidate) -> Iterator[Witness]:
    """The scores that the point describes, for few classes first, if the needs certainly sum to more than 1."""
    most = int(point.get(K, Fraction(theorem.first_class_count)))
    for n_classes in sorted({*range(theorem.first_class_count, min(most, FEW)), most}):
        if theorem.claims(n_classes):
            yield from _broken_at(theorem, point, n_classes)


def _broken_at(theorem: Theorem, point: Candidate, n_classes: int) -> Iterator[Witness]:
    eta = evaluate(theorem.eta(), {K: Fraction(n_classes)})
    for scores in decoder_scores(theorem, point, n_classes):
        excess = excess_at(theorem, scores, eta)
        if excess is not None:
            yield {
                "K": n_classes,
                "scores": [str(score) for score in scores],
                "x_norm": "1",
                "needed": [exact(needed) for needed in BestDecoder(theorem.loss, eta).needs(scores)],
                "excess": exact(excess),
            }


def excess_at(theorem: Theorem, scores: list[Fraction], eta: Number) -> Number | None:
    """By how much the needs exceed 1, if they certainly do; None where balls cannot tell or nothing is defined."""
    try:
        excess = total(BestDecoder(theorem.loss, eta).needs(scores)) - 1
    except (UncertainError, ValueError, ZeroDivisionError):
        return None
    return excess if is_positive(excess) else None


def decoder_scores(theorem: Theorem, point: Point, n_classes: int) -> Iterator[list[Fraction]]:
    """Scores with these margins or probabilities; for a softmax loss also so many equal labels."""
    geometry = geometry_of(theorem.loss)
    if geometry.is_transcendental:
        scores = softmax_scores(point, n_classes)
        yield from [] if scores is None else [scores]
        for count in range(2, min(n_classes, MOST_EQUAL) + 1):
            yield [Fraction(0)] * count + [-FAR] * (n_classes - count)
        return
    if geometry.of_all_scores:
        yield [point.get(s, Fraction(0))] * n_classes
        return
    lead = point.get(s, Fraction(0))
    others = [lead - point.get(t, lead)] * (n_classes - 2)
    yield [lead, Fraction(0), *others]
    if geometry.one_vector:
        yield [-lead, Fraction(0)]


def softmax_scores(point: Point, n_classes: int) -> list[Fraction] | None:
    """Rational scores whose first two probabilities are close to p and q (1 - p without one), the third the rest."""
    second = point.get(q, 1 - point[p] if p in point else Fraction(0))
    first = point.get(p, 1 - second)
    rest = 1 - first - second
    if not 0 < second < 1 or not 0 < first < 1:
        return None
    third = _log(rest / second) if rest > 0 else -FAR
    return [_log(first / second), Fraction(0), *[third] * min(1, n_classes - 2), *[-FAR] * (n_classes - 3)]


def _log(ratio: Fraction) -> Fraction:
    """A dyadic number near the logarithm; 0 for 1."""
    return Fraction(round(math.log(ratio) * DYADIC), DYADIC)
