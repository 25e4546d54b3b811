"""The losses and gap maps of van der Hoeven 2020, equations (1)-(3), on lists of rationals or balls."""

from typing import Any, NamedTuple

import flint

from gaptron.expectation.numbers import less

Scores = list[Any]


class Round(NamedTuple):
    """A round before its draw: the gap map a; whether ``label`` is on top (None if a = 1, where it is no matter);
    the gradient in the scores by its non-zero entries, or None if it vanishes; whether the loss is off."""

    gap: Any
    right: bool | None
    gradient: list[tuple[int, Any]] | None
    off: bool


def logistic(scores: Scores, label: int) -> Round:
    """Equation (1): a = 1 - p* if p* >= 1/2, else 1."""
    powers = [score.exp() for score in scores]
    total = sum(powers[1:], powers[0])
    share = 1 / (total * flint.arb.const_log2())
    gradient = [(k, power * share) for k, power in enumerate(powers)]
    gradient[label] = (label, (powers[label] - total) * share)
    if all(less(2 * power, total) for power in powers):
        return Round(flint.arb(1), None, gradient, False)
    best = top(scores)
    return Round(1 - powers[best] / total, best == label, gradient, False)


def hinge(scores: Scores, label: int) -> Round:
    """Equation (2): a = 1 - m* if m* <= 1/K, else 0; off if the top label is right with m* > 1/K."""
    best, beta = top(scores), flint.fmpq(1, len(scores))
    largest, _ = margin(scores, best)
    wide = less(beta, largest)
    gap = largest * 0 if wide else 1 - largest
    if best == label and wide:
        return Round(gap, True, None, True)
    m, rival = (largest, margin(scores, best)[1]) if best == label else margin(scores, label)
    slope = [(label, flint.fmpq(-1)), (rival, flint.fmpq(1))] if less(m, 1) else None
    return Round(gap, best == label, slope, False)


def smooth_hinge(scores: Scores, label: int) -> Round:
    """Equation (3) truncated at margin 1: a = (1 - min(1, m*))^2."""
    best = top(scores)
    largest, _ = margin(scores, best)
    gap = (1 - largest) ** 2 if less(largest, 1) else largest * 0
    m, rival = margin(scores, label)
    if not less(m, 1):
        return Round(gap, best == label, None, False)
    slope = -2 * (1 - m) if less(0, m) else flint.fmpq(-2)
    return Round(gap, best == label, [(label, slope), (rival, -slope)], False)


LOSSES = {"logistic": logistic, "hinge": hinge, "smooth hinge": smooth_hinge}


def comparator_value(loss: str, scores: Scores, label: int) -> Any:
    """The loss of a comparator with these scores, on a round that is on."""
    if loss == "logistic":
        powers = [(score - scores[label]).exp() for score in scores]
        return sum(powers[1:], powers[0]).log() / flint.arb(2).log()
    m, _ = margin(scores, label)
    if not less(m, 1):
        return m * 0
    if loss == "hinge":
        return 1 - m
    return (1 - m) ** 2 if less(0, m) else 1 - 2 * m


def top(scores: Scores) -> int:
    """The lowest index among the largest."""
    best = 0
    for k in range(1, len(scores)):
        if less(scores[best], scores[k]):
            best = k
    return best


def margin(scores: Scores, label: int) -> tuple[Any, int]:
    """m(W, label) and the lowest index among the largest other scores."""
    others = [k for k in range(len(scores)) if k != label]
    rival = others[top([scores[k] for k in others])]
    return scores[label] - scores[rival], rival
