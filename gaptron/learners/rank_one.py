"""The inverse of a matrix that grows by one outer product (Sherman and Morrison)."""

import numpy as np

from gaptron.learners.arithmetic import Array
from gaptron.learners.finite import require_finite


def grown_inverse(P: Array, z: Array, weight: float = 1.0) -> tuple[Array, Array]:
    """(A + weight z z')^{-1} and its product with z, where P = A^{-1}.

    Parameters
    ----------
    P : (n, n) symmetric or (n,) array
        The inverse of a positive definite A; a vector stands for a diagonal A, which grows by the diagonal of
        weight z z'.
    z : (n,) array
    weight : float >= 0

    Raises
    ------
    OverflowError
        If z'Pz is beyond the range of doubles.

    Notes
    -----
    Costs O(n^2), or O(n) for a diagonal. The outer product is formed before it is scaled: so P stays exactly
    symmetric. Rounding makes P inaccurate when the condition number of A approaches 1e16.
    """
    if P.ndim == 1:
        shrunk: Array = P / _finite(1 + weight * P * z * z)
        return shrunk, shrunk * z
    u: Array = P @ z
    growth = _finite(1 + weight * np.maximum(u @ z, 0))  # z'Pz >= 0, whatever rounding says
    return P - np.outer(u, u) * (weight / growth), u / growth


def _finite(growth: Array) -> Array:
    require_finite(growth)
    return growth
