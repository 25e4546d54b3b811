"""Weights at the corners of a regular simplex, and features with a margin under them."""

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


def directions(rng: np.random.Generator, n_rounds: int, n_features: int) -> Floats:
    """Points on the unit sphere, uniformly at random, shape (T, d)."""
    x = rng.standard_normal((n_rounds, n_features))
    return np.asarray(x / np.linalg.norm(x, axis=1, keepdims=True), dtype=float)


def simplex(rng: np.random.Generator, n_classes: int, n_features: int) -> Floats:
    """K corners of a regular simplex around 0, turned at random, with ||U|| = 1."""
    centred = np.eye(n_classes) - 1 / n_classes
    corners = np.linalg.svd(centred)[0][:, : n_classes - 1]
    turn = np.linalg.qr(rng.standard_normal((n_features, n_classes - 1)))[0]
    return np.asarray(corners @ turn.T / math.sqrt(n_classes - 1), dtype=float)


def turned(x: Floats, U: Floats, y: Codes, margin: float) -> Floats:
    """(x + r v)/||x + r v|| with v along U^y and the least r >= 0 that gives the margin.

    The margin of x + r v is m + r c, where c is that of v: the same over every rival, as the simplex is regular. With
    p = <x, v>, the equation (m + r c)^2 = margin^2 (1 + 2 r p + r^2) has one positive root if m < margin < c.
    """
    rounds = np.arange(len(x))
    scores = x @ U.T
    own = scores[rounds, y]
    scores[rounds, y] = -np.inf
    m = own - scores.max(axis=1)
    length = np.linalg.norm(U[0])
    c, p = len(U) * length / (len(U) - 1), own / length
    b = m * c - margin**2 * p
    r = (np.sqrt(b**2 + (c**2 - margin**2) * np.maximum(margin**2 - m**2, 0)) - b) / (c**2 - margin**2)
    moved = x + np.where(m < margin, r, 0)[:, None] * (U[y] / length)
    return np.asarray(moved / np.linalg.norm(moved, axis=1, keepdims=True), dtype=float)
