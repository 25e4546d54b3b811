"""Exact rounds: fractions where the theorem is rational, else balls that contain the true numbers."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np

from gaptron.language.expressions import everywhere
from gaptron.language.theorems import StatedTheorem, TheoremData
from gaptron.learners.arithmetic import Arithmetic, Array
from gaptron.learners.surrogates import LearnersSurrogate
from gaptron.numbers.evaluate import EXACT, Number, ball, is_less
from gaptron.numbers.kinds import IrrationalError, Rationals, plain
from gaptron.rounds.exact import LISTS, exact_numbers
from gaptron.rounds.geometry import geometry_of
from gaptron.rounds.layouts import Scores
from gaptron.system import checks
from gaptron.system.checks import Given

IRRATIONAL = ("exp", "log", "pi", "power", "root")


class ExactArrays(Arithmetic):
    """Fractions, or balls, in NumPy object arrays."""

    dtype: type = object
    layout, most = LISTS, LISTS.one

    def __init__(self, convert: Callable[[Any], Number]) -> None:
        self.convert, self.kind = convert, Rationals() if convert is Fraction else EXACT

    def number(self, value: Number) -> Number:
        """``value`` (a float is read as the fraction it is) as a Fraction or a ball."""
        if isinstance(value, (Rational, float, int, np.number)):
            value = Fraction(value if isinstance(value, Rational) else float(value))
        return self.convert(plain(value))

    def read(self, scores: Iterable[Number]) -> list[Number]:
        return exact_numbers(scores)

    def given(self, value: Number) -> Number:
        return EXACT.number(value)

    def written(self, numbers: Iterable[Number]) -> Array:
        return np.array([self.number(0 if number is None else number) for number in numbers], dtype=object)

    def zeros(self, shape: tuple[int, ...]) -> Array:
        return np.full(shape, self.number(0), dtype=object)

    def array(self, values: Given, argument: str, shape: tuple[int, ...]) -> Array:
        array = np.array(values, dtype=object)
        checks.shape(array.shape, argument, shape)
        try:
            return np.array([self.number(value) for value in array.ravel()], dtype=object).reshape(shape)
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"{argument} is not an array of finite numbers: {error}") from error

    def scores(self, W: Array, x: Array) -> Array:
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

    def __init__(self, theorem: StatedTheorem, n_classes: int, *, balls: bool = False, side: int = 1) -> None:
        numbers = ExactArrays(ball if balls or _needs_balls(theorem.data) else Fraction)
        super().__init__(theorem, n_classes, numbers, side)


def _needs_balls(theorem: TheoremData) -> bool:
    parts = (part for expression in theorem.expressions for part in everywhere(expression))
    written = any(isinstance(part, tuple) and part[0] in IRRATIONAL for part in parts)
    return written or geometry_of(theorem.loss).is_transcendental
