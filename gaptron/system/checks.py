"""Arguments of learners, checked: every message names the argument, its value and what is allowed."""

import math
from collections.abc import Sequence
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

Given: TypeAlias = Any  # what a user gives for numbers, features, labels or weights: checked before it is used


def integer(value: object, argument: str, minimum: int) -> int:
    """``value`` as an int, at least ``minimum``; a bool is not an integer."""
    if not _is_integer(value) or value < minimum:  # type: ignore[operator]
        raise ValueError(f"{argument} = {value!r} is not an integer >= {minimum}")
    return int(value)  # type: ignore[call-overload, no-any-return]


def label(value: object, argument: str, n_classes: int) -> int:
    """``value`` as an int in 0..n_classes - 1."""
    if not _is_integer(value) or not 0 <= value < n_classes:  # type: ignore[operator]
        raise ValueError(f"{argument} = {value!r} is not a label: labels are the integers 0..{n_classes - 1}")
    return int(value)  # type: ignore[call-overload, no-any-return]


def flag(value: object, argument: str) -> bool:
    """``value`` as a bool; nothing else is one."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{argument} = {value!r} is not True or False")
    return bool(value)


def choice(value: object, argument: str, allowed: Sequence[str]) -> str:
    """``value``, one of the ``allowed`` strings."""
    if not isinstance(value, str) or value not in allowed:
        names = ", ".join(f'"{name}"' for name in allowed)
        raise ValueError(f"{argument} = {value!r} is not one of {names}")
    return value


def positive(value: Given, argument: str, *, infinite: bool = False) -> Given:
    """``value``, a number > 0, finite unless ``infinite`` is allowed."""
    if not _is_real(value) or not value > 0 or (math.isinf(value) and not infinite):
        raise ValueError(f"{argument} = {value!r} is not a {'' if infinite else 'finite '}number > 0")
    return value


def fraction_of_one(value: Any, argument: str) -> Any:
    """``value``, a number in [0, 1]."""
    if not _is_real(value) or not 0 <= value <= 1:
        raise ValueError(f"{argument} = {value!r} is not a number in [0, 1]")
    return value


def shape(found: tuple[int, ...], argument: str, expected: tuple[int, ...]) -> None:
    """Refuse an array of another shape."""
    if found != expected:
        raise ValueError(f"{argument} has shape {found}: it must have shape {expected}")


def length(values: object, argument: str) -> int:
    """The number of rounds in ``values``."""
    if not isinstance(values, (Sequence, np.ndarray)) or np.ndim(values) == 0:
        raise ValueError(f"{argument} = {values!r} is not a sequence of rounds")
    return len(values)


def labels(values: object, argument: str, n_rounds: int, n_classes: int) -> list[int]:
    """``values`` as ``n_rounds`` ints in 0..n_classes - 1."""
    array = np.asarray(values)
    shape(array.shape, argument, (n_rounds,))
    return [label(value, f"{argument}[{t}]", n_classes) for t, value in enumerate(array.tolist())]


def generator(seed: object) -> np.random.Generator:
    """The generator that ``seed`` is, or one seeded with it."""
    if seed is not None and not isinstance(seed, np.random.Generator):
        if not _is_integer(seed) or seed < 0:  # type: ignore[operator]
            raise ValueError(f"seed = {seed!r} is not None, an integer >= 0 or a numpy.random.Generator")
        seed = int(seed)  # type: ignore[call-overload]
    return np.random.default_rng(seed)  # type: ignore[arg-type]


def _is_integer(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def is_ball(value: object) -> bool:
    """Whether ``value`` is a flint.arb, told without importing flint, which doubles do without."""
    return type(value).__module__.startswith("flint") and type(value).__name__ == "arb"


def _is_real(value: object) -> bool:
    number = isinstance(value, (Real, np.floating, np.integer)) and not isinstance(value, bool)
    return number or is_ball(value)
