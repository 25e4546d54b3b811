"""Streams whose true outputs are vectors or grades: multilabel and ordinal data by name, and npz files."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gaptron.streams.bundled import NAMES, bundled
from gaptron.streams.errors import StreamError, needed
from gaptron.streams.numpy_files import loaded

Floats = NDArray[np.float64]

ROUNDS = 1000
GRADES = 5


@dataclass(frozen=True, eq=False)
class OutputStream:
    """T rounds: features ``X`` (T, n), true outputs ``Y`` of shape (T, dimension), or (T,) for classes and grades."""

    name: str
    X: Floats
    Y: Floats

    def __post_init__(self) -> None:
        if self.X.ndim != 2 or self.Y.ndim not in (1, 2) or len(self.X) != len(self.Y) or not len(self.X):
            raise StreamError(
                f"{self.name}: X has shape {self.X.shape} and Y {self.Y.shape}: (T, n) and (T,) or (T, dimension) are "
                "needed, T >= 1"
            )
        if not (np.isfinite(self.X).all() and np.isfinite(self.Y).all()):
            raise StreamError(f"{self.name}: a feature or an output is not finite")

    @property
    def feature_norm(self) -> float:
        """The largest ||x_t||; 1 if all features are zero."""
        return float(np.sqrt((self.X**2).sum(axis=1)).max()) or 1.0

    def first(self, rounds: int | None) -> "OutputStream":
        """The first rounds."""
        return replace(self, X=self.X[:rounds], Y=self.Y[:rounds])

    def scaled(self) -> "OutputStream":
        """With features of norm at most 1."""
        return replace(self, X=self.X / self.feature_norm)

    def with_bias(self) -> "OutputStream":
        """With a constant feature 1."""
        return replace(self, X=np.hstack([self.X, np.ones((len(self.X), 1))]))


def output_stream(name: str, rounds: int | None = None, seed: int = 0) -> OutputStream:
    """A stream by its name (those of classes, too), or from a .npz file with arrays X and Y.

    =================  ==========================================================  ================
    name               from                                                        T, n, dimension
    =================  ==========================================================  ================
    multilabel         scikit-learn's make_multilabel_classification               1,000, 20, 5
    yeast              river: functions of proteins, real                          2,417, 103, 14
    diabetes-grades    scikit-learn: progression of a disease in 5 grades, real    442, 10, 4
    =================  ==========================================================  ================

    Raises
    ------
    StreamError
        If the name is unknown, a package is not installed, or a file cannot be used.
    """
    if name in _MAKERS:
        return _MAKERS[name](name, rounds, seed).first(rounds)
    if name in NAMES:
        return _labelled(name, rounds)
    if Path(name).suffix != ".npz":
        raise StreamError(
            f"{name}: is neither a .npz file with X and Y nor one of {', '.join((*OUTPUT_NAMES, *NAMES))}"
        )
    return _from_file(Path(name)).first(rounds)


def _labelled(name: str, rounds: int | None) -> OutputStream:
    """A stream of classes."""
    found = bundled(name).first(rounds)
    X: Any = found.X
    dense = X if isinstance(X, np.ndarray) else X.toarray()
    return OutputStream(name, dense, found.y.astype(float))


def _multilabel(name: str, rounds: int | None, seed: int) -> OutputStream:
    make: Any = needed(name, "sklearn.datasets").make_multilabel_classification
    X, Y = make(n_samples=rounds or ROUNDS, n_features=20, n_classes=5, random_state=seed)
    return OutputStream(name, np.asarray(X, dtype=float), np.asarray(Y, dtype=float))


def _yeast(name: str, rounds: int | None, seed: int) -> OutputStream:
    found = list(needed(name, "river.datasets").Yeast())
    rows = [[list(part.values()) for part in pair] for pair in found]
    return OutputStream(name, np.array([x for x, _ in rows], dtype=float), np.array([y for _, y in rows], dtype=float))


def _diabetes(name: str, rounds: int | None, seed: int) -> OutputStream:
    """Grades 0 to 4 by quintiles of the target."""
    data: Any = needed(name, "sklearn.datasets").load_diabetes()
    cuts = np.quantile(data.target, np.linspace(0, 1, GRADES + 1)[1:-1])
    return OutputStream(name, np.asarray(data.data, dtype=float), np.searchsorted(cuts, data.target).astype(float))


def _from_file(file: Path) -> OutputStream:
    try:
        arrays = loaded(file, ("X", "Y"))
        if isinstance(arrays, np.ndarray) or len(arrays) < 2:
            raise StreamError(f"{file}: holds no arrays X and Y")
        return OutputStream(str(file), arrays["X"].astype(float), arrays["Y"].astype(float))
    except StreamError:
        raise
    except (OSError, ValueError) as error:
        raise StreamError(f"{file}: cannot be read: {' '.join(str(error).split())}") from error


_MAKERS: dict[str, Callable[[str, int | None, int], OutputStream]] = {
    "multilabel": _multilabel,
    "yeast": _yeast,
    "diabetes-grades": _diabetes,
}
OUTPUT_NAMES = tuple(_MAKERS)
