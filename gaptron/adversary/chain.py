"""Blocks of equal rounds with bandit feedback, in doubles: within a block a path is told by its number of updates."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gaptron.learners.arithmetic import Array
from gaptron.rounds.step import Step

NEGLIGIBLE, STILL = 1e-9, 1e-12
MOST_UPDATES, MOST_PATHS = 1000, 32


class Expected(NamedTuple):
    """Of n streams: expected mistakes (n,), and expected rounds of every block on which the loss is on (n, B)."""

    mistakes: Array
    on: Array


class _Paths(NamedTuple):
    """Paths of all streams: the stream of each (N,), its weights (N, rows, d) and its probability (N,)."""

    stream: Array
    weights: Array
    mass: Array


def expected_chains(step: Step, rates: Array, X: Array, labels: Array, counts: Sequence[int]) -> Expected:
    """The expectations over blocks: features (n, B, d), labels (B,) and rounds of each.

    ``rates`` are eta, gamma and D of the n streams, (3, n).
    Approximate: between blocks the heaviest paths are kept, and of a block the first thousand updates.
    """
    n = len(X)
    paths = _Paths(np.arange(n), np.zeros((n, step.surrogate.rows, X.shape[2])), np.ones(n))
    mistakes, on = np.zeros(n), np.zeros((n, len(counts)))
    for b, (label, rounds) in enumerate(zip(labels, counts, strict=True)):
        last = b == len(counts) - 1
        updates = min(rounds, MOST_UPDATES)
        right, is_on, weights = _chain(step, rates, paths, X[:, b], int(label), updates, keep=not last)
        shares, visits = _visits(right, paths.mass, rounds)
        mistakes += np.bincount(paths.stream, (visits * (1 - right)).sum(axis=0), n)
        on[:, b] = np.bincount(paths.stream, (visits * is_on).sum(axis=0), n)
        if not last:
            stream = np.tile(paths.stream, len(shares))
            paths = _heaviest(_Paths(stream, np.concatenate(weights), shares.ravel()), n)
    return Expected(mistakes, on)


def _chain(
    step: Step, rates: Array, paths: _Paths, points: Array, label: int, updates: int, *, keep: bool
) -> tuple[Array, Array, list[Array]]:
    """After i updates from each path, until one no longer moves any: P(right) and whether the loss is on, both (S, N).

    With ``keep`` the weights too.
    """
    eta, gamma, radius = rates[:, paths.stream]
    x, W, labels = points[paths.stream], paths.weights, np.full(len(paths.mass), label)
    step = step._replace(eta=eta, gamma=gamma)
    rights, ons, kept = [], [], []
    for _ in range(updates + 1):
        found = step.surrogate.at(np.einsum("nkd,nd->kn", W, x))
        right = step.chances(found, labels)[1]
        rights.append(right)
        ons.append(~found.off(labels))
        kept += [W] if keep else []
        steps = step.slopes(found, labels, None, 1 / np.maximum(right, 1e-300))
        if not np.abs(steps).max() > STILL:
            break
        W = _projected(W + steps.T[:, :, None] * x[:, None, :], radius)
    return np.array(rights), np.array(ons), kept


def _projected(W: Array, radius: Array) -> Array:
    length = np.sqrt((W**2).sum(axis=(1, 2)))
    return np.asarray(W * np.minimum(1, radius / np.maximum(length, 1e-300))[:, None, None])


def _visits(right: Array, mass: Array, rounds: int) -> tuple[Array, Array]:
    """The distribution after the block, and the expected rounds in every state, both (S, N)."""
    leave = right.copy()
    leave[-1] = 0
    shares, visits = np.zeros_like(right), np.zeros_like(right)
    shares[0] = mass
    for _ in range(rounds):
        visits += shares
        moved = shares * leave
        shares = shares - moved
        shares[1:] += moved[:-1]
    return shares, visits


def _heaviest(paths: _Paths, n: int) -> _Paths:
    """At most so many paths of each stream, none of them negligible; their probabilities sum to 1."""
    order = np.lexsort((-paths.mass, paths.stream))
    stream, mass = paths.stream[order], paths.mass[order]
    rank = np.arange(len(order)) - np.searchsorted(stream, stream)
    kept = order[(rank < MOST_PATHS) & (mass > NEGLIGIBLE)]
    stream, mass = paths.stream[kept], paths.mass[kept]
    return _Paths(stream, paths.weights[kept], mass / np.bincount(stream, mass, n)[stream])
