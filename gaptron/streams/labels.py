"""Raw labels, which are text or numbers, and the classes they stand for."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gaptron.streams.errors import StreamError, shown
from gaptron.streams.numbers import number

Label = bool | int | float | str
Where = Callable[[int], str]


@dataclass(frozen=True)
class LabelClasses:
    """K >= 2 classes, numbered from 0: by number if all are numbers, so that 1, +1 and 1.0 are one; else by text."""

    keys: tuple[Any, ...]
    numeric: bool

    @property
    def names(self) -> tuple[str, ...]:
        """What the labels 0..K-1 stand for."""
        return tuple(map(str, self.keys))

    def codes(self, labels: Sequence[Label], where: Where) -> NDArray[np.int64]:
        """The labels as numbers in 0..K-1, shape (T,); ``where(t)`` is what an error calls the t-th.

        Raises
        ------
        StreamError
            If one of them is none of the classes.
        """
        index = {key: k for k, key in enumerate(self.keys)}
        known = {label: index.get(_number(label) if self.numeric else str(label)) for label in set(labels)}
        if None in known.values():
            first = next(t for t, label in enumerate(labels) if known[label] is None)
            raise StreamError(f"{where(first)} is {shown(str(labels[first]))}, none of the {len(self.keys)} classes")
        return np.array([known[label] for label in labels], dtype=np.int64)


def first_seen(labels: Iterable[Label], where: Where, seen: dict[Label, str]) -> None:
    """Add to ``seen`` the labels that are new, with what an error calls their first round."""
    for t, label in enumerate(labels):
        if label not in seen:
            seen[label] = where(t)


def classes_of(name: str, seen: Mapping[Label, str]) -> LabelClasses:
    """The classes that the labels in ``seen`` (label: what an error calls it) stand for, in sorted order.

    Raises
    ------
    StreamError
        If they are fewer than two, or all are numbers and one of these is not finite.
    """
    numeric, keys = _keys(list(seen))
    for key, where in zip(keys, seen.values(), strict=True):
        if isinstance(key, float) and not math.isfinite(key):
            raise StreamError(f"{where} is {key}, not a finite number")
    classes = sorted(dict.fromkeys(keys))
    if len(classes) < 2:
        raise StreamError(f"{name}: all labels are {shown(str(classes[0]))}: at least two classes are needed")
    return LabelClasses(tuple(classes), numeric)


def given_classes(names: Sequence[Label]) -> LabelClasses:
    """The classes called ``names``, in that order.

    Raises
    ------
    ValueError
        If they are fewer than two, or two of them are the same.
    """
    numeric, keys = _keys(list(names))
    if isinstance(names, str) or len(keys) < 2 or len(set(keys)) < len(keys):
        raise ValueError(f"classes = {names!r} is not a sequence of at least two different classes")
    return LabelClasses(tuple(keys), numeric)


def _keys(labels: list[Label]) -> tuple[bool, list[Any]]:
    """Whether all labels are numbers, and what tells classes apart: these numbers, or else their texts."""
    numbers = [_number(label) for label in labels]
    return (False, [str(label) for label in labels]) if None in numbers else (True, numbers)


def _number(label: Label) -> int | float | None:
    return number(label) if isinstance(label, str) else label
