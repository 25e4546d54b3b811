"""The numbers that text writes; an underscore is in none."""

import math
from collections.abc import Callable, Sequence

from gaptron.streams.errors import StreamError, shown


def number(text: str) -> int | float | None:
    """The number that a text writes, which may be nan or infinite; None if it writes none."""
    if "_" in text:
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return None


def finite(texts: Sequence[str], where: Callable[[int], str]) -> list[float]:
    """The finite numbers that ``texts`` write; ``where(i)`` is what an error calls the i-th.

    Raises
    ------
    StreamError
        If one of them is not finite, or no number.
    """
    values = [_double(text) for text in texts]
    if not all(map(math.isfinite, values)):
        first = next(i for i, value in enumerate(values) if not math.isfinite(value))
        raise StreamError(f"{where(first)} is {shown(texts[first])}, not a finite number")
    return values


def _double(text: str) -> float:
    """The double that ``text`` writes; nan if it writes none."""
    try:
        return math.nan if "_" in text else float(text)
    except ValueError:
        return math.nan
