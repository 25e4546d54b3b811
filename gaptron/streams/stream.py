"""A stream: rounds in the order in which a learner meets them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gaptron.streams import features
from gaptron.streams.errors import StreamError
from gaptron.streams.features import Features
from gaptron.streams.labels import Label, Where, classes_of, first_seen


@dataclass(frozen=True, eq=False)
class Stream:
    """T rounds: features ``X`` of shape (T, d), labels ``y`` of shape (T,) in 0..K-1, and what the labels stand for.

    ``X`` is an array of doubles, or a ``scipy.sparse.csr_array`` if a SciPy sparse matrix was given; ``classes`` has
    K >= 2 names.

    Raises
    ------
    StreamError
        If T = 0, d = 0, a shape is not as above, a feature is not finite, the features are so large or small that
        1/X^2 leaves the range of doubles, a label is not in 0..K-1, or K < 2.
    """

    name: str
    X: Features
    y: NDArray[np.int64]
    classes: tuple[str, ...]

    def __post_init__(self) -> None:
        X = features.checked(self.name, self.X)
        features.check_range(self.name, features.largest_entry(X))
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "y", _checked_labels(self.name, self.y, X.shape[0], len(self.classes)))

    @property
    def n_rounds(self) -> int:
        """T."""
        return len(self.y)

    @property
    def n_features(self) -> int:
        """d."""
        return int(self.X.shape[1])

    @property
    def n_classes(self) -> int:
        """K."""
        return len(self.classes)

    @property
    def feature_norm(self) -> float:
        """The largest ||x_t||; 1 if all features are zero."""
        return float(features.norms(self.X).max()) or 1.0

    def first(self, rounds: int | None) -> "Stream":
        """The first ``rounds`` rounds, with the same classes; all of them if they are fewer."""
        return replace(self, X=self.X[:rounds], y=self.y[:rounds])

    def with_bias(self) -> "Stream":
        """The same stream with a constant feature 1."""
        return Stream(self.name, features.appended_ones(self.X), self.y, self.classes)

    def scaled(self) -> "Stream":
        """The same stream with features divided by the largest norm: ||x_t|| <= 1."""
        return Stream(self.name, features.divided(self.X, self.feature_norm), self.y, self.classes)


def stream(name: str, X: Any, labels: Sequence[Label], lines: Sequence[int] | None = None) -> Stream:
    """A stream from features and raw labels, which are numbered in sorted order: by value if all are numbers.

    Labels that are the same number, as 1, +1 and 1.0, are the same class. ``lines`` says where the rounds stand in
    their file.

    Raises
    ------
    StreamError
        If there are no rounds, fewer than two classes, no features, a feature or a label is not finite, or the
        features are so large or small that 1/X^2 leaves the range of doubles.
    """
    if len(labels) == 0:
        raise StreamError(f"{name}: holds no rounds")
    if X.shape[1:] == (0,):
        raise StreamError(f"{name}: holds no features beside the label")
    seen: dict[Label, str] = {}
    where = place_of(name, lines)
    first_seen(labels, where, seen)
    classes = classes_of(name, seen)
    return Stream(name, X, classes.codes(labels, where), classes.names)


def place_of(name: str, lines: Sequence[int] | None, begin: int = 0) -> Where:
    """What an error calls the label of a round: by its line, or by its number from 1 after ``begin`` others."""
    if lines is None:
        return lambda t: f"{name}: the label of round {begin + t + 1}"
    return lambda t: f"{name}:{lines[t]}: the label"


def _checked_labels(name: str, labels: Any, n_rounds: int, n_classes: int) -> NDArray[np.int64]:
    y = np.asarray(labels)
    if n_rounds == 0:
        raise StreamError(f"{name}: holds no rounds")
    if n_classes < 2:
        raise StreamError(f"{name}: has {n_classes} classes: at least two are needed")
    if y.shape != (n_rounds,):
        raise StreamError(f"{name}: X has {n_rounds} rounds and y has shape {y.shape}: ({n_rounds},) is needed")
    if y.dtype.kind not in "iu":
        raise StreamError(f"{name}: the labels have type {y.dtype}: integers in 0..{n_classes - 1} are needed")
    outside = np.flatnonzero((y < 0) | (y >= n_classes))
    if outside.size:
        t = int(outside[0])
        raise StreamError(f"{name}: the label of round {t + 1} is {y[t]}, not one of 0..{n_classes - 1}")
    return y.astype(np.int64, copy=False)
