"""Every stream of a small scope: few points, few classes, few rounds."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from gaptron.learners.arithmetic import Array, DoubleArrays
from gaptron.system import checks


def exhaustive(
    points: Any, n_classes: int, n_rounds: int, *, up_to_renaming: bool = False
) -> Iterator[tuple[Array, Array]]:
    """Every stream of T rounds with features among N points: (NK)^T pairs of X, shape (T, d), and y, shape (T,).

    Parameters
    ----------
    points : (N, d) array of finite numbers
    n_classes : int >= 2
        K.
    n_rounds : int >= 1
        T.
    up_to_renaming : bool
        Only one stream of those that a renaming of the labels makes equal: a new label is the lowest unused one.
        A learner may tell them apart, as ties go to the lowest label.

    Raises
    ------
    ValueError
        If an argument is not as above.
    """
    n_features = np.shape(points)[-1] if np.ndim(points) == 2 else 1
    xs = DoubleArrays().array(points, "points", (checks.length(points, "points"), n_features))
    K, T = checks.integer(n_classes, "n_classes", 2), checks.integer(n_rounds, "n_rounds", 1)
    labellings = [y for y in product(range(K), repeat=T) if not up_to_renaming or _is_canonical(y)]
    choices = product(range(len(xs)), repeat=T)
    return ((xs[list(which)], np.array(y)) for which in choices for y in labellings)


def _is_canonical(y: Sequence[int]) -> bool:
    """Whether every label is an old one or the lowest that is unused."""
    return all(label <= max(y[:t], default=-1) + 1 for t, label in enumerate(y))
