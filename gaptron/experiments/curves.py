"""Error rates over rounds, at points evenly spaced on a logarithmic axis, and their mean over seeds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

POINTS_A_DECADE = 8
CONFIDENCE = 0.95


def log_points(n_rounds: int) -> list[int]:
    """Numbers of rounds from 10 (or fewer) to ``n_rounds``, about evenly spaced on a logarithmic axis."""
    if n_rounds <= 10:
        return [n_rounds]
    count = max(2, round(POINTS_A_DECADE * np.log10(n_rounds / 10)) + 1)
    return sorted({int(n) for n in np.rint(np.geomspace(10, n_rounds, count))})


def error_rates(wrong: NDArray[np.bool_], points: Sequence[int]) -> list[float]:
    """The fraction of mistakes in the first n rounds, for every n in ``points``; ``wrong`` has shape (T,)."""
    mistakes = np.cumsum(wrong)
    return [float(mistakes[n - 1]) / n for n in points]


@dataclass(frozen=True)
class Mean:
    """The mean error rate of n independent runs with its 95 % confidence interval; no interval for n = 1.

    The interval is Student's, cut to [0, 1].
    """

    mean: float
    low: float | None
    high: float | None
    n: int

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"{self.mean:.4f}"
        return f"{self.mean:.4f} [{self.low:.4f}, {self.high:.4f}]"


def mean(values: Sequence[float]) -> Mean:
    """The mean of the error rates ``values``, at least one."""
    n = len(values)
    centre = float(np.mean(values))
    if n == 1:
        return Mean(centre, None, None, 1)
    half = float(stdtrit(n - 1, (1 + CONFIDENCE) / 2) * np.std(values, ddof=1) / np.sqrt(n))
    return Mean(centre, max(0.0, centre - half), min(1.0, centre + half), n)
