"""Consecutive rounds as a file gives them, and what becomes of their sparse features."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from scipy import sparse

from gaptron.streams.features import Features, is_sparse
from gaptron.streams.labels import Label, Where
from gaptron.streams.stream import place_of

SPARSE_FROM = 10**6
DENSEST = 0.1
Item = TypeVar("Item")


@dataclass(frozen=True, eq=False)
class Block:
    """T rounds after ``begin`` others: features (T, d), T raw labels, and the lines of the file that they are in."""

    name: str
    X: Features
    labels: Sequence[Label]
    lines: Sequence[int] | None = None
    begin: int = 0

    @property
    def where(self) -> Where:
        """What an error calls the label of the t-th of these rounds."""
        return place_of(self.name, self.lines, self.begin)


def batches(items: Iterator[Item], size: int | None) -> Iterator[list[Item]]:
    """Lists of ``size`` consecutive items, the last one shorter; one list of all of them if ``size`` is None."""
    while batch := list(islice(items, size)):
        yield batch


def stays_sparse(n_rounds: int, n_features: int, entries: int) -> bool:
    """Whether sparse features are kept so: more than 10^6 numbers (8 MB), of which less than 10 % are stored."""
    numbers = n_rounds * n_features
    return numbers > SPARSE_FROM and entries < DENSEST * numbers


def settled(X: Features, n_features: int, keep: bool) -> Features:
    """``X`` with ``n_features`` columns; dense unless ``keep``."""
    if not is_sparse(X):
        return X
    wide: Any = sparse.csr_array((X.data, X.indices, X.indptr), shape=(X.shape[0], n_features))
    return wide if keep else wide.toarray()
