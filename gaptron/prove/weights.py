"""Weights of columns by linear programming, in floats: which of them may add up to zero.

A solution is a hint: whoever asks solves it again exactly, or checks it.
"""

import time
from dataclasses import dataclass
from math import inf

import numpy as np
from scipy.optimize import Bounds, OptimizeResult, milp
from scipy.sparse import coo_array, csr_array

from gaptron.prove.columns import ColumnBlock


@dataclass(frozen=True)
class _Table:
    """The entries of all columns: their rows (monomials), places (columns) and values."""

    rows: np.ndarray
    places: np.ndarray
    values: np.ndarray
    height: int
    strict: np.ndarray
    costs: np.ndarray


def cheapest_weights(blocks: list[ColumnBlock], deadline: float) -> np.ndarray | None:
    """Weights >= 0 with weighted sum zero, those of strict columns with sum one; None if there are none.

    Raises
    ------
    TimeoutError
        If they were not found before the deadline, in process time.
    """
    table = _table(blocks)
    kept = _balanced(table)
    if not table.strict[kept].any():
        return None
    matrix = _matrix(table, kept)
    used = np.diff(matrix.indptr) > 0
    target = np.zeros(table.height + 1)
    target[-1] = 1.0
    seconds = max(0.01, deadline - time.process_time())
    found = least_sum(table.costs[kept], matrix[used], target[used], target[used], seconds=seconds)
    if found.status == 1:
        raise TimeoutError
    if found.status != 0:
        return None
    weights = np.zeros(len(kept))
    weights[kept] = found.x
    return weights


def _table(blocks: list[ColumnBlock]) -> _Table:
    lengths = np.array([len(block) for block in blocks])
    widths = np.array([block.keys.shape[1] for block in blocks])
    monomials, rows = np.unique(np.concatenate([block.keys.ravel() for block in blocks]), return_inverse=True)
    return _Table(
        rows,
        np.repeat(np.arange(lengths.sum()), np.repeat(widths, lengths)),
        np.concatenate([np.outer(block.signs, block.values).ravel() for block in blocks]),
        len(monomials),
        np.concatenate([block.strict for block in blocks]),
        np.concatenate([block.costs for block in blocks]),
    )


def _balanced(table: _Table) -> np.ndarray:
    """Which columns can have a weight: not one with a monomial that only columns of the same sign have."""
    kept = np.ones(len(table.costs), dtype=bool)
    while True:
        inside = kept[table.places]
        above = np.bincount(table.rows[inside & (table.values > 0)], minlength=table.height)
        below = np.bincount(table.rows[inside & (table.values < 0)], minlength=table.height)
        alone = inside & ((above == 0) | (below == 0))[table.rows]
        if not alone.any():
            return kept
        kept[table.places[alone]] = False


def _matrix(table: _Table, kept: np.ndarray) -> csr_array:
    """The columns that are kept; the last row counts the strict ones."""
    inside, strict = kept[table.places], np.flatnonzero(table.strict & kept)
    places = np.cumsum(kept) - 1
    rows = np.append(table.rows[inside], np.full(len(strict), table.height))
    columns = np.append(places[table.places[inside]], places[strict])
    values = np.append(table.values[inside], np.ones(len(strict)))
    return coo_array((values, (rows, columns)), shape=(table.height + 1, int(kept.sum()))).tocsr()


def least_sum(
    costs: np.ndarray,
    rows: np.ndarray | csr_array,
    low: np.ndarray | float,
    high: np.ndarray | float,
    least: float = 0.0,
    seconds: float = inf,
) -> OptimizeResult:
    """x >= ``least`` with ``low`` <= rows x <= ``high`` and the smallest sum of costs, if ``status`` is 0.

    ``status`` 1 says that the time was up. ``milp`` without integers solves what ``linprog`` does, in half the time.
    """
    box = Bounds(least, inf)
    return milp(costs, constraints=(rows, low, high), bounds=box, options={"time_limit": seconds})
