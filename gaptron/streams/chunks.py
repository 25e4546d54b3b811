"""Streams that need not fit into memory, a few rounds at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gaptron.streams import features
from gaptron.streams.blocks import Block, settled, stays_sparse
from gaptron.streams.bundled import NAMES, bundled
from gaptron.streams.data_files import blocks
from gaptron.streams.errors import StreamError
from gaptron.streams.features import Features
from gaptron.streams.labels import Label, LabelClasses, classes_of, first_seen, given_classes
from gaptron.system import checks

Pass = Callable[[], Iterator[Block]]


@dataclass(frozen=True, eq=False)
class Chunks:
    """A stream in chunks of ``size`` rounds: iterating gives (X, y), shapes (size, d) and (size,), as often as wanted.

    Every iteration reads the file once more. The last chunk may be shorter.

    Attributes
    ----------
    name : str
    size : int
    classes : tuple of str
        What the labels 0..K-1 stand for.
    n_rounds, n_features : int
        T and d of the whole stream.
    feature_norm : float
        The largest ||x_t||; 1 if all features are zero.
    """

    name: str
    size: int
    n_rounds: int
    n_features: int
    feature_norm: float
    _coded: LabelClasses
    _sparse: bool
    _pass: Pass
    _divisor: float = 1.0

    @property
    def classes(self) -> tuple[str, ...]:
        """What the labels 0..K-1 stand for."""
        return self._coded.names

    @property
    def n_classes(self) -> int:
        """K."""
        return len(self.classes)

    def __iter__(self) -> Iterator[tuple[Features, NDArray[np.int64]]]:
        for block in self._pass():
            if block.X.shape[1] > self.n_features:
                raise StreamError(f"{self.name}: has changed: it had {self.n_features} features")
            X = settled(block.X, self.n_features, self._sparse)
            yield (
                features.divided(X, self._divisor) if self._divisor != 1 else X,
                self._coded.codes(block.labels, block.where),
            )

    def scaled(self) -> "Chunks":
        """The same chunks with features divided by the largest norm: ||x_t|| <= 1."""
        return replace(self, feature_norm=1.0, _divisor=self._divisor * self.feature_norm)


def chunks(
    source: Path | str, size: int, *, label_column: str | None = None, classes: Sequence[Label] | None = None,
    arrived: Callable[[int], None] = lambda rounds: None,
) -> Chunks:  # fmt: skip
    """The stream in a file, or the bundled one of that name, in chunks of ``size`` rounds.

    A first pass checks every round and finds the classes, T, d and the largest norm. It needs memory for one chunk and
    the classes, as every later pass does (a bundled stream is in memory anyway).

    Parameters
    ----------
    source : path or str
        One of ``NAMES``, or a CSV, TSV, LibSVM or npy file; an npy file is mapped into memory.
    size : int >= 1
    label_column : str or None
        As for ``read``.
    classes : sequence of labels, or None
        What the labels 0..K-1 stand for; by default the labels in the file, sorted.
    arrived : callable
        Told, during the first pass, how many rounds have been checked.

    Raises
    ------
    StreamError
        As ``read`` does; if a label is none of ``classes``; or, from a later pass, if the file has changed.
    ValueError
        If ``size`` or ``classes`` is not as above.
    """
    checks.integer(size, "size", 1)
    name = str(source)
    rounds = _bundled(name, size, label_column) if name in NAMES else lambda: blocks(Path(source), label_column, size)
    given = None if classes is None else given_classes(classes)
    seen: dict[Label, str] = {}
    T = d = entries = 0
    largest = norm = 0.0
    for block in rounds():
        if block.X.shape[1] > 0:
            X = features.checked(name, block.X, T)
            d, entries = max(d, X.shape[1]), entries + (X.nnz if features.is_sparse(X) else X.size)
            largest = max(largest, features.largest_entry(X))
            with np.errstate(over="ignore"):
                norm = max(norm, float(features.norms(X).max()))
        if given is None:
            first_seen(block.labels, block.where, seen)
        else:
            given.codes(block.labels, block.where)
        T += len(block.labels)
        arrived(T)
    if T == 0:
        raise StreamError(f"{name}: holds no rounds")
    if d == 0:
        raise StreamError(f"{name}: holds no features beside the label")
    features.check_range(name, largest)
    return Chunks(name, size, T, d, norm or 1.0, given or classes_of(name, seen), stays_sparse(T, d, entries), rounds)


def _bundled(name: str, size: int, label_column: str | None) -> Pass:
    if label_column is not None:
        raise StreamError(f"{name}: --label-column {label_column} goes with CSV and TSV files only")
    found = bundled(name)
    labels = [found.classes[k] for k in found.y]

    def rounds() -> Iterator[Block]:
        for begin in range(0, found.n_rounds, size):
            part = slice(begin, begin + size)
            yield Block(name, found.X[part], labels[part], begin=begin)

    return rounds
