"""The streams on which learners are timed side by side."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from gaptron.streams.synthetic import synsep


@dataclass(frozen=True)
class Timed:
    """T rounds: ``X`` of shape (T, d), dense or CSR; ``y`` of shape (T,) in 0..K-1; ``feature_norm`` bounds ||x||."""

    name: str
    X: Any
    y: np.ndarray
    n_classes: int
    feature_norm: float

    def first(self, n_rounds: int) -> "Timed":
        """The first rounds, or all if there are fewer."""
        return Timed(self.name, self.X[:n_rounds], self.y[:n_rounds], self.n_classes, self.feature_norm)

    def rows(self) -> list[list[tuple[int, float]]]:
        """Each round's non-zero features."""
        X = sp.csr_array(self.X)
        pairs = list(zip(X.indices.tolist(), X.data.tolist(), strict=True))
        return [pairs[a:b] for a, b in zip(X.indptr, X.indptr[1:], strict=False)]


def streams(scale: float) -> list[Timed]:
    """SynSep, sparse and dense; a sparse stream with many features; and a small dense one; shorter by ``scale``."""
    few, many = int(20_000 * scale), int(100_000 * scale)
    syn = synsep(few, 0, sparse=True)
    bits = _narrow(sp.csr_array(syn.X, dtype=float))
    return [
        Timed("A", bits, syn.y, 9, 55**0.5),
        Timed("A dense", bits.toarray(), syn.y, 9, 55**0.5),
        wide(few),
        small(many),
    ]


def wide(n_rounds: int, d: int = 47_236, nonzeros: int = 70, n_classes: int = 4) -> Timed:
    """The shape of RCV1: rows of norm one with few of many features; labels of a linear classifier."""
    rng = np.random.default_rng(1)
    columns = (rng.integers(0, d, size=(n_rounds, nonzeros)) // nonzeros * nonzeros + np.arange(nonzeros)) % d
    ends = np.arange(0, n_rounds * nonzeros + 1, nonzeros)
    X = sp.csr_array((np.full(columns.size, nonzeros**-0.5), np.sort(columns, axis=1).ravel(), ends), (n_rounds, d))
    X.sum_duplicates()
    X = _narrow(X)
    return Timed("B", X, _labels(rng, X, n_classes), n_classes, 2.0)


def small(n_rounds: int, d: int = 16, n_classes: int = 3) -> Timed:
    """Directions, all as likely; labels of a linear classifier."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(n_rounds, d))
    X /= np.linalg.norm(X, axis=1)[:, None]
    return Timed("C", X, _labels(rng, X, n_classes), n_classes, 1.0)


def _narrow(X: sp.csr_array) -> sp.csr_array:
    """With 32-bit indices, as scikit-learn wants them."""
    return sp.csr_array((X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), X.shape)


def _labels(rng: np.random.Generator, X: Any, n_classes: int) -> np.ndarray:
    return np.asarray((X @ rng.normal(size=(X.shape[1], n_classes))).argmax(axis=1))
