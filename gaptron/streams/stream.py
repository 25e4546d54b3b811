"""A stream: rounds in the order in which a learner meets them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

SMALLEST, LARGEST = 1e-100, 1e100
SHOWN = 40


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
        scale = float(np.abs(self.X).max())
        return scale * float(np.linalg.norm(self.X / scale, axis=1).max()) if scale > 0 else 1.0

    def with_bias(self) -> "Stream":
        """The same stream with a constant feature 1."""
        return Stream(self.name, np.hstack([self.X, np.ones((len(self.X), 1))]), self.y, self.classes)


def stream(
    name: str, X: NDArray[np.float64], labels: Sequence[bool | float | str], lines: Sequence[int] | None = None
) -> Stream:
    """A stream from features and raw labels, which are numbered in sorted order: by value if all are numbers.

    Labels that are the same number, as 1, +1 and 1.0, are the same class. ``lines`` says where the rounds stand in
    their file.

    Raises
    ------
    StreamError
        If there are no rounds, fewer than two classes, no features, a feature or a label is not finite, or the
        features are so large or small that 1/X^2 leaves the range of doubles.
    """
    if len(X) == 0:
        raise StreamError(f"{name}: holds no rounds")
    if X.shape[1] == 0:
        raise StreamError(f"{name}: holds no features beside the label")
    _check_features(name, X)
    found = _as_numbers(labels) or [str(label) for label in labels]
    for t, label in enumerate(found):
        if isinstance(label, float) and not math.isfinite(label):
            where = f"{name}:{lines[t]}: the label" if lines else f"{name}: the label of round {t + 1}"
            raise StreamError(f"{where} is {label}, not a finite number")
    classes = sorted(dict.fromkeys(found))
    if len(classes) < 2:
        raise StreamError(f"{name}: all labels are {shown(str(classes[0]))}: at least two classes are needed")
    index = {label: k for k, label in enumerate(classes)}
    return Stream(name, X, np.array([index[label] for label in found]), tuple(map(str, classes)))


def shown(text: str) -> str:
    """The text in quotes, cut if it is long."""
    quoted = repr(text)
    return quoted if len(quoted) <= SHOWN else quoted[: SHOWN - 3] + "..."


def number(text: str) -> int | float | None:
    """The number that a text writes, which may be nan or infinite; None if it writes none."""
    if "_" in text:
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return None


def _as_numbers(labels: Sequence[Any]) -> list[Any]:
    """Every label as a number; empty if one of them is not a number."""
    numbers = [number(label) if isinstance(label, str) else label for label in labels]
    return [] if None in numbers else numbers


def _check_features(name: str, X: NDArray[np.float64]) -> None:
    bad = np.argwhere(~np.isfinite(X))
    if len(bad):
        row, column = bad[0]
        raise StreamError(f"{name}: feature {column + 1} of round {row + 1} is {X[row, column]}, not a finite number")
    largest = float(np.abs(X).max())
    if largest > 0 and not SMALLEST <= largest <= LARGEST:
        raise StreamError(
            f"{name}: the largest feature is {largest:g} in absolute value: "
            f"scale the features to between {SMALLEST:g} and {LARGEST:g}"
        )
