"""What a learner is about to remember must stay in the range of doubles."""

import numpy as np

from gaptron.learners.arithmetic import Array


def require_finite(*arrays: Array) -> None:
    """Refuse a change that overflows, before it is made.

    Raises
    ------
    OverflowError
        If an entry is infinite or not a number.
    """
    if not all(np.isfinite(array).all() for array in arrays):
        raise OverflowError("the weights overflow: scale the features")
