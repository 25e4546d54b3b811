"""Scores of the states on the features of a stream, without weights: a step along x changes the score on v by <x, v>.

Scores that are equal for certain stay one object: rows that are equal at first, or are never moved, or are moved by the
same numbers. So an exact tie between them is no matter of comparing balls.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import flint

from gaptron.rounds.layouts import Scores, Slopes


class Dots:
    """Feature vectors by number, and their inner products."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind
        self.columns: list[Any] = []
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._rows: list[Any] = []
        self.known: list[dict[int, Any]] = []

    def vector(self, x: tuple[Any, ...]) -> int:
        """The number of a vector."""
        number = self._numbers.setdefault(x, len(self.columns))
        if number == len(self.columns):
            self.columns.append(self.kind.column(x))
            self._rows.append(self.kind.row(x))
            self.known.append({})
        return number

    def of(self, first: int, second: int) -> Any:
        """<x, v>; None if it is 0."""
        if second not in self.known[first]:
            value = self.kind.scores(self._rows[first], self.columns[second])[0]
            self.known[first][second] = None if value == 0 else value
        return self.known[first][second]


class Move(NamedTuple):
    """How a state came about: slopes of equal rows are one object, and ``share`` says whether there are some.

    ``dots`` are the known products with the vector.
    """

    state: int
    vector: int
    dots: dict[int, Any]
    slopes: Slopes
    scale: Any
    share: bool


class Moves:
    """States by number, 0 the first, each from another by a step: scale (W + outer(slopes, x))."""

    def __init__(self, dots: Dots, first: Callable[[Any], Scores]) -> None:
        self.dots, self.first = dots, first
        self._moves: list[Any] = [None]
        self._scores: list[dict[int, Scores]] = [{}]

    def add(self, state: int, vector: int, slopes: Slopes, scale: Any) -> int:
        """The number of the state after a step; entries of ``slopes`` that are 0 are None."""
        steps = [id(slope) for slope in slopes if slope is not None]
        self._moves.append(
            Move(
                state, vector, self.dots.known[vector], slopes, scale, scale is not None or len(set(steps)) < len(steps)
            )
        )
        self._scores.append({})
        return len(self._moves) - 1

    def forget(self) -> None:
        """The state that was added last."""
        self._moves.pop()
        self._scores.pop()

    def scores(self, state: int, vector: int) -> Scores:
        """W v."""
        path = []
        while (found := self._scores[state].get(vector)) is None and state:
            path.append(state)
            state = self._moves[state].state
        if found is None:
            found = self._scores[0][vector] = self.first(self.dots.columns[vector])
        for child in reversed(path):
            found = self._scores[child][vector] = self._moved(self._moves[child], found, vector)
        return found

    def _moved(self, move: Move, scores: Scores, vector: int) -> Scores:
        by = move.dots[vector] if vector in move.dots else self.dots.of(move.vector, vector)
        if move.share:
            return _shared(move, scores, by)
        if by is None:
            return scores
        return [s if step is None else s + step * by for s, step in zip(scores, move.slopes, strict=True)]


def _shared(move: Move, scores: Scores, by: Any) -> Scores:
    """The same with equal entries as one object."""
    known: dict[tuple[int, int], Any] = {}
    keys = [(id(score), id(step)) for score, step in zip(scores, move.slopes, strict=True)]
    for key, score, step in zip(keys, scores, move.slopes, strict=True):
        if key not in known:
            moved = score if step is None or by is None else score + step * by
            known[key] = moved if move.scale is None else moved * move.scale
    return [known[key] for key in keys]


def start(kind: Any, rows: Sequence[Sequence[Any]]) -> Callable[[Any], Scores]:
    """The scores of weights on a column; equal rows give one object, and balls are equal if they are one rational."""
    keys = [tuple(map(_exact, row)) for row in rows]
    places = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    distinct = dict(zip(reversed(keys), reversed(rows), strict=True))
    W, row_of = kind.weights([distinct[key] for key in places]), [places[key] for key in keys]

    def scores(column: Any) -> Scores:
        values = kind.scores(W, column)
        return [values[row] for row in row_of]

    return scores


def _exact(value: Any) -> Any:
    """What tells a number from others: of a ball its rational number, or that it is this object."""
    if not isinstance(value, flint.arb):
        return value
    return value.fmpq() if value.is_exact() else id(value)
