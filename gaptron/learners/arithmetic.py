"""The numbers a learner computes with: doubles here, exact ones in ``gaptron.learners.exact_rounds``."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gaptron.numbers.kinds import Number
from gaptron.system import checks
from gaptron.system.checks import Given

Array = NDArray[Any]


class Arithmetic(Protocol):
    """What a round needs beside + - * / and what differs between doubles, fractions and balls."""

    dtype: type

    def number(self, value: Number) -> Number:
        """``value`` as a number of this kind."""

    def zeros(self, shape: tuple[int, ...]) -> Array:
        """An array of zeros."""

    def array(self, values: Given, argument: str, shape: tuple[int, ...]) -> Array:
        """``values`` as an array of finite numbers of this kind and of this shape."""

    def scores(self, W: Array, x: Array) -> Array:
        """W x."""

    def top(self, scores: Array) -> int:
        """The lowest index among the largest scores."""

    def is_less(self, left: Number, right: Number) -> bool:
        """left < right."""

    def project(self, W: Array, radius: Number) -> None:
        """Replace W by the nearest point of {||W||_F <= radius}."""


class DoubleArrays:
    """IEEE doubles in NumPy arrays."""

    dtype: type = float

    def number(self, value: Number) -> float:
        """``value`` as a Python float."""
        return float(value)

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
        bounded: Array = direction * (1e300 / np.abs(direction).max())
        return bounded

    def top(self, scores: Array) -> int:
        """The lowest index among the largest scores."""
        return int(scores.argmax())

    def is_less(self, left: float, right: float) -> bool:
        """left < right."""
        return left < right

    def project(self, W: Array, radius: float) -> None:
        """Replace W by the nearest point of {||W||_F <= radius}."""
        largest = np.abs(W).max()
        if largest > 0:
            norm = largest * np.linalg.norm(W / largest)
            if norm > radius:
                W *= radius / norm
