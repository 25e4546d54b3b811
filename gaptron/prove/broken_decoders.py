"""Scores at which no randomized prediction will do: the labels need probabilities that sum to more than 1."""

from collections.abc import Iterator
from fractions import Fraction

from gaptron.numbers.evaluate import Number, UncertainError, evaluate, is_positive
from gaptron.prove.counterexample import Candidate, by_name
from gaptron.prove.exact_text import Witness, exact
from gaptron.rounds.exact import needs, total
from gaptron.rounds.geometry import geometry_of
from gaptron.symbols import K
from gaptron.theory.theorem import Theorem

FEW = 6  # numbers of classes below this are tried before that of the point


def broken_decoders(theorem: Theorem, point: Candidate) -> Iterator[Witness]:
    """The scores that the point describes, for few classes first, if the needs certainly sum to more than 1."""
    most = int(point.get(K, Fraction(theorem.first_class_count)))
    for n_classes in sorted({*range(theorem.first_class_count, min(most, FEW)), most}):
        if theorem.claims(n_classes):
            yield from _broken_at(theorem, point, n_classes)


def _broken_at(theorem: Theorem, point: Candidate, n_classes: int) -> Iterator[Witness]:
    eta = evaluate(theorem.eta(), {K: Fraction(n_classes)})
    for scores in geometry_of(theorem.loss).all_labels(by_name(point), n_classes):
        excess = excess_at(theorem, scores, eta)
        if excess is not None:
            yield {
                "K": n_classes,
                "scores": [str(score) for score in scores],
                "x_norm": "1",
                "needed": [exact(needed) for needed in needs(theorem.loss, eta, scores)],
                "excess": exact(excess),
            }


def excess_at(theorem: Theorem, scores: list[Fraction], eta: Number) -> Number | None:
    """By how much the needs exceed 1, if they certainly do; None where balls cannot tell or nothing is defined."""
    try:
        excess = total(needs(theorem.loss, eta, scores)) - 1
    except (UncertainError, ValueError, ZeroDivisionError):
        return None
    return excess if is_positive(excess) else None
