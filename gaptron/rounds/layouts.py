"""How scores are laid out: a list of numbers of any kind, a NumPy vector of doubles, or one round a column.

A layout says which label is on top, what the margin is and what the softmax probabilities are; slopes go back the same
way. What a method is for is said where it stands first. Scores of a list that are one object are equal for certain, and
what is computed from them is one object again.
"""

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import Any, TypeAlias

import flint
import numpy as np
from numpy.typing import NDArray

from gaptron.language.expressions import Expression
from gaptron.numbers.arrays import array_function, scalar_function
from gaptron.numbers.compiled import compiled
from gaptron.numbers.kinds import Doubles, Function, Kind, Number, less, plain

ROUNDING = 1e-9

Array: TypeAlias = NDArray[Any]
Scores: TypeAlias = Any  # a sequence of numbers, or an array
Slopes: TypeAlias = Any  # a list with None for what vanishes for certain, or an array
Labels: TypeAlias = Any  # a label, or an array of them
Flags: TypeAlias = Any  # a truth value, or an array of them


def top_label(scores: Sequence[Number]) -> int:
    """The lowest index among the largest scores, y* of the paper; UncertainError if balls leave it open."""
    best = 0
    for k in range(1, len(scores)):
        if less(scores[best], scores[k]):
            best = k
    return best


def margin(scores: Scores, label: int) -> tuple[Number, int]:
    """m(W, label), and the lowest index among the largest other scores (van der Hoeven 2020, section 4.2)."""
    rival = 1 if label == 0 else 0
    for k in range(rival + 1, len(scores)):
        if k != label and less(scores[rival], scores[k]):
            rival = k
    if scores[label] is scores[rival]:
        return scores[label] * 0, rival
    return scores[label] - scores[rival], rival


def mixed(uniform: Number, n_classes: int, is_top: bool) -> tuple[Number, Number]:
    """P(wrong) and P(right) if the uniform distribution has this share, and the top label the rest."""
    share = uniform / n_classes
    return (uniform - share, 1 - uniform + share) if is_top else (1 - share, share)


class OneRound:
    """What is the same for scores of one round, in any kind of numbers."""

    one: Number
    zero: Number
    least: Number
    most: Number

    def share(self, gap: Number) -> tuple[Number, Number | None]:
        """The nearest number in [0, 1], and what is certainly outside by more than rounding; None if nothing is."""
        if self.zero <= gap <= self.one:
            return gap, None
        is_outside = gap < self.least or gap > self.most or gap != gap
        return (gap, gap) if is_outside else (min(max(gap, self.zero), self.one), None)

    def explored(self, gap: Number, gamma: Number) -> Number:
        """At least gamma; UncertainError if balls cannot tell which is larger."""
        return gap if gap > gamma or not less(gap, gamma) else gamma

    def chances(self, uniform: Number, n_classes: int, found: Any, label: int) -> tuple[Number, Number]:
        """See ``mixed``; if all labels are alike the top one is not asked for, which scores may leave open."""
        is_alike = bool(uniform == 1)  # certainly: a ball around 1 is not
        return mixed(uniform, n_classes, not is_alike and found.top == label)

    def at_side(self, functions: Sequence[Function], label: Labels, z: Number) -> Number:
        """The function of the label, at z."""
        return functions[label](z)

    def of_rivals(self, function: Function, values: Scores, label: Labels) -> list[Number]:
        """The function of each value but the label's, where it is 0."""
        return [self.zero if k == label else function(value) for k, value in enumerate(values)]

    def summed(self, values: Sequence[Number]) -> Number:
        """Their sum."""
        return sum(values, self.zero)

    def never(self, scores: Scores) -> Flags:
        """False."""
        return False


