"""A stream as blocks of equal rounds, and its parts that have no feature in common."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from gaptron.numbers.kinds import Number, Vector

Point = tuple[int, int]


class PointBlocks(NamedTuple):
    """Blocks of rounds (point, how many), a point being (number of the features in ``vectors``, label)."""

    vectors: list[Vector]
    blocks: list[tuple[Point, int]]

    @property
    def span(self) -> list[Vector]:
        """The features that occur."""
        return [self.vectors[i] for i in dict.fromkeys(vector for (vector, _), _ in self.blocks)]

    @property
    def rounds(self) -> list[tuple[Vector, int]]:
        """(features, label) of every round."""
        return [(self.vectors[vector], label) for (vector, label), rounds in self.blocks for _ in range(rounds)]


def stream(rows: Iterable[Sequence[Number]], labels: Iterable[int], rounds: Iterable[int]) -> PointBlocks:
    """From lists of features, their labels, and how many rounds each; blocks of one point that touch are one."""
    vectors: dict[Vector, int] = {}
    by_objects: dict[tuple[int, ...], int] = {}  # numbers that are one object are equal: quicker than their hashes
    blocks: list[tuple[Point, int]] = []
    kept = list(rows)
    for row, label, times in zip(kept, labels, rounds, strict=True):
        objects = tuple(map(id, row))
        if objects not in by_objects:
            by_objects[objects] = vectors.setdefault(tuple(row), len(vectors))
        point = by_objects[objects], label
        before = blocks.pop()[1] if blocks and blocks[-1][0] == point else 0
        blocks.append((point, before + times))
    return PointBlocks(list(vectors), blocks)


def parts(whole: PointBlocks) -> list[PointBlocks]:
    """What is learned from one part changes no score in another."""
    component = _components(whole.vectors)
    grouped: dict[int, list[tuple[Point, int]]] = {}
    for point, rounds in whole.blocks:
        blocks = grouped.setdefault(component[point[0]], [])
        before = blocks.pop()[1] if blocks and blocks[-1][0] == point else 0
        blocks.append((point, before + rounds))
    return [whole._replace(blocks=blocks) for blocks in grouped.values()]


def _components(vectors: Sequence[Vector]) -> list[int]:
    """Of every vector: those with a common feature are in one component, and so on."""
    used = csr_array(np.array(vectors, dtype=object) != 0)
    n, d = used.shape
    rows, columns = used.nonzero()
    graph = csr_array((np.ones(len(rows)), (rows, n + columns)), shape=(n + d, n + d))
    return connected_components(graph, directed=False)[1][:n].tolist()  # type: ignore[no-any-return]
