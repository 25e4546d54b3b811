"""Features of rounds, dense or sparse: what may stand in them, and their norms."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gaptron.streams.errors import StreamError
from gaptron.system import checks

Features = Any  # a (T, d) array of doubles, or a scipy.sparse.csr_array of doubles of that shape

SMALLEST, LARGEST = 1e-100, 1e100
ROUNDING = 1e-12


def checked(name: str, X: Any, begin: int = 0) -> Features:
    """``X`` as a (T, d) array of doubles or a canonical ``csr_array`` of doubles; ``begin`` rounds came before it.

    Raises
    ------
    StreamError
        If it has another shape or holds something else than finite numbers.
    """
    array: Any = sparse.csr_array(X) if is_sparse(X) and X.ndim == 2 else _plain(name, X)
    if array.dtype.kind not in "biuf":
        raise StreamError(f"{name}: the features have type {array.dtype}: numbers are needed")
    if array.ndim != 2 or array.shape[1] == 0:
        raise StreamError(f"{name}: the features have shape {array.shape}: (T, d) is needed, with d >= 1")
    with np.errstate(over="ignore"):
        array = array.astype(float, copy=False)
    array = _canonical(name, array) if is_sparse(array) else array
    _check_finite(name, array, begin)
    return array


def is_sparse(X: Any) -> bool:
    """Whether ``X`` is a SciPy sparse matrix or array."""
    return bool(sparse.issparse(X))


def largest_entry(X: Features) -> float:
    """max |x_ti|; 0 if there is none."""
    entries = X.data if is_sparse(X) else X
    return float(max(-entries.min(), entries.max(), 0.0)) if entries.size else 0.0


def check_range(name: str, largest: float) -> None:
    """Refuse features whose largest entry in absolute value is so large or small that 1/X^2 is not a double."""
    if largest > 0 and not SMALLEST <= largest <= LARGEST:
        raise StreamError(
            f"{name}: the largest feature is {largest:g} in absolute value: "
            f"scale the features to between {SMALLEST:g} and {LARGEST:g}"
        )


def norms(X: Features) -> NDArray[np.float64]:
    """||x_t|| of every round, shape (T,), for features in the range of ``check_range``."""
    squares: Any = X.multiply(X).sum(axis=1) if is_sparse(X) else np.einsum("ti,ti->t", X, X)
    return np.asarray(np.sqrt(np.asarray(squares, dtype=float)))


def check_norm(X: Any, bound: float, name: str = "X") -> None:
    """Refuse features of which a round is longer than ``bound``, up to rounding (one in 10^12).

    Parameters
    ----------
    X : (T, d) array or SciPy sparse matrix of finite numbers
    bound : number > 0
        The X of the theorems: ||x_t|| <= bound.
    name : str
        What the error calls the stream.

    Raises
    ------
    StreamError
        If a norm exceeds the bound: the first such round, from 1, and its norm are named; or if the features are not
        as above.
    """
    checks.positive(bound, "bound", infinite=True)
    features = checked(name, X)
    check_range(name, largest_entry(features))
    lengths = norms(features)
    above = np.flatnonzero(lengths > bound * (1 + ROUNDING))
    if above.size:
        raise StreamError(f"{name}: round {above[0] + 1} has norm {lengths[above[0]]:g}: at most {bound:g} is allowed")


def appended_ones(X: Features) -> Features:
    """``X`` with a last feature that is always 1."""
    ones = np.ones((X.shape[0], 1))
    return sparse.hstack([X, sparse.csr_array(ones)], format="csr") if is_sparse(X) else np.hstack([X, ones])


def divided(X: Features, divisor: float) -> Features:
    """``X / divisor``, rounded alike for dense and sparse features."""
    return sparse.csr_array((X.data / divisor, X.indices, X.indptr), shape=X.shape) if is_sparse(X) else X / divisor


def shortened(X: Features, norm: float) -> Features:
    """``X`` with every row that is longer than ``norm`` divided down to that length."""
    lengths = norms(X)
    factors = np.divide(norm, lengths, out=np.ones_like(lengths), where=lengths > norm)
    if is_sparse(X):
        data = X.data * np.repeat(factors, np.diff(X.indptr))
        return sparse.csr_array((data, X.indices, X.indptr), shape=X.shape)
    return X * factors[:, None]


def _plain(name: str, X: Any) -> NDArray[Any]:
    if is_sparse(X):
        raise StreamError(f"{name}: the features have shape {X.shape}: (T, d) is needed, with d >= 1")
    try:
        return np.asarray(X)
    except ValueError as error:
        raise StreamError(f"{name}: the features are not an array of shape (T, d): {error}") from error


def _canonical(name: str, X: Any) -> Any:
    """Sorted indices, none twice; a copy if they are not so yet."""
    try:
        X.check_format(full_check=True)
    except ValueError as error:
        raise StreamError(f"{name}: the features are not a sparse matrix of shape {X.shape}: {error}") from error
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def _check_finite(name: str, X: Features, begin: int) -> None:
    entries = X.data if is_sparse(X) else X
    finite = np.isfinite(entries)
    if finite.all():
        return
    where = np.argwhere(~finite)[0]
    row, column = _cell(X, int(where[0])) if is_sparse(X) else (int(where[0]), int(where[1]))
    raise StreamError(
        f"{name}: feature {column + 1} of round {begin + row + 1} is {entries[tuple(where)]}, not a finite number"
    )


def _cell(X: Any, entry: int) -> tuple[int, int]:
    """The row and the column of the ``entry``-th stored entry."""
    return int(np.searchsorted(X.indptr, entry, side="right")) - 1, int(X.indices[entry])