class Lists(OneRound):
    """Scores as a list of numbers of one kind. Slopes that vanish for certain are None; None if all do."""

    def __init__(self, kind: Kind) -> None:
        self.kind, self.one, self.zero = kind, kind.number(1), kind.number(0)
        self.least, self.most = kind.number(-ROUNDING), kind.number(1 + ROUNDING)
        self.is_float = isinstance(kind, Doubles)

    def function(self, expression: Expression, name: str) -> Function:
        """The expression as a function of one number."""
        return compiled(expression, name, self.kind)

    def top(self, scores: Scores) -> int:
        """The lowest index among the largest scores; UncertainError if balls leave it open."""
        return scores.index(max(scores)) if self.is_float else top_label(scores)

    def margin(self, scores: Scores, label: int) -> tuple[Number, int]:
        """m(W, label), and the lowest index among the largest other scores."""
        if not self.is_float:
            return margin(scores, label)
        others = scores[:label] + scores[label + 1 :]
        largest = max(others)
        rival = others.index(largest)
        return scores[label] - largest, rival + (rival >= label)

    def is_beyond(self, top: int, label: int, beta: Number, spread: Number) -> bool:
        """Whether the label is on top with a margin of more than beta."""
        return top == label and less(beta, spread)

    def sign(self, z: Number) -> int:
        """The label of a score z: 0 for z >= 0, else 1."""
        return 1 if less(z, 0) else 0

    def pair(self, scores: Scores, label: int, rival: int, slope: Number) -> Slopes:
        """``slope`` at the label and its negative at the rival."""
        if slope == 0:
            return None
        slopes = [None] * len(scores)
        slopes[label], slopes[rival] = slope, -slope
        return slopes

    def one_row(self, slope: Number) -> Slopes:
        """``slope`` of the one weight vector."""
        return None if slope == 0 else [slope]

    def powers(self, scores: Scores) -> tuple[Scores, Number]:
        """exp(score - reference) of every score, 1 at the reference, and their sum."""
        if self.is_float or all(isinstance(score, flint.fmpq) for score in scores):
            reference = max(scores)  # beyond the range of doubles otherwise
        else:
            reference = scores[0]
        known = {id(reference): self.one}
        powers = []
        for score in scores:
            if id(score) not in known:
                known[id(score)] = self.kind.exp(score - reference)
            powers.append(known[id(score)])
        return powers, reduce(add, powers)

    def largest_share(self, powers: Scores, total: Number) -> Number:
        """p*."""
        return reduce(self.kind.larger, powers) / total

    def log_share(self, scores: Scores, powers: Scores, total: Number, label: int) -> Number:
        """log p_label."""
        return self.kind.log(powers[label] / total)

    def softmax_slopes(self, rate: Number, slope: Number, powers: Scores, total: Number, label: int) -> Slopes:
        """rate slope (e_label - p)."""
        factor = rate * slope
        if factor == 0:
            return None
        rate = -factor / total
        known = {id(power): rate * power for power in powers}
        slopes = [known[id(power)] for power in powers]
        others = slopes[:label] + slopes[label + 1 :]
        slopes[label] = -sum(others[1:], others[0])  # of the others alone: p_y - 1 would forget how small they are
        return slopes

    def own(self, scores: Scores, label: int) -> Number:
        """The label's score."""
        return scores[label]

    def one_and_rivals(self, label: int, slope: Number, slopes: list[Number]) -> Slopes:
        """``slope`` at the label, and those of its rivals."""
        found = [slope if k == label else rival for k, rival in enumerate(slopes)]
        return None if all(part == 0 for part in found) else [None if part == 0 else part for part in found]

    def needed(self, off: bool, value: Number, slopes: Slopes, half_rate: Number) -> Number:
        """max(0, 1 - loss + (eta/2) ||g||^2) for ||x|| = 1, of a loss that is on; else 1."""
        if off:
            return self.one
        squares = [slope * slope for slope in slopes or () if slope is not None]
        return self.kind.larger(self.one - value + half_rate * sum(squares, self.zero), self.zero)

    def plain(self, scores: Scores) -> list[Number]:
        """As proximal steps take them: fractions where they are rational."""
        return [plain(score) for score in scores]

    def missing(self, envelopes: Sequence[Number]) -> list[Number]:
        """max(0, 1 - e) of every label."""
        return [self.kind.larger(self.one - self.kind.number(envelope), self.zero) for envelope in envelopes]

    def total(self, needs: Sequence[Number]) -> Number:
        """Their sum."""
        return sum(needs, self.zero)

    def topped_up(self, needs: Sequence[Number], total: Number, top: int) -> list[Number]:
        """Each label as often as it needs, the top one what is left; scaled down if that is too much."""
        most, rest = self.kind.larger(total, self.one), self.kind.larger(self.one - total, self.zero)
        return [need / most + rest if k == top else need / most for k, need in enumerate(needs)]

    def shares(self, moves: Sequence[Number], squared: Number) -> Slopes:
        """Moves of the scores as multiples of x; what is one object stays one."""
        share = self.one / squared
        known = {id(move): None if move == 0 else self.kind.number(move) * share for move in moves}
        found = [known[id(move)] for move in moves]
        return found if any(part is not None for part in found) else None


