"""CSV and TSV files, a few rounds at a time."""

import csv
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gaptron.streams.blocks import Block, batches
from gaptron.streams.errors import StreamError, shown
from gaptron.streams.numbers import finite, number

DELIMITERS = {".csv": ",", ".tsv": "\t"}
PIECE, SHOWN_NAMES = 100, 6
Row = tuple[int, list[str]]
Rounds = tuple[list[str], NDArray[np.float64]]


@dataclass(frozen=True)
class _Layout:
    """Where a table's rounds begin, how many columns it has, and which of them is the label."""

    header: bool
    width: int
    column: int


def blocks(file: Path, label_column: str | None, size: int | None) -> Iterator[Block]:
    """The rounds of a table, ``size`` at a time; ``label_column`` is a name, a number, or None for the last one.

    Raises
    ------
    StreamError
        If the file is empty, no table, or a row has another width, an empty label or a feature that is no finite
        number.
    """
    layout = _layout(file, label_column)
    rows = _rows(file)
    if layout.header:
        next(rows)
    while (block := _block(file, layout, islice(rows, size))).labels:
        yield block


def _block(file: Path, layout: _Layout, rows: Iterator[Row]) -> Block:
    """Rows become numbers a few at a time, while their texts are in the processor's cache."""
    labels, lines, parts = list[str](), list[int](), [np.empty((0, layout.width - 1))]
    for piece in batches(rows, PIECE):
        found, X = _plain(layout, [row for _, row in piece]) or _checked(file, layout, piece)
        labels += found
        lines += [line for line, _ in piece]
        parts.append(X)
    return Block(str(file), np.concatenate(parts), labels, lines)


def _plain(layout: _Layout, rows: list[list[str]]) -> Rounds | None:
    """The rounds, read all at once; None if something in them is not as it should be."""
    if set(map(len, rows)) != {layout.width}:
        return None
    cells = list(chain.from_iterable(rows))
    labels = [label.strip() for label in cells[layout.column :: layout.width]]
    del cells[layout.column :: layout.width]
    if "_" in "".join(cells) or not all(labels):
        return None
    try:
        numbers = np.fromiter(map(float, cells), float, len(cells))
    except ValueError:
        return None
    return (labels, numbers.reshape(len(rows), layout.width - 1)) if np.isfinite(numbers).all() else None


def _checked(file: Path, layout: _Layout, rows: list[Row]) -> Rounds:
    """The rounds, read row by row: slower, but it says what is wrong where."""
    numbers, labels = array("d"), []
    for line, row in rows:
        label, features = _round(file, layout, line, [cell.strip() for cell in row])
        labels.append(label)
        numbers.extend(features)
    return labels, np.array(numbers, dtype=float).reshape(len(rows), layout.width - 1)


def _round(file: Path, layout: _Layout, line: int, row: list[str]) -> tuple[str, list[float]]:
    column = layout.column
    if len(row) != layout.width:
        raise StreamError(f"{file}:{line}: has {len(row)} columns, the first row has {layout.width}")
    if not row[column]:
        raise StreamError(f"{file}:{line}: the label, in column {column + 1}, is empty")
    cells = row[:column] + row[column + 1 :]
    return row[column], finite(cells, lambda i: f"{file}:{line}: column {i + 1 + (i >= column)}")


def _rows(file: Path) -> Iterator[Row]:
    """The rows that are not blank, and the lines on which they end."""
    with file.open(newline="", encoding="utf-8-sig") as opened:
        reader = csv.reader(opened, delimiter=DELIMITERS[file.suffix.lower()], strict=True)
        try:
            for row in reader:
                if len(row) > 1 or (row and row[0].strip()):
                    yield reader.line_num, row
        except csv.Error as error:
            raise StreamError(f"{file}:{reader.line_num}: not a table: {error}") from error


# --- the header and the label's column ----------------------------------------------------------------------


def _layout(file: Path, label_column: str | None) -> _Layout:
    rows = (row for _, row in _rows(file))
    first = [cell.strip() for cell in next(rows, [])]
    if not first:
        raise StreamError(f"{file}: is empty")
    if len(first) == 1:
        _refuse_other_delimiter(file, first[0])
    header = _is_header(first, rows, label_column)
    return _Layout(header, len(first), _label_column(file, label_column, first if header else None, len(first)))


def _refuse_other_delimiter(file: Path, cell: str) -> None:
    """Say so if what should be several cells is one."""
    expected = DELIMITERS[file.suffix.lower()]
    for delimiter in (";", ",", "\t", "|"):
        if delimiter in cell:
            raise StreamError(
                f"{file}: its cells are separated by {delimiter!r}, and those of a {file.suffix} file by {expected!r}"
            )


def _is_header(first: list[str], others: Iterable[list[str]], label_column: str | None) -> bool:
    """A first row is a header if no number is in it, if it has the name asked for, or if it numbers the columns."""
    named = label_column is not None and number(label_column) is None and label_column in first
    return named or not any(map(_is_like_a_number, first)) or _numbers_columns(first, others, label_column)


def _is_like_a_number(cell: str) -> bool:
    return number(cell.replace("_", "")) is not None


def _numbers_columns(first: list[str], others: Iterable[list[str]], label_column: str | None) -> bool:
    """Whether a first row is 0, 1, ..., as data frames write it, beside the only label that is not a number."""
    index = -1 if label_column is None else number(label_column)
    if label_column in first or not isinstance(index, int) or not -len(first) <= index < len(first):
        return False
    names = first.copy()
    name = names.pop(index)
    if names != [str(i) for i in range(len(names))] or _is_like_a_number(name):
        return False
    labels = (row[index].strip() for row in others if len(row) == len(first))
    one = next(labels, None)
    return one is not None and all(map(_is_like_a_number, chain([one], labels)))


def _label_column(file: Path, asked: str | None, names: list[str] | None, width: int) -> int:
    if asked is None:
        return width - 1
    if names is not None and asked in names:
        return names.index(asked)
    index: Any = number(asked)
    if not isinstance(index, int) or not -width <= index < width:
        allowed = f"one of {_listed(names)}, or " if names else ""
        raise StreamError(f"{file}: the label column {shown(asked)} is not {allowed}a number from 0 to {width - 1}")
    return index % width


def _listed(names: list[str]) -> str:
    return ", ".join(names[:SHOWN_NAMES]) + (", ..." if len(names) > SHOWN_NAMES else "")
