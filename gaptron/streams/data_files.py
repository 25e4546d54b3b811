"""Streams from files: CSV and TSV, LibSVM, and NumPy's npy and npz."""

import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from gaptron.streams import csv_files, libsvm, numpy_files
from gaptron.streams.blocks import Block, settled, stays_sparse
from gaptron.streams.errors import StreamError, one_sentence
from gaptron.streams.features import is_sparse
from gaptron.streams.stream import Stream, stream

Reader = Callable[[Path, int | None], Iterator[Block]]


def read(file: Path, label_column: str | None = None) -> Stream:
    """The stream in a file, by its ending.

    ``label_column`` is a name of the header or a number from 0 (negative from the end), for CSV and TSV only; the
    last column by default. The features of a LibSVM file are sparse if they are more than 10^6 numbers (8 MB) of which
    less than 10 % stand in the file, dense otherwise.

    Raises
    ------
    StreamError
        If the file cannot be read or is not what its ending says.
    """
    found = next(blocks(file, label_column), None)
    if found is None:
        raise StreamError(f"{file}: holds no rounds")
    keep = is_sparse(found.X) and stays_sparse(len(found.labels), found.X.shape[1], found.X.nnz)
    with one_sentence(file):
        return stream(str(file), settled(found.X, found.X.shape[1], keep), found.labels, found.lines)


def blocks(file: Path, label_column: str | None = None, size: int | None = None) -> Iterator[Block]:
    """The rounds of a file, ``size`` at a time: all in one block if it is None, and no block if there are none.

    Raises
    ------
    StreamError
        If the file cannot be read or is not what its ending says.
    """
    ending = file.suffix.lower()
    readers: dict[str, Reader] = {
        **dict.fromkeys(csv_files.DELIMITERS, lambda path, size: csv_files.blocks(path, label_column, size)),
        ".npy": numpy_files.npy_blocks,
        ".npz": numpy_files.npz_blocks,
        **dict.fromkeys((".libsvm", ".svm", ".svmlight", ".txt"), libsvm.blocks),
    }
    with one_sentence(file):
        _check_kind(file, ending, tuple(readers), label_column)
        yield from readers[ending](file, size)


def _check_kind(file: Path, ending: str, endings: tuple[str, ...], label_column: str | None) -> None:
    if file.is_dir():
        raise StreamError(f"{file}: is a folder")
    if not stat.S_ISREG(file.stat().st_mode):
        raise StreamError(f"{file}: is no regular file: only these can be read twice")
    if ending not in endings:
        raise StreamError(f"{file}: the ending {ending!r} is none of {', '.join(endings)}")
    if label_column is not None and ending not in csv_files.DELIMITERS:
        raise StreamError(f"{file}: --label-column {label_column} goes with CSV and TSV files only")
