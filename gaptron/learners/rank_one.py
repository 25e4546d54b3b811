"""The inverse of a matrix that grows by one outer product (Sherman and Morrison)."""

from typing import Any

import numpy as np

from gaptron.learners.arithmetic import Arithmetic, Array, require_finite
from gaptron.numbers.kinds import Number


def scaled_identity(n: int, arithmetic: Arithmetic, a: Number, *, diagonal: bool) -> Array:
    """(a I)^{-1}, shape (n, n), or its diagonal, shape (n,)."""
    kind: Any = arithmetic.dtype
    return np.asarray((np.ones(n, kind) if diagonal else np.eye(n, dtype=kind)) / arithmetic.number(a))


def grown_inverse(P: Array, z: Array, weight: Number = 1) -> tuple[Array, Array]:
    """(A + weight z z')^{-1} and its product with z, where P = A^{-1}.

    Parameters
    ----------
    P : (n, n) symmetric or (n,) array
        The inverse of a positive definite A; a vector stands for a diagonal A, which grows by the diagonal of
        weight z z'.
    z : (n,) array
    weight : number >= 0
        Fractions in all arguments give fractions.

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
        growth: Array = 1 + weight * P * z * z
        require_finite(growth)
        shrunk: Array = P / growth
        return shrunk, shrunk * z
    u: Array = P @ z
    growth = 1 + weight * np.maximum(u @ z, 0)  # z'Pz >= 0, whatever rounding says
    require_finite(growth)
    return P - np.outer(u, u) * (weight / growth), u / growth
