"""LibSVM files, a few rounds at a time: ``label index:value ...`` a line, indices from 1, comments after #."""

from array import array
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy import sparse

from gaptron.streams.blocks import Block, batches
from gaptron.streams.errors import StreamError, shown
from gaptron.streams.numbers import finite, number

LARGEST_INDEX = 10**7
Line = tuple[int, list[str]]


def blocks(file: Path, size: int | None) -> Iterator[Block]:
    """The rounds of a LibSVM file, ``size`` at a time, sparse; as many features as the largest index in the block.

    Raises
    ------
    StreamError
        If a label is missing, or a field is not index:value with an index that is new in its round and a finite value.
    """
    for batch in batches(_lines(file), size):
        yield _block(file, batch)


def _lines(file: Path) -> Iterator[Line]:
    """The fields of the lines that are not blank, with the numbers of these lines."""
    with file.open(encoding="utf-8-sig") as opened:
        for line, text in enumerate(opened, 1):
            fields = text.split("#")[0].split()
            if fields:
                yield line, fields


def _block(file: Path, lines: list[Line]) -> Block:
    values, indices, ends, labels = array("d"), array("i"), array("i", [0]), []
    for line, fields in lines:
        where = f"{file}:{line}"
        labels.append(_label(fields[0], where))
        pairs = _pairs(fields[1:], where)
        indices.extend(index - 1 for index in sorted(pairs))
        values.extend(pairs[index] for index in sorted(pairs))
        ends.append(len(values))
    shape = (len(lines), max(indices, default=-1) + 1)
    X = sparse.csr_array((np.array(values), np.array(indices), np.array(ends)), shape=shape)
    return Block(str(file), X, labels, [line for line, _ in lines])


def _label(field: str, where: str) -> str:
    if ":" in field:
        raise StreamError(f"{where}: {shown(field)} stands where the label belongs")
    return field


def _pairs(fields: list[str], where: str) -> dict[int, float]:
    """The values by their indices, from 1."""
    indices = [_index(field, where) for field in fields]
    texts = [field.partition(":")[2] for field in fields]
    pairs = dict(zip(indices, finite(texts, lambda i: f"{where}: feature {indices[i]}"), strict=True))
    if len(pairs) < len(indices):
        twice = next(index for i, index in enumerate(indices) if index in indices[:i])
        raise StreamError(f"{where}: feature {twice} is there twice")
    return pairs


def _index(field: str, where: str) -> int:
    name, colon, _ = field.partition(":")
    index = number(name) if name.isdecimal() else None
    if not colon or not isinstance(index, int) or not 1 <= index <= LARGEST_INDEX:
        raise StreamError(f"{where}: {shown(field)} is not index:value with an index from 1 to {LARGEST_INDEX}")
    return index
