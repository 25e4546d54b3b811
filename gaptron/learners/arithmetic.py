"""The numbers a learner computes with: doubles, or exact ones, which are fractions or balls that contain the true."""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from numbers import Rational
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gaptron.numbers.evaluate import EXACT, is_less
from gaptron.numbers.kinds import Doubles, IrrationalError, Kind, Number, Rationals, plain
from gaptron.rounds.exact import LISTS, exact_numbers
from gaptron.rounds.layouts import VECTORS, Lists, Scores, Slopes, Vectors
from gaptron.system import checks
from gaptron.system.checks import Given

Array = NDArray[Any]
Seed: TypeAlias = int | np.random.Generator | None


class Arithmetic:
    """What a round needs beside + - * /, in IEEE doubles and NumPy arrays.

    ``most`` is what the needs of all labels may sum to.
    """

    dtype: type = float
    kind: Kind = Doubles()
    layout: Lists | Vectors = VECTORS
    most: Number = VECTORS.most

    def number(self, value: Number) -> Number:
        """``value`` as a number of this kind."""
        return float(value)

    def read(self, scores: Scores) -> Scores:
        """Scores as ``rounds`` needs them."""
        return np.asarray(scores)

    def given(self, value: Number) -> Number:
        """A number as ``rounds`` needs it."""
        return float(value)

    def written(self, numbers: Slopes) -> Array:
        """Slopes of ``rounds`` as an array, with 0 for None."""
        return numbers if isinstance(numbers, np.ndarray) else np.array([number or 0.0 for number in numbers])

    def zeros(self, shape: tuple[int, ...]) -> Array:
        """An array of zeros."""
        return np.zeros(shape)

    def array(self, values: Given, argument: str, shape: tuple[int, ...]) -> Array:
        """``values`` as a float array; ValueError unless it has this shape and is finite."""
        try:
            array = np.asarray(values, dtype=float)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{argument} is not an array of numbers of shape {shape}: {error}") from error
        checks.shape(array.shape, argument, shape)
        if not np.isfinite(array).all():
            where = np.argwhere(~np.isfinite(array))[0].tolist()
            raise ValueError(f"{argument}{where} = {array[tuple(where)]} is not finite")
        return array

    def scores(self, W: Array, x: Array) -> Array:
        """W x; where that is beyond the range of doubles, a multiple of it that is not."""
        with np.errstate(over="ignore", invalid="ignore"):
            scores: Array = W @ x
        if np.isfinite(scores).all():
            return scores
        direction: Array = (W / np.abs(W).max()) @ (x / np.abs(x).max())
        return np.asarray(direction * (1e300 / np.abs(direction).max()))

    def top(self, scores: Array) -> int:
        """The lowest index among the largest scores."""
        return int(scores.argmax())

    def is_less(self, left: Number, right: Number) -> bool:
        """left < right."""
        return bool(left < right)

    def project(self, W: Array, radius: Number) -> None:
        """Replace W by the nearest point of {||W||_F <= radius}."""
        largest = float(np.abs(W).max())
        if largest > 0:
            scaled = float(np.linalg.norm(W / largest))
            norm = largest * scaled  # infinite beyond the range of doubles
            if norm > radius:
                if math.isinf(norm):
                    W /= largest
                    norm = scaled
                W *= radius / norm


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


def require_finite(*arrays: Array) -> None:
    """OverflowError if something that a learner is about to remember leaves the range of doubles."""
    if not all(np.asarray(array).dtype == object or np.isfinite(array).all() for array in arrays):
        raise OverflowError("the weights overflow: scale the features")