class Vectors(OneRound):
    """Scores as a (K,) array of doubles; slopes as an array."""

    zero, one, least, most = 0.0, 1.0, -ROUNDING, 1 + ROUNDING

    def function(self, expression: Expression, name: str) -> Function:
        return scalar_function(expression, name)

    def top(self, scores: Array) -> int:
        return int(np.argmax(scores))

    def margin(self, scores: Array, label: int) -> tuple[float, int]:
        return margin_and_rival(scores, label)

    def is_beyond(self, top: int, label: int, beta: float, spread: float) -> bool:
        return top == label and spread > beta

    def sign(self, z: float) -> int:
        return int(z < 0)

    def pair(self, scores: Array, label: int, rival: int, slope: float) -> Array:
        slopes = np.zeros(len(scores))
        slopes[label], slopes[rival] = slope, -slope
        return slopes

    def one_row(self, slope: Number) -> Array:
        return np.array([slope])

    def powers(self, scores: Array) -> tuple[Array, Number]:
        with np.errstate(over="ignore"):
            powers: Array = np.exp(scores - scores.max(axis=0))
        return powers, powers.sum(axis=0)

    def largest_share(self, powers: Array, total: Number) -> Number:
        return powers.max(axis=0) / total

    def log_share(self, scores: Array, powers: Array, total: Number, label: Labels) -> Number:
        """log p_label, which does not underflow."""
        with np.errstate(over="ignore"):
            return _at(scores, label) - scores.max(axis=0) - np.log(total)

    def softmax_slopes(self, rate: Number, slope: Number, powers: Array, total: Number, label: Labels) -> Array:
        direction = powers / -total
        direction[_place(direction, label)] += 1
        return np.asarray(rate * (slope * direction))

    def own(self, scores: Array, label: Labels) -> Number:
        return _at(scores, label)

    def one_and_rivals(self, label: Labels, slope: Number, slopes: list[Number]) -> Array:
        found = np.array(slopes)
        found[_place(found, label)] = slope
        return found

    def plain(self, scores: Array) -> Scores:
        return scores.tolist()

    def missing(self, envelopes: Scores) -> Array:
        return np.asarray(np.maximum(1 - np.asarray(envelopes), 0.0))

    def total(self, needs: Array) -> Number:
        return needs.sum(axis=0)

    def topped_up(self, needs: Array, total: Number, top: Labels) -> Array:
        found = needs / np.maximum(total, 1)
        found[_place(found, top)] += np.maximum(1 - total, 0)
        return np.asarray(found)

    def shares(self, moves: Scores, squared: Number) -> Array:
        return np.asarray(np.asarray(moves) / squared)


