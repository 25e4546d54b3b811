"""What somebody may have meant who wrote a part of a name, or one that is none."""

from collections.abc import Iterable
from difflib import get_close_matches
from fnmatch import fnmatch
from itertools import accumulate

NEAREST, ALIKE = 3, 0.65
LONGEST = 110  # characters of a list


def matches(name: str, pattern: str | None) -> bool:
    """Whether the name contains the pattern, in capitals or not (* and ? match anything), or there is none."""
    return pattern is None or fnmatch(name.lower(), f"*{pattern.lower()}*")


def known(name: str, names: Iterable[str]) -> str:
    """The names nearest to this one; if none is near those that there are, as many as fit on a line."""
    every = sorted({*names})
    lower = {one.lower(): one for one in every}
    found = [lower[one] for one in get_close_matches(name.lower(), lower, NEAREST, ALIKE)]
    if found:
        return f"did you mean {' or '.join(map(repr, found))}?"
    listed = list(map(repr, every))
    fitting = sum(length <= LONGEST for length in accumulate(len(one) + 2 for one in listed))
    shown = ", ".join(listed[:fitting])
    more = len(listed) - fitting
    if not more:
        return f"there is {shown}" if shown else "there is none"
    return f"there is {shown} and {more} more" if shown else f"there are {more} others"
