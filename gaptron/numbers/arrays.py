"""An expression on NumPy arrays, and on one double, by IEEE arithmetic.

Apart from ``compiled``, so that what needs no arrays does not wait for NumPy.
"""

from collections.abc import Callable, Hashable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gaptron.language.code import NUMPY, code
from gaptron.language.expressions import Expression
from gaptron.numbers.compiled import compiled, function_of
from gaptron.numbers.evaluate import sympys_door
from gaptron.numbers.kinds import Doubles

Arrays = NDArray[np.float64]


@lru_cache(maxsize=512)
def scalar_function(expression: Expression, name: str) -> Callable[[float], float]:
    """The expression as a function of one double by IEEE arithmetic, where what overflows is infinite."""
    function, ieee = compiled(expression, name, Doubles()), array_function(expression, name)

    def on_scalar(value: float) -> float:
        try:
            return float(function(value))
        except (ArithmeticError, ValueError):  # Python's way to say infinite or not a number
            return float(ieee(np.array(value)))

    return on_scalar


@lru_cache(maxsize=512)
def array_function(expression: Expression, name: str) -> Callable[[Arrays], Arrays]:
    """The expression as a function of an array of doubles, by IEEE arithmetic."""
    function = function_of(code(expression, NUMPY, {name: "x"}), vars(np))

    def on_array(values: Arrays) -> Arrays:
        values = np.asarray(values, dtype=float)
        with np.errstate(all="ignore"):
            found = np.asarray(function(values), dtype=float)
        return found.copy() if found.shape == values.shape else np.full(values.shape, found)

    return on_array


def on_arrays(expr: Hashable, variable: Hashable) -> Callable[[Arrays], Arrays]:
    """As ``array_function``, of what is still written in sympy."""
    door = sympys_door()
    return array_function(door.read(expr), door.name_of(variable))
