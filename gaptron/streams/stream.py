"""A stream: rounds in the order in which a learner meets them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


class StreamError(ValueError):
    """A stream that cannot be read: one sentence that names the file, the line and the value."""


@dataclass(frozen=True, eq=False)
class Stream:
    """T rounds: features ``X`` of shape (T, d), labels ``y`` of shape (T,) in 0..K-1, and what the labels stand for."""

    name: str
    X: NDArray[np.float64]
    y: NDArray[np.int64]
    classes: tuple[str, ...]

    @property
    def feature_norm(self) -> float:
        """The largest ||x_t||; 1 if all features are zero."""
        return float(np.linalg.norm(self.X, axis=1).max()) or 1.0

    def with_bias(self) -> "Stream":
        """The same stream with a constant feature 1."""
        return Stream(self.name, np.hstack([self.X, np.ones((len(self.X), 1))]), self.y, self.classes)


def stream(name: str, X: NDArray[np.float64], labels: Sequence[Any]) -> Stream:
    """A stream from features and raw labels, which are numbered in sorted order (by value if all are numbers).

    Raises
    ------
    StreamError
        If there are no rounds, fewer than two classes, no features, or a feature is not finite.
    """
    if len(X) == 0:
        raise StreamError(f"{name}: holds no rounds")
    if X.shape[1] == 0:
        raise StreamError(f"{name}: holds no features beside the label")
    bad = np.argwhere(~np.isfinite(X))
    if len(bad):
        row, column = bad[0]
        raise StreamError(f"{name}: feature {column + 1} of round {row + 1} is {X[row, column]}, not a finite number")
    values = _sorted(set(labels))
    if len(values) < 2:
        raise StreamError(f"{name}: all labels are {str(values[0])!r}: at least two classes are needed")
    number = {value: k for k, value in enumerate(values)}
    return Stream(name, X, np.array([number[label] for label in labels]), tuple(map(str, values)))


def _sorted(values: set[Any]) -> list[Any]:
    try:
        return sorted(values, key=float)
    except ValueError:
        return sorted(values, key=str)