class Columns(Vectors):
    """Scores as a (K, n) array of doubles, one round a column; labels (n,) or one for all; slopes (K, n).

    One column stands for as many as there are labels, where only losses and needs are asked for.
    """

    def function(self, expression: Expression, name: str) -> Function:
        return array_function(expression, name)

    def top(self, scores: Array) -> Labels:
        return scores.argmax(axis=0)

    def second(self, scores: Array, top: Labels) -> Labels:
        """The lowest index among the largest scores but the top one, (n,)."""
        others = scores.copy()
        others[top, np.arange(scores.shape[1])] = -np.inf
        return others.argmax(axis=0)

    def is_beyond(self, top: Labels, label: Labels, beta: float, spread: Number) -> Flags:
        return (top == label) & (spread > beta)

    def sign(self, z: Number) -> Labels:
        return (z < 0).astype(int)

    def at_side(self, functions: Sequence[Function], label: Labels, z: Number) -> Number:
        return np.where(np.asarray(label) == 0, functions[0](z), functions[1](z))

    def pair(self, scores: Array, label: Labels, rival: Labels, slope: Number) -> Array:
        slopes, n = np.zeros((len(scores), len(slope))), np.arange(len(slope))
        slopes[label, n], slopes[rival, n] = slope, -slope
        return slopes

    def of_rivals(self, function: Function, values: Sequence[Array], label: Labels) -> list[Array]:
        return [np.where(np.asarray(label) == k, 0.0, function(value)) for k, value in enumerate(values)]

    def softmax_slopes(self, rate: Number, slope: Number, powers: Array, total: Number, label: Labels) -> Array:
        powers = np.broadcast_to(powers, (len(powers), len(slope)))
        return super().softmax_slopes(rate, slope, powers, total, label)

    def never(self, scores: Array) -> Flags:
        return np.zeros(scores.shape[1], dtype=bool)

    def share(self, gap: Array) -> tuple[Array, Number | None]:
        if np.min(gap) >= 0 and np.max(gap) <= 1:
            return gap, None
        found = np.flatnonzero(~((np.asarray(gap) >= self.least) & (np.asarray(gap) <= self.most)))
        return np.clip(gap, 0.0, 1.0), gap[found[0]] if found.size else None

    def explored(self, gap: Array, gamma: Number) -> Array:
        return np.asarray(np.maximum(gap, gamma))

    def chances(self, uniform: Array, n_classes: int, found: Any, label: Labels) -> tuple[Array, Array]:
        is_top = found.top == label
        on_top, below = mixed(uniform, n_classes, True), mixed(uniform, n_classes, False)
        wrong, right = (np.asarray(np.where(is_top, *pair)) for pair in zip(on_top, below, strict=True))
        return wrong, right

    def masked(self, off: Flags, slopes: Array) -> Array:
        """0 where the loss is off."""
        return np.where(off, 0.0, slopes)

    def plain(self, scores: Array) -> Array:
        return scores

    def needed(self, off: Flags, value: Number, slopes: Array, half_rate: float) -> Number:
        """max(0, 1 - loss + (eta/2) ||g||^2) for ||x|| = 1, of losses that are on; else 1."""
        with np.errstate(over="ignore", invalid="ignore"):
            return np.where(off, 1.0, np.maximum(1 - value + half_rate * (slopes * slopes).sum(axis=0), 0))


VECTORS, COLUMNS = Vectors(), Columns()


def margin_and_rival(scores: Array, label: int) -> tuple[float, int]:
    """score_label - max_{k != label} score_k, and the lowest index k where that maximum is."""
    others = np.array(scores, dtype=float)
    others[label] = -np.inf
    rival = int(others.argmax())
    return float(scores[label]) - float(scores[rival]), rival


def _place(scores: Array, label: Labels) -> Any:
    return label if scores.ndim == 1 else (label, np.arange(scores.shape[1]))


def _at(scores: Array, label: Labels) -> Number:
    return scores[_place(scores, label)]
