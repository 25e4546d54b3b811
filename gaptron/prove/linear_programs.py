"""Linear programs in floats: a solution is a hint, and whoever asks solves it again exactly, or checks it."""

from math import inf

import numpy as np
from scipy.optimize import Bounds, OptimizeResult, milp
from scipy.sparse import csr_array


def least_sum(
    costs: np.ndarray,
    rows: np.ndarray | csr_array,
    low: np.ndarray | float,
    high: np.ndarray | float,
    least: float = 0.0,
    seconds: float = inf,
) -> OptimizeResult:
    """x >= ``least`` with ``low`` <= rows x <= ``high`` and the smallest sum of costs, if ``status`` is 0.

    ``status`` 1 says that the time was up. ``milp`` without integers solves what ``linprog`` does, in half the time.
    """
    box = Bounds(least, inf)
    return milp(costs, constraints=(rows, low, high), bounds=box, options={"time_limit": seconds})
