"""Synthetic streams of which a separating U is known: SynSep, SynNonSep, and rounds with a chosen margin."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack

from gaptron.streams.features import Features
from gaptron.streams.stream import Stream
from gaptron.system import checks

INFORMATIVE = 120
FEWEST, MOST = 20, 40
OFF, NOISY_BITS = 5, 20
NOISE = 0.05
MOST_CLASSES = 1000
ROUNDING = 1e-9
BLOCK = 2**14
Floats = NDArray[np.float64]
Bits = NDArray[np.bool_]
Codes = NDArray[np.int64]
Seed = int | np.random.Generator | None


@dataclass(frozen=True, eq=False)
class PlantedStream(Stream):
    """A stream whose labels were made by weights ``U`` (K, d), and then replaced by noise.

    Attributes
    ----------
    U : (K, d) array
        <U^k, x> is largest at the label before noise.
    clean : (T,) integers in 0..K-1
        The labels before noise.
    """

    U: Floats
    clean: Codes


def synsep(
    n_rounds: int, seed: Seed = None, *, n_classes: int = 9, n_features: int = 400, sparse: bool = False
) -> PlantedStream:
    """SynSep of (Kakade, Shalev-Shwartz, Tewari 2008), used by (Beygelzimer, Orabona, Zhang 2017, section 5).

    Neither document says all; this is what public implementations agree on. Class k owns a random set of 20 to 40 of
    the first 120 features. A round has the bits of a random class on, of which then exactly 5 are turned off, and
    exactly 20 of the other features on: 35 <= ||x||^2 <= 55. ``U`` has ones at the features that a class owns; the
    sets are drawn again in the rare case that it does not separate them.

    Parameters
    ----------
    n_rounds : int >= 1
    seed : int, numpy.random.Generator or None
    n_classes : int in 2..1000
    n_features : int >= 140
    sparse : bool
        Whether ``X`` is a ``csr_array``, of 35 to 55 ones a row.

    Raises
    ------
    ValueError
        If an argument is not as above.
    """
    return _synthetic("synsep", n_rounds, seed, n_classes, n_features, sparse, 0.0)


def synnonsep(
    n_rounds: int, seed: Seed = None, *, n_classes: int = 9, n_features: int = 400, sparse: bool = False
) -> PlantedStream:
    """SynNonSep: the rounds of ``synsep`` with the same seed, each label replaced by another with probability 5 %."""
    return _synthetic("synnonsep", n_rounds, seed, n_classes, n_features, sparse, NOISE)


def margin(
    n_rounds: int, n_classes: int, n_features: int, margin: float, noise: float = 0, seed: Seed = None
) -> PlantedStream:
    """Rounds on the unit sphere whose clean label leads every other one by at least ``margin``, under ||U|| = 1.

    The rows of ``U`` are the corners of a regular simplex at random: no U of norm 1 has a larger least margin on unit
    features than sqrt(K)/(K - 1). Features are uniform on the sphere; those whose margin is smaller are turned towards
    the row of their label until it is not.

    Parameters
    ----------
    n_rounds : int >= 1
    n_classes : int >= 2
    n_features : int >= n_classes - 1
    margin : number > 0, less than sqrt(K)/(K - 1)
        The least <U^y, x> - max_{k != y} <U^k, x> at the labels before noise.
    noise : number in [0, 1]
        The probability with which a label is replaced by another, each of the others as likely.
    seed : int, numpy.random.Generator or None

    Raises
    ------
    ValueError
        If an argument is not as above.
    """
    checks.integer(n_rounds, "n_rounds", 1)
    checks.integer(n_classes, "n_classes", 2)
    checks.integer(n_features, "n_features", n_classes - 1)
    checks.fraction_of_one(noise, "noise")
    largest = math.sqrt(n_classes) / (n_classes - 1)
    if not checks.positive(margin, "margin") < largest:
        raise ValueError(f"margin = {margin}: with n_classes = {n_classes} it must be less than {largest:.4g}")
    rng = checks.generator(seed)
    U = _simplex(rng, n_classes, n_features)
    x = _directions(rng, n_rounds, n_features)
    clean = (x @ U.T).argmax(axis=1)
    X = _turned(x, U, clean, margin + ROUNDING * (largest - margin))
    return PlantedStream("margin", X, _noisy(rng, clean, n_classes, noise), _names(n_classes), U, clean)


SYNTHETIC = {"synsep": synsep, "synnonsep": synnonsep}


# --- a regular simplex -----------------------------------------------------------------------------------------


def _directions(rng: np.random.Generator, n_rounds: int, n_features: int) -> Floats:
    """Points on the unit sphere, uniformly at random, shape (T, d)."""
    x = rng.standard_normal((n_rounds, n_features))
    return np.asarray(x / np.linalg.norm(x, axis=1, keepdims=True), dtype=float)


def _simplex(rng: np.random.Generator, n_classes: int, n_features: int) -> Floats:
    """K corners of a regular simplex around 0, turned at random, with ||U|| = 1."""
    centred = np.eye(n_classes) - 1 / n_classes
    corners = np.linalg.svd(centred)[0][:, : n_classes - 1]
    turn = np.linalg.qr(rng.standard_normal((n_features, n_classes - 1)))[0]
    return np.asarray(corners @ turn.T / math.sqrt(n_classes - 1), dtype=float)


def _turned(x: Floats, U: Floats, y: Codes, margin: float) -> Floats:
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


# --- SynSep -------------------------------------------------------------------------------------------------


def _synthetic(
    name: str, n_rounds: int, seed: Seed, n_classes: int, n_features: int, as_sparse: bool, noise: float
) -> PlantedStream:
    checks.integer(n_rounds, "n_rounds", 1)
    checks.integer(n_features, "n_features", INFORMATIVE + NOISY_BITS)
    if checks.integer(n_classes, "n_classes", 2) > MOST_CLASSES:
        raise ValueError(f"n_classes = {n_classes} is more than {MOST_CLASSES}")
    rng = checks.generator(seed)
    owned = _owned(rng, n_classes)
    clean = rng.integers(n_classes, size=n_rounds)
    X = _features(rng, owned[clean], n_features, checks.flag(as_sparse, "sparse"))
    U = np.pad(owned.astype(float), ((0, 0), (0, n_features - INFORMATIVE)))
    return PlantedStream(name, X, _noisy(rng, clean, n_classes, noise), _names(n_classes), U, clean)


def _owned(rng: np.random.Generator, n_classes: int) -> Bits:
    """The sets of the classes, shape (K, 120), of which no two share so much that U might tie them."""
    sets = np.zeros((0, INFORMATIVE), dtype=bool)
    while len(sets) < n_classes:
        new = np.zeros(INFORMATIVE, dtype=bool)
        new[rng.choice(INFORMATIVE, size=rng.integers(FEWEST, MOST + 1), replace=False)] = True
        smaller = np.minimum(sets.sum(axis=1), new.sum())
        if ((sets & new).sum(axis=1) < smaller - OFF).all():
            sets = np.vstack([sets, new])
    return sets


def _features(rng: np.random.Generator, owned: Bits, n_features: int, as_sparse: bool) -> Features:
    """The rounds whose classes own the bits ``owned``, shape (T, 120)."""
    blocks = _blocks(rng, owned, n_features - INFORMATIVE)
    if as_sparse:
        return vstack([csr_matrix(block, dtype=float) for block in blocks], format="csr")
    return np.concatenate(list(blocks)).astype(float)


def _blocks(rng: np.random.Generator, owned: Bits, others: int) -> Iterator[Bits]:
    for begin in range(0, len(owned), BLOCK):
        own = owned[begin : begin + BLOCK]
        yield np.hstack([own & ~_some(rng, own, OFF), _some(rng, np.ones((len(own), others), dtype=bool), NOISY_BITS)])


def _some(rng: np.random.Generator, among: Bits, size: int) -> Bits:
    """``size`` of the bits that are on in every row, at random."""
    keys = np.where(among, rng.random(among.shape, dtype=np.float32), 2)
    chosen = np.zeros_like(among)
    np.put_along_axis(chosen, np.argpartition(keys, size - 1, axis=1)[:, :size], True, axis=1)
    return chosen


def _noisy(rng: np.random.Generator, clean: Codes, n_classes: int, noise: float) -> Codes:
    """Every label replaced with probability ``noise``, by any of the others."""
    replaced = rng.random(len(clean)) < noise
    others = (clean + rng.integers(1, n_classes, size=len(clean))) % n_classes
    return np.where(replaced, others, clean)


def _names(n_classes: int) -> tuple[str, ...]:
    return tuple(map(str, range(n_classes)))
