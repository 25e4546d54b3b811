"""Exact rounds: fractions where the theorem is rational, else balls that contain the true numbers."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np

from gaptron.language.expressions import Expression, everywhere
from gaptron.language.theorems import StatedTheorem, TheoremData
from gaptron.learners.arithmetic import Arithmetic, Array, DoubleArrays
from gaptron.learners.surrogates import LearnersSurrogate, in_doubles, rates_of
from gaptron.numbers.evaluate import EXACT, Number, ball, is_less
from gaptron.numbers.kinds import IrrationalError, Rationals, plain
from gaptron.rounds.exact import LISTS, exact_numbers, surrogate_of
from gaptron.rounds.geometry import geometry_of
from gaptron.rounds.layouts import Scores
from gaptron.system import checks
from gaptron.system.checks import Given

IRRATIONAL = ("exp", "log", "pi", "power", "root")


class ExactArrays:
    """Fractions, or balls, in NumPy object arrays."""

    dtype: type = object

    def __init__(self, convert: Callable[[Any], Number]) -> None:
        self.convert = convert

    def number(self, value: Number) -> Number:
        """``value`` (a float is read as the fraction it is) as a Fraction or a ball."""
        if isinstance(value, (Rational, float, int, np.number)):
            value = Fraction(value if isinstance(value, Rational) else float(value))
        return self.convert(plain(value))

    def zeros(self, shape: tuple[int, ...]) -> Array:
        """An array of zeros."""
        return np.full(shape, self.number(0), dtype=object)

    def array(self, values: Given, argument: str, shape: tuple[int, ...]) -> Array:
        """``values`` as an object array; ValueError unless it has this shape and is finite."""
        array = np.array(values, dtype=object)
        checks.shape(array.shape, argument, shape)
        try:
            numbers = [self.number(value) for value in array.ravel()]
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"{argument} is not an array of finite numbers: {error}") from error
        return np.array(numbers, dtype=object).reshape(shape)

    def scores(self, W: Array, x: Array) -> Array:
        """W x."""
        scores: Array = W @ x
        return scores

    def top(self, scores: Scores) -> int:
        """The lowest index among the largest scores (of balls: among those not certainly smaller)."""
        return max(range(len(scores)), key=lambda k: (scores[k], -k))

    def is_less(self, left: Number, right: Number) -> bool:
        """left < right, certainly; UncertainError if balls cannot tell."""
        return is_less(left, right)

    def project(self, W: Array, radius: Number) -> None:
        """Replace W by the nearest point of {||W||_F <= radius}; ValueError if a fraction's root is not one."""
        squared, limit = self.number((W * W).sum()), self.number(radius)
        if is_less(limit * limit, squared):
            norm = plain(EXACT.root(EXACT.number(squared)))
            if self.convert is Fraction and not isinstance(norm, Fraction):
                needed = f"the projection needs the square root of {squared}: use balls"
                raise IrrationalError(f"radius = {radius}: {needed}")
            W *= limit / norm


class ExactSurrogate(LearnersSurrogate):
    """In fractions or balls; at kinks from the right, as every learner does, or from the left (``side`` -1)."""

    most = LISTS.one

    def __init__(self, theorem: StatedTheorem, n_classes: int, *, balls: bool = False, side: int = 1) -> None:
        self.theorem, self.loss = theorem.data, theorem.data.loss
        self.rounds = surrogate_of(self.loss, n_classes, LISTS, self.theorem.gap_map, side)
        self.arithmetic = ExactArrays(ball if balls or _needs_balls(self.theorem) else Fraction)
        self.kind = Rationals() if self.arithmetic.convert is Fraction else EXACT
        self.learning_rate, self.regret = rates_of(self.theorem, n_classes, self.number)

    def number(self, value: Number) -> Number:
        """As a fraction, or a ball."""
        return self.arithmetic.number(value)

    def read(self, scores: Iterable[Number]) -> list[Number]:
        """As rationals and balls."""
        return exact_numbers(scores)

    def given(self, value: Number) -> Number:
        """As a rational or a ball of flint's."""
        return EXACT.number(value)

    def written(self, numbers: Iterable[Number]) -> Array:
        """As an array of objects."""
        return np.array([self.number(0 if number is None else number) for number in numbers], dtype=object)


def _needs_balls(theorem: TheoremData) -> bool:
    return geometry_of(theorem.loss).is_transcendental or not all(map(_is_rational, theorem.expressions))


def _is_rational(expression: Expression) -> bool:
    return not any(part[0] in IRRATIONAL for part in everywhere(expression) if isinstance(part, tuple))


def sources(
    theorem: TheoremData, n_classes: int, *, exact: bool, balls: bool = False
) -> tuple[LearnersSurrogate, Arithmetic]:
    """The surrogate, and the numbers to compute with."""
    if not exact:
        return in_doubles(theorem, n_classes), DoubleArrays()
    surrogate = ExactSurrogate(theorem, n_classes, balls=balls)
    return surrogate, surrogate.arithmetic
