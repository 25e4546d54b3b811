"""Scores of the states on the features of a stream, without weights: a step along x changes the score on v by <x, v>.

Scores that are equal for certain stay one object: rows that are equal at first, or are never moved, or are moved by the
same numbers. So an exact tie between them is no matter of comparing balls.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import flint

from gaptron.expectation.number_systems import Columnar, MatrixKind
from gaptron.numbers.kinds import Number, Vector
from gaptron.rounds.layouts import Scores, Slopes


class Dots:
    """Feature vectors by number, and their inner products."""

    def __init__(self, kind: MatrixKind) -> None:
        self.kind = kind
        self.columns: list[Columnar] = []
        self._numbers: dict[Vector, int] = {}
        self._rows: list[Columnar] = []
        self.known: list[dict[int, Number]] = []

    def vector(self, x: Vector) -> int:
        """The number of a vector."""
        number = self._numbers.setdefault(x, len(self.columns))
        if number == len(self.columns):
            self.columns.append(self.kind.column(x))
            self._rows.append(self.kind.weights([x]))
            self.known.append({})
        return number

    def of(self, first: int, second: int) -> Number:
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
    dots: dict[int, Number]
    slopes: Slopes
    scale: Number
    share: bool


class Moves:
    """States by number, 0 the first, each from another by a step: scale (W + outer(slopes, x))."""

    def __init__(self, dots: Dots, first: Callable[[Columnar], Scores]) -> None:
        self.dots, self.first = dots, first
        self._moves: dict[int, Move] = {}
        self._scores: list[dict[int, Scores]] = [{}]

    def add(self, state: int, vector: int, slopes: Slopes, scale: Number) -> int:
        """The number of the state after a step; entries of ``slopes`` that are 0 are None."""
        steps, number = [id(slope) for slope in slopes if slope is not None], len(self._scores)
        share = scale is not None or len(set(steps)) < len(steps)
        self._moves[number] = Move(state, vector, self.dots.known[vector], slopes, scale, share)
        self._scores.append({})
        return number

    def forget(self) -> None:
        """The state that was added last."""
        self._scores.pop()
        del self._moves[len(self._scores)]

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


def _shared(move: Move, scores: Scores, by: Number) -> Scores:
    """The same with equal entries as one object."""
    known: dict[tuple[int, int], Number] = {}
    keys = [(id(score), id(step)) for score, step in zip(scores, move.slopes, strict=True)]
    for key, score, step in zip(keys, scores, move.slopes, strict=True):
        if key not in known:
            moved = score if step is None or by is None else score + step * by
            known[key] = moved if move.scale is None else moved * move.scale
    return [known[key] for key in keys]


def start(kind: MatrixKind, rows: Sequence[Sequence[Number]]) -> Callable[[Columnar], Scores]:
    """The scores of weights on a column; equal rows give one object, and balls are equal if they are one rational."""
    keys = [tuple(map(_exact, row)) for row in rows]
    places = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    distinct = dict(zip(reversed(keys), reversed(rows), strict=True))
    W, row_of = kind.weights([distinct[key] for key in places]), [places[key] for key in keys]

    def scores(column: Columnar) -> Scores:
        values = kind.scores(W, column)
        return [values[row] for row in row_of]

    return scores


def _exact(value: Number) -> Number:
    """What tells a number from others: of a ball its rational number, or that it is this object."""
    if not isinstance(value, flint.arb):
        return value
    return value.fmpq() if value.is_exact() else id(value)
