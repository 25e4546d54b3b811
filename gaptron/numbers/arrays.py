"""A sympy expression on NumPy arrays, and on one double, by IEEE arithmetic.

Apart from ``compiled``, so that what needs no arrays does not wait for NumPy.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from gaptron.door.reading import name_of, read
from gaptron.language.code import NUMPY, code
from gaptron.numbers.compiled import compiled, function_of
from gaptron.numbers.kinds import Doubles

Arrays = NDArray[np.float64]


@lru_cache(maxsize=512)
def on_scalars(expr: sp.Expr, variable: sp.Symbol) -> Callable[[float], float]:
    """``expr`` as a function of one double by IEEE arithmetic, where what overflows is infinite."""
    function, ieee = compiled(expr, variable, Doubles()), on_arrays(expr, variable)

    def on_scalar(value: float) -> float:
        try:
            return float(function(value))
        except (ArithmeticError, ValueError):  # Python's way to say infinite or not a number
            return float(ieee(np.array(value)))

    return on_scalar


@lru_cache(maxsize=512)
def on_arrays(expr: sp.Expr, variable: sp.Symbol) -> Callable[[Arrays], Arrays]:
    """``expr`` as a function of an array of doubles, by IEEE arithmetic."""
    function = function_of(code(read(expr), NUMPY, {name_of(variable): "x"}), vars(np))

    def on_array(values: Arrays) -> Arrays:
        values = np.asarray(values, dtype=float)
        with np.errstate(all="ignore"):
            found = np.asarray(function(values), dtype=float)
        return found.copy() if found.shape == values.shape else np.full(values.shape, found)

    return on_array
