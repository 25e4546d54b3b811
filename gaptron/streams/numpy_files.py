"""NumPy's npy and npz files; never a pickle, which could run code."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gaptron.streams.blocks import Block
from gaptron.streams.errors import StreamError


def npy_blocks(file: Path, size: int | None) -> Iterator[Block]:
    """The rounds of one array whose last column is the label; mapped into memory if ``size`` is not None.

    Raises
    ------
    StreamError
        If the file holds something else than an array of numbers of shape (T, d + 1).
    """
    table = loaded(file, (), mapped=size is not None)
    if not isinstance(table, np.ndarray):
        raise StreamError(f"{file}: holds several arrays: call it .npz")
    if table.ndim != 2 or table.shape[1] == 0:
        raise StreamError(f"{file}: holds an array of shape {table.shape}: two dimensions, the label last, are needed")
    step = size or max(1, len(table))
    for begin in range(0, len(table), step):
        rows = table[begin : begin + step]
        yield Block(str(file), _features(file, rows[:, :-1]), _labels(file, rows[:, -1]), begin=begin)


def npz_blocks(file: Path, size: int | None) -> Iterator[Block]:
    """The rounds of arrays X (T, d) and y (T,), in one block.

    Raises
    ------
    StreamError
        If the file holds something else, or ``size`` is not None: a compressed file is not read in parts.
    """
    if size is not None:
        raise StreamError(f"{file}: cannot be read in chunks: save the rounds as .npy, the label in the last column")
    arrays = loaded(file, ("X", "y"))
    if isinstance(arrays, np.ndarray):
        raise StreamError(f"{file}: holds one array: call it .npy")
    for name in ("X", "y"):
        if name not in arrays:
            raise StreamError(f"{file}: holds no array {name!r}: X and y are needed")
    X, y = arrays["X"], arrays["y"]
    if X.ndim != 2 or y.shape != (len(X),):
        raise StreamError(f"{file}: X has shape {X.shape} and y {y.shape}: (T, d) and (T,) are needed")
    yield Block(str(file), _features(file, X), _labels(file, y))


def loaded(file: Path, names: tuple[str, ...], *, mapped: bool = False) -> NDArray[Any] | dict[str, NDArray[Any]]:
    """The array of an npy file, or those of an npz file that have one of the names.

    Raises
    ------
    StreamError
        If the file is neither, or holds pickled objects.
    """
    with file.open("rb") as opened, warnings.catch_warnings(action="ignore"):
        try:
            found = np.load(file, mmap_mode="r", allow_pickle=False) if mapped else np.load(opened, allow_pickle=False)
            if isinstance(found, np.ndarray):
                return found
            return {name: np.asarray(found[name]) for name in names if name in found}
        except MemoryError:
            raise
        except Exception as error:  # NumPy and zlib raise what they like on broken bytes
            said = " ".join(str(error).split()) or type(error).__name__
            text = "it is broken, or holds pickled objects" if isinstance(error, ValueError) else said
            raise StreamError(f"{file}: is not a NumPy file of plain numbers: {text}") from error


def _features(file: Path, array: NDArray[Any]) -> NDArray[np.float64]:
    if array.dtype.kind not in "biuf":
        raise StreamError(f"{file}: the features have type {array.dtype}: numbers are needed")
    with np.errstate(over="ignore"):
        return array.astype(float)


def _labels(file: Path, array: NDArray[Any]) -> list[Any]:
    if array.dtype.kind not in "biufUS":
        raise StreamError(f"{file}: the labels have type {array.dtype}: numbers or text are needed")
    plain = {"S": str, "f": float}.get(array.dtype.kind, array.dtype)
    with np.errstate(over="ignore"):
        return list(array.astype(plain).tolist())
