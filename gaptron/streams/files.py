"""Streams from files: CSV and TSV, LibSVM, and NumPy's npy and npz."""

import csv
import math
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gaptron.streams.stream import Stream, StreamError, number, shown, stream

SHOWN_NAMES = 6
LARGEST_INDEX = 10**7
LARGEST_TABLE = 2 * 10**8
TABLES = {".csv": ",", ".tsv": "\t"}


def read(file: Path, label_column: str | None = None) -> Stream:
    """The stream in a file, by its ending.

    ``label_column`` is a name of the header or a number from 0 (negative from the end), for CSV and TSV only; the
    last column by default.

    Raises
    ------
    StreamError
        If the file cannot be read or is not what its ending says.
    """
    ending = file.suffix.lower()
    readers: dict[str, Callable[[Path], Stream]] = {
        **dict.fromkeys(TABLES, lambda path: _delimited(path, TABLES[ending], label_column)),
        ".npy": _npy,
        ".npz": _npz,
        **dict.fromkeys((".libsvm", ".svm", ".svmlight", ".txt"), _libsvm),
    }
    try:
        _check_kind(file, ending, tuple(readers), label_column)
        return readers[ending](file)
    except FileNotFoundError as error:
        raise StreamError(f"{file}: does not exist") from error
    except OSError as error:
        raise StreamError(f"{file}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise StreamError(f"{file}: is not text in UTF-8") from error
    except MemoryError as error:
        raise StreamError(f"{file}: needs more memory than there is") from error


def _check_kind(file: Path, ending: str, endings: tuple[str, ...], label_column: str | None) -> None:
    if file.is_dir():
        raise StreamError(f"{file}: is a folder")
    file.stat()
    if ending not in endings:
        raise StreamError(f"{file}: the ending {ending!r} is none of {', '.join(endings)}")
    if label_column is not None and ending not in TABLES:
        raise StreamError(f"{file}: --label-column {label_column} goes with CSV and TSV files only")


def _finite(text: str, where: str) -> float:
    value = number(text)
    try:
        found = math.nan if value is None else float(value)
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise StreamError(f"{where} is {shown(text)}, not a finite number")
    return found


# --- CSV and TSV --------------------------------------------------------------------------------------------


def _delimited(file: Path, delimiter: str, label_column: str | None) -> Stream:
    with file.open(newline="", encoding="utf-8-sig") as opened:
        rows = list(_rows(file, csv.reader(opened, delimiter=delimiter, strict=True)))
    if not rows:
        raise StreamError(f"{file}: is empty")
    first = rows[0][1]
    names = first if _is_header(rows, label_column) else None
    column = _label_column(file, label_column, names, len(first))
    features, labels, lines = [], [], []
    for line, row in rows if names is None else rows[1:]:
        if len(row) != len(first):
            raise StreamError(f"{file}:{line}: has {len(row)} columns, the first row has {len(first)}")
        if not row[column]:
            raise StreamError(f"{file}:{line}: the label, in column {column + 1}, is empty")
        cells = [(i, text) for i, text in enumerate(row) if i != column]
        features.append([_finite(text, f"{file}:{line}: column {i + 1}") for i, text in cells])
        labels.append(row[column])
        lines.append(line)
    return stream(str(file), np.array(features, dtype=float).reshape(len(labels), len(first) - 1), labels, lines)


def _rows(file: Path, reader: Any) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, their cells without surrounding spaces, and the lines on which they end."""
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if cells not in ([], [""]):
                yield reader.line_num, cells
    except csv.Error as error:
        raise StreamError(f"{file}:{reader.line_num}: not a table: {error}") from error


def _is_header(rows: list[tuple[int, list[str]]], label_column: str | None) -> bool:
    """A first row is a header if no number is in it, if it has the name asked for, or if it numbers the columns."""
    first, *others = [row for _, row in rows]
    named = label_column is not None and number(label_column) is None and label_column in first
    return named or not any(map(_is_like_a_number, first)) or _numbers_columns(first, others, label_column)


def _is_like_a_number(cell: str) -> bool:
    return number(cell.replace("_", "")) is not None


def _numbers_columns(first: list[str], others: list[list[str]], label_column: str | None) -> bool:
    """Whether a first row is 0, 1, ..., as data frames write it, beside the only label that is not a number."""
    index = -1 if label_column is None else number(label_column)
    if label_column in first or not isinstance(index, int) or not -len(first) <= index < len(first):
        return False
    names = first.copy()
    name = names.pop(index)
    labels = [row[index] for row in others if len(row) == len(first)]
    counted = bool(labels) and names == [str(i) for i in range(len(names))]
    return counted and not _is_like_a_number(name) and all(map(_is_like_a_number, labels))


def _label_column(file: Path, asked: str | None, names: list[str] | None, width: int) -> int:
    if asked is None:
        return width - 1
    if names is not None and asked in names:
        return names.index(asked)
    index = number(asked)
    if not isinstance(index, int) or not -width <= index < width:
        allowed = f"one of {_listed(names)}, or " if names else ""
        raise StreamError(f"{file}: the label column {shown(asked)} is not {allowed}a number from 0 to {width - 1}")
    return index % width


def _listed(names: list[str]) -> str:
    return ", ".join(names[:SHOWN_NAMES]) + (", ..." if len(names) > SHOWN_NAMES else "")


# --- LibSVM -------------------------------------------------------------------------------------------------


def _libsvm(file: Path) -> Stream:
    labels, rounds, lines = [], [], []
    with file.open(encoding="utf-8-sig") as opened:
        for line, text in enumerate(opened, 1):
            fields = text.split("#")[0].split()
            if fields:
                labels.append(_label(fields[0], f"{file}:{line}"))
                rounds.append(_pairs(fields[1:], f"{file}:{line}"))
                lines.append(line)
    width = max((index for pairs in rounds for index in pairs), default=0)
    if len(rounds) * width > LARGEST_TABLE:
        raise StreamError(f"{file}: {len(rounds)} rounds of {width} features are more than {LARGEST_TABLE} numbers")
    X = np.zeros((len(rounds), width))
    for row, pairs in zip(X, rounds, strict=True):
        for index, value in pairs.items():
            row[index - 1] = value
    return stream(str(file), X, labels, lines)


def _label(field: str, where: str) -> str:
    if ":" in field:
        raise StreamError(f"{where}: {shown(field)} stands where the label belongs")
    return field


def _pairs(fields: list[str], where: str) -> dict[int, float]:
    pairs: dict[int, float] = {}
    for field in fields:
        name, colon, value = field.partition(":")
        index = number(name) if name.isdecimal() else None
        if not colon or not isinstance(index, int) or not 1 <= index <= LARGEST_INDEX:
            raise StreamError(f"{where}: {shown(field)} is not index:value with an index from 1 to {LARGEST_INDEX}")
        if index in pairs:
            raise StreamError(f"{where}: feature {index} is there twice")
        pairs[index] = _finite(value, f"{where}: feature {index}")
    return pairs


# --- NumPy --------------------------------------------------------------------------------------------------


def _npy(file: Path) -> Stream:
    table = _load(file)
    if not isinstance(table, np.ndarray):
        raise StreamError(f"{file}: holds several arrays: call it .npz")
    if table.ndim != 2 or table.shape[1] == 0:
        raise StreamError(f"{file}: holds an array of shape {table.shape}: two dimensions, the label last, are needed")
    return stream(str(file), _features(file, table[:, :-1]), _labels(file, table[:, -1]))


def _npz(file: Path) -> Stream:
    arrays = _load(file)
    if isinstance(arrays, np.ndarray):
        raise StreamError(f"{file}: holds one array: call it .npy")
    for name in ("X", "y"):
        if name not in arrays:
            raise StreamError(f"{file}: holds no array {name!r}: X and y are needed")
    X, y = arrays["X"], arrays["y"]
    if X.ndim != 2 or y.shape != (len(X),):
        raise StreamError(f"{file}: X has shape {X.shape} and y {y.shape}: (T, d) and (T,) are needed")
    return stream(str(file), _features(file, X), _labels(file, y))


def _load(file: Path) -> NDArray[Any] | dict[str, NDArray[Any]]:
    """The array of an npy file, or X and y of an npz file; never a pickle, which could run code."""
    with file.open("rb") as opened, warnings.catch_warnings(action="ignore"):
        try:
            found = np.load(opened, allow_pickle=False)
            if isinstance(found, np.ndarray):
                return found
            return {name: np.asarray(found[name]) for name in ("X", "y") if name in found}
        except MemoryError:
            raise
        except Exception as error:  # NumPy and zlib raise what they like on broken bytes
            text = " ".join(str(error).split()) or type(error).__name__
            text = "it holds pickled objects" if "pickle" in text else text
            raise StreamError(f"{file}: is not a NumPy file of plain numbers: {text}") from error


def _features(file: Path, array: NDArray[Any]) -> NDArray[np.float64]:
    if array.dtype.kind not in "biuf":
        raise StreamError(f"{file}: the features have type {array.dtype}: numbers are needed")
    with np.errstate(over="ignore"):
        return array.astype(float)


def _labels(file: Path, array: NDArray[Any]) -> list[Any]:
    if array.dtype.kind not in "biufUS":
        raise StreamError(f"{file}: the labels have type {array.dtype}: numbers or text are needed")
    with np.errstate(over="ignore"):
        plain = (
            array.astype(str) if array.dtype.kind == "S" else array.astype(float) if array.dtype.kind == "f" else array
        )
    return list(plain.tolist())
