"""A stream as the kernels read it."""

from typing import Any, NamedTuple

import numpy as np

from gaptron.learners.arithmetic import Arithmetic, Array
from gaptron.learners.record import CheckedRows
from gaptron.system import checks
from gaptron.system.checks import Given


class CompiledRounds(NamedTuple):
    """T rounds: ``values`` has T rows of d, one after the other; or what a CSR matrix has in ``columns``."""

    is_dense: bool
    values: Array
    columns: Array
    ends: Array
    labels: Array


class Record(NamedTuple):
    """What ``Run`` keeps of each round; arrays have shape (T,)."""

    wrong: Array
    label_probability: Array
    loss: Array
    off: Array


def rounds_of(X: Given, y: Given, n_classes: int, n_features: int) -> CompiledRounds:
    """The stream, not copied if it has the right types; ValueError as in ``Learner.run``.

    Whether the features are finite is not looked at where that would be one more pass over them: the kernels see it.
    """
    if hasattr(X, "tocsr"):
        rows = _csr(X, n_features)
        values, T = np.ascontiguousarray(rows.data), rows.shape[0]
        columns = np.ascontiguousarray(rows.indices, dtype=np.int32 if n_features < 2**31 else np.int64)
        ends = np.ascontiguousarray(rows.indptr, dtype=np.int64)
    else:
        table = _table(X, n_features)
        values, T = table.reshape(-1), len(table)
        columns, ends = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64)
    arrays = values, columns, ends, _labels(X, y, T, n_classes, n_features)
    return CompiledRounds(ends.size == 0, *map(_read_only, arrays))


def taking_turns(rounds: CompiledRounds, n_features: int, copies: int, first: int) -> CompiledRounds:
    """The same rounds as one learner sees them whose weights are those of ``copies`` side by side, d columns each.

    Round t has its features in the columns of the copy (first + t) mod ``copies``.
    """
    T = len(rounds.labels)
    begins = (first + np.arange(T, dtype=np.int64)) % copies * n_features
    if rounds.is_dense:
        columns, ends = np.tile(np.arange(n_features), T), np.arange(T + 1, dtype=np.int64) * n_features
    else:
        columns, ends = rounds.columns, rounds.ends
    columns = (columns + np.repeat(begins, np.diff(ends))).astype(np.int32 if copies * n_features < 2**31 else np.int64)
    return CompiledRounds(False, rounds.values, _read_only(columns), _read_only(ends), rounds.labels)


def row(rounds: CompiledRounds, t: int, n_features: int) -> Array:
    """The features of round t, shape (d,)."""
    if rounds.is_dense:
        return rounds.values[t * n_features : (t + 1) * n_features]
    x, where = np.zeros(n_features), slice(rounds.ends[t], rounds.ends[t + 1])
    np.add.at(x, rounds.columns[where], rounds.values[where])
    return x


def check_features(X: Given, n_features: int) -> Any:
    """The rows of X; ValueError as in ``Learner.run``."""
    return CheckedRows(X, n_features, Arithmetic()).rows


def _read_only(array: Array) -> Array:
    """What kernels are compiled for: an array that may be written has another type to numba."""
    view = array.view()
    view.flags.writeable = False
    return view


def _table(X: Given, n_features: int) -> Array:
    if isinstance(X, np.ndarray) and X.dtype == np.float64 and X.shape[1:] == (n_features,):
        return np.ascontiguousarray(X)
    return np.ascontiguousarray(check_features(X, n_features))


def _csr(X: Given, n_features: int) -> Any:
    """X as a CSR matrix of doubles, each of which has one column, which exists."""
    rows = X.tocsr()
    if rows.dtype != np.float64 or rows.shape[1:] != (n_features,):
        rows = check_features(X, n_features).astype(np.float64)
    rows.check_format(full_check=True)
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    return rows


def _labels(X: Given, y: Given, T: int, n_classes: int, n_features: int) -> Array:
    labels = np.asarray(y)
    if labels.dtype.kind in "iu" and labels.shape == (T,) and T > 0 and labels.min() >= 0 and labels.max() < n_classes:
        return np.ascontiguousarray(labels, dtype=np.int64)
    check_features(X, n_features)
    return np.array(checks.labels(y, "y", T, n_classes), dtype=np.int64)
