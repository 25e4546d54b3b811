"""Streams from files: CSV and TSV, LibSVM, and NumPy's npy and npz."""

import csv
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gaptron.streams.stream import Stream, StreamError, stream

SHOWN = 40


def read(file: Path, label_column: str | None = None) -> Stream:
    """The stream in a file, by its ending.

    ``label_column`` is a name of the header or a number from 0 (negative from the end), for CSV and TSV only; the
    last column by default.

    Raises
    ------
    StreamError
        If the file cannot be read or is not what its ending says.
    """
    readers: dict[str, Callable[[Path], Stream]] = {
        ".csv": lambda path: _delimited(path, ",", label_column),
        ".tsv": lambda path: _delimited(path, "\t", label_column),
        ".npy": _npy,
        ".npz": _npz,
        **dict.fromkeys((".libsvm", ".svm", ".svmlight", ".txt"), _libsvm),
    }
    reader = readers.get(file.suffix.lower())
    if reader is None:
        raise StreamError(f"{file}: the ending {file.suffix!r} is none of {', '.join(readers)}")
    if label_column is not None and file.suffix.lower() not in (".csv", ".tsv"):
        raise StreamError(f"{file}: --label-column {label_column} goes with CSV and TSV files only")
    try:
        return reader(file)
    except FileNotFoundError as error:
        raise StreamError(f"{file}: does not exist") from error
    except IsADirectoryError as error:
        raise StreamError(f"{file}: is a folder") from error
    except OSError as error:
        raise StreamError(f"{file}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise StreamError(f"{file}: is not text in UTF-8") from error


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def _number(text: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise StreamError(f"{where} is {_shown(text)}, not a finite number")
    return value


def _delimited(file: Path, delimiter: str, label_column: str | None) -> Stream:
    with file.open(newline="", encoding="utf-8-sig") as lines:
        rows = list(_rows(file, csv.reader(lines, delimiter=delimiter)))
    if not rows:
        raise StreamError(f"{file}: is empty")
    names = rows[0][1] if _is_header(rows[0][1]) else None
    if names is not None:
        rows = rows[1:]
    width = len(names) if names is not None else len(rows[0][1])
    column = _label_column(file, label_column, names, width)
    features, labels = [], []
    for line, row in rows:
        if len(row) != width:
            raise StreamError(f"{file}:{line}: has {len(row)} columns, the first row has {width}")
        labels.append(row.pop(column).strip())
        numbers = [i for i in range(width) if i != column]
        features.append([_number(t, f"{file}:{line}: column {i + 1}") for i, t in zip(numbers, row, strict=True)])
    return stream(str(file), np.array(features, dtype=float).reshape(len(rows), width - 1), labels)


def _rows(file: Path, reader: Any) -> Iterator[tuple[int, list[str]]]:
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        raise StreamError(f"{file}:{reader.line_num}: not a table: {error}") from error


def _is_header(row: list[str]) -> bool:
    """A first row with no number in it is a header."""

    def is_number(text: str) -> bool:
        try:
            float(text)
        except ValueError:
            return False
        return True

    return not any(map(is_number, row))


def _label_column(file: Path, asked: str | None, names: list[str] | None, width: int) -> int:
    if asked is None:
        return width - 1
    if names is not None and asked in names:
        return names.index(asked)
    try:
        index = int(asked)
    except ValueError:
        index = width
    if not -width <= index < width:
        allowed = f"one of {', '.join(names)}, or " if names else ""
        raise StreamError(f"{file}: the label column {_shown(asked)} is not {allowed}a number from 0 to {width - 1}")
    return index % width


def _libsvm(file: Path) -> Stream:
    labels, rounds, width = [], [], 0
    for line, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        fields = text.split("#")[0].split()
        if fields:
            labels.append(fields[0])
            rounds.append([_pair(field, f"{file}:{line}") for field in fields[1:]])
            width = max([width, *(index for index, _ in rounds[-1])])
    X = np.zeros((len(rounds), width))
    for row, pairs in zip(X, rounds, strict=True):
        for index, value in pairs:
            row[index - 1] = value
    return stream(str(file), X, labels)


def _pair(field: str, where: str) -> tuple[int, float]:
    index, colon, value = field.partition(":")
    if not colon or not index.isdecimal() or not 1 <= int(index) <= 10**7:
        raise StreamError(f"{where}: {_shown(field)} is not index:value with an index from 1 to 10000000")
    return int(index), _number(value, f"{where}: feature {index}")


def _npy(file: Path) -> Stream:
    def load() -> Any:
        with file.open("rb") as opened:
            return np.load(opened, allow_pickle=False)

    table = _array(file, load)
    if table.ndim != 2:
        raise StreamError(f"{file}: holds an array of shape {table.shape}: two dimensions, the label last, are needed")
    return stream(str(file), _floats(file, table[:, :-1]), table[:, -1].tolist())


def _npz(file: Path) -> Stream:
    def load() -> tuple[Any, Any]:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as arrays:
            return arrays["X"], arrays["y"]

    X, y = _array(file, load)
    if X.ndim != 2 or y.shape != (len(X),):
        raise StreamError(f"{file}: X has shape {X.shape} and y {y.shape}: (T, d) and (T,) are needed")
    return stream(str(file), _floats(file, X), y.tolist())


def _array(file: Path, load: Callable[[], Any]) -> Any:
    try:
        return load()
    except KeyError as error:
        raise StreamError(f"{file}: holds no array {error}: X and y are needed") from error
    except (ValueError, EOFError, zipfile.BadZipFile, AttributeError) as error:
        raise StreamError(f"{file}: is not a NumPy file of plain numbers: {' '.join(str(error).split())}") from error


def _floats(file: Path, array: NDArray[Any]) -> NDArray[np.float64]:
    if array.dtype.kind not in "biuf":
        raise StreamError(f"{file}: the features have type {array.dtype}: numbers are needed")
    return array.astype(float)
