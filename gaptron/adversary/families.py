"""Families of streams: what is repeated how often is fixed, where the points lie is a function of parameters."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from gaptron.learners.arithmetic import Array

POINTS = 48
ORDER = 8
SHORT = 4
GROWTH = 12
MANY_PATHS = 40  # rounds from which on more than two long blocks have too many paths


@dataclass(frozen=True)
class Family:
    """Streams of B blocks of equal rounds.

    Attributes
    ----------
    name : str
        Shown in reports.
    labels : (B,) integers
    counts : tuple of B integers
        Rounds of every block.
    size : int
        The number of parameters.
    points : function
        From parameters (n, size) to the features (n, B, d) of n streams, with ||x|| <= 1.
    """

    name: str
    labels: Any
    counts: tuple[int, ...]
    size: int
    points: Callable[[Array], Array]


def families(n_classes: int, horizon: int, *, bandit: bool) -> Iterator[Family]:
    """The families of streams of T rounds; with full information, where T is no part of the bound, of at most T.

    With bandit feedback there are few blocks, since the states that the learner can be in are multiplied by each.
    """
    last = n_classes - 1
    yield from (one_point(last, rounds) for rounds in ([horizon] if bandit else lengths(horizon)))
    if horizon > 1:
        yield from _two_blocks(last, horizon, 1 if bandit and horizon > MANY_PATHS else horizon // 2)
    if horizon > 1 and (not bandit or horizon <= MANY_PATHS):
        yield growing_norms(last, horizon, min(3 if bandit else GROWTH, horizon))
    if horizon > 1 and not bandit:
        yield free(last, min(SHORT, horizon))
        yield labels_in_turn(n_classes, min(horizon, POINTS))
        yield from (moving_average(last, min(horizon // r, POINTS), r) for r in (1, 2, 4) if horizon // r > 1)


def lengths(horizon: int) -> list[int]:
    """1, 2, 3, ... and then in steps of a third, up to T."""
    found = [1]
    while found[-1] < horizon:
        found.append(min(horizon, max(found[-1] + 1, found[-1] * 4 // 3)))
    return found


def one_point(label: int, rounds: int) -> Family:
    """One point, of norm 1."""
    return Family("one point", np.array([label]), (rounds,), 0, lambda P: np.ones((len(P), 1, 1)))


def growing_norms(label: int, rounds: int, blocks: int) -> Family:
    """One direction, the norms growing geometrically up to 1."""

    def points(P: Array) -> Array:
        exponents = np.arange(blocks - 1, -1, -1)
        return np.asarray(np.exp(-np.abs(P) * exponents)[:, :, None])

    return Family("growing norms", np.full(blocks, label), _shares(rounds, blocks), 1, points)


def _two_blocks(last: int, horizon: int, middle: int) -> Iterator[Family]:
    """A point of any norm many times or a few, then a point of norm 1 at any angle, of the same label or not."""
    for first in sorted({1, middle, horizon - 1}):
        for label in (0, last):
            yield Family("small, then large", np.array([label, last]), (first, horizon - first), 2, _small_then_large)


def _small_then_large(P: Array) -> Array:
    norm, angle = expit(P[:, 0]), P[:, 1]
    small = np.stack([norm, np.zeros(len(P))], axis=1)
    return np.stack([small, np.stack([np.cos(angle), np.sin(angle)], axis=1)], axis=1)


def labels_in_turn(n_classes: int, rounds: int) -> Family:
    """An orthogonal basis, gone through twice, the labels in turn: every first round is a tie."""
    basis = np.eye(max(1, rounds // 2))[np.arange(rounds) % max(1, rounds // 2)]
    labels = np.arange(rounds) % max(1, rounds // 2) % n_classes
    return Family("labels in turn", labels, (1,) * rounds, 0, lambda P: np.repeat(basis[None], len(P), axis=0))


def free(label: int, rounds: int) -> Family:
    """Any points, in as many dimensions."""

    def points(P: Array) -> Array:
        X = np.eye(rounds) + P.reshape(-1, rounds, rounds)
        return np.asarray(X / np.maximum(1, np.linalg.norm(X, axis=2, keepdims=True)))

    return Family("free", np.full(rounds, label), (1,) * rounds, rounds**2, points)


def moving_average(label: int, blocks: int, repeats: int) -> Family:
    """Every point has a direction of its own, parts of the directions before it, and one that all points share."""
    order = min(ORDER, blocks - 1)

    def points(P: Array) -> Array:
        X = np.zeros((len(P), blocks, blocks + 1))
        X[:, :, blocks] = P[:, :1]
        for back in range(order + 1):
            late = np.arange(back, blocks)
            X[:, late, late - back] = 1 if back == 0 else P[:, back : back + 1]
        return np.asarray(X / np.linalg.norm(X, axis=2, keepdims=True))

    return Family("moving average", np.full(blocks, label), (repeats,) * blocks, order + 1, points)


def _shares(rounds: int, blocks: int) -> tuple[int, ...]:
    """The rounds in about equal blocks, of which there are not more."""
    ends = [rounds * (i + 1) // blocks for i in range(blocks)]
    return tuple(end - begin for begin, end in zip([0, *ends[:-1]], ends, strict=True))
