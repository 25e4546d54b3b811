"""The losses and gap maps of van der Hoeven 2020, equations (1)-(3), by hand, on lists of rationals, balls or doubles.

Scores that are one object are equal for certain; what is computed from them is one object again.
"""

from collections.abc import Callable
from typing import Any

import flint

from gaptron.expectation.numbers import exp, less, log

Scores = list[Any]
Slopes = list[Any]


# A round before its draw: the gap map a; whether the label is on top (None if a = 1, where it is no matter); whether
# the loss is off; and ``slopes(rate)``, rate times the gradient in the scores: entries that vanish for certain are
# None, and it is None if all do.
Round = tuple[Any, bool | None, bool, Callable[[Any], Slopes | None]]


class Logistic:
    """Equation (1): a = 1 - p* if p* >= 1/2, else 1."""

    settles = True

    def __init__(self, kind: Any, n_classes: int) -> None:
        self.one, self.ln2 = kind.number(1), log(kind.number(2))

    def round(self, scores: Scores, label: int) -> Round:
        """The round at these scores."""
        powers, total = softmax_powers(self.one, scores)

        def slopes(rate: Any) -> Slopes:
            return softmax_slopes(rate / (self.ln2 * total), powers, total, label)

        best = _majority(powers, total)
        if best is None:
            return self.one, None, False, slopes
        return 1 - powers[best] / total, best == label, False, slopes

    def value(self, scores: Scores, label: int) -> Any:
        """-log2 p_y."""
        powers, total = softmax_powers(self.one, scores)
        return log(total / powers[label]) / self.ln2


class Hinge:
    """Equation (2): a = 1 - m* if m* <= 1/K, else 0; off if the top label is right with m* > 1/K."""

    settles = False

    def __init__(self, kind: Any, n_classes: int) -> None:
        self.zero, self.beta = kind.number(0), kind.number(1) / n_classes

    def round(self, scores: Scores, label: int) -> Round:
        """The round at these scores."""
        best = top(scores)
        largest, rival = margin(scores, best)
        wide = less(self.beta, largest)
        if best == label and wide:
            return self.zero, True, True, no_step

        def slopes(rate: Any) -> Slopes | None:
            m, other = (largest, rival) if best == label else margin(scores, label)
            return pair(len(scores), label, other, -rate) if less(m, 1) else None

        return self.zero if wide else 1 - largest, best == label, False, slopes

    def value(self, scores: Scores, label: int) -> Any:
        """max(0, 1 - m), of a round that is on."""
        m, _ = margin(scores, label)
        return 1 - m if less(m, 1) else m * 0


class SmoothHinge:
    """Equation (3) truncated at margin 1: a = (1 - min(1, m*))^2."""

    settles = True

    def __init__(self, kind: Any, n_classes: int) -> None:
        self.zero = kind.number(0)

    def round(self, scores: Scores, label: int) -> Round:
        """The round at these scores."""
        best = top(scores)
        largest, rival = margin(scores, best)

        def slopes(rate: Any) -> Slopes | None:
            m, other = (largest, rival) if best == label else margin(scores, label)
            if not less(m, 1):
                return None
            return pair(len(scores), label, other, -2 * rate * (1 - m) if less(0, m) else -2 * rate)

        return (1 - largest) ** 2 if less(largest, 1) else self.zero, best == label, False, slopes

    def value(self, scores: Scores, label: int) -> Any:
        """1 - 2 m if m <= 0, (1 - m)^2 up to 1, else 0."""
        m, _ = margin(scores, label)
        if not less(m, 1):
            return m * 0
        return (1 - m) ** 2 if less(0, m) else 1 - 2 * m


NAMED: dict[str, Any] = {"logistic": Logistic, "hinge": Hinge, "smooth hinge": SmoothHinge}


def _majority(powers: Scores, total: Any) -> int | None:
    """The lowest index with at least half of the total, or None."""
    for k, power in enumerate(powers):
        twice = power + power
        if not twice < total and not less(twice, total):
            return k
    return None


def no_step(rate: Any) -> None:
    """No step."""


def pair(n_classes: int, label: int, rival: int, slope: Any) -> Slopes:
    """``slope`` at the label and its negative at the rival."""
    slopes = [None] * n_classes
    slopes[label], slopes[rival] = slope, -slope
    return slopes


def top(scores: Scores) -> int:
    """The lowest index among the largest."""
    best = 0
    for k in range(1, len(scores)):
        if less(scores[best], scores[k]):
            best = k
    return best


def margin(scores: Scores, label: int) -> tuple[Any, int]:
    """m(W, label) and the lowest index among the largest other scores."""
    rival = 1 if label == 0 else 0
    for k in range(rival + 1, len(scores)):
        if k != label and less(scores[rival], scores[k]):
            rival = k
    if scores[label] is scores[rival]:
        return scores[label] * 0, rival
    return scores[label] - scores[rival], rival


def softmax_powers(one: Any, scores: Scores) -> tuple[Scores, Any]:
    """exp(score - reference) of every score, ``one`` at the reference, and their sum."""
    first, *others = scores
    if not isinstance(first, flint.arb):
        largest = max(scores)  # beyond the range of doubles otherwise
        powers = [exp(score - largest) for score in scores]
    elif len({*map(id, scores)}) == len(scores):
        powers = [one, *[(score - first).exp() for score in others]]
    else:
        known = {id(score): one if score is first else (score - first).exp() for score in scores}
        powers = [known[id(score)] for score in scores]
    total = powers[0]
    for power in powers[1:]:
        total = total + power
    return powers, total


def softmax_slopes(rate: Any, powers: Scores, total: Any, label: int) -> Slopes:
    """rate (powers - total e_label)."""
    known = {id(power): rate * power for power in powers}
    slopes = [known[id(power)] for power in powers]
    slopes[label] = rate * (powers[label] - total)
    return slopes
