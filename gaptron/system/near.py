"""What somebody may have meant who wrote a name that is none."""

from collections.abc import Iterable
from difflib import get_close_matches

FEW, NEAREST, ALIKE = 8, 3, 0.65
LONGEST = 120


def known(name: str, names: Iterable[str]) -> str:
    """The names nearest to this one; all of them if they are few; how many there are if none is near."""
    every = sorted({*names})
    lower = {one.lower(): one for one in every}
    found = [lower[one] for one in get_close_matches(name.lower(), lower, NEAREST, ALIKE)]
    if found:
        return f"did you mean {' or '.join(map(repr, found))}?"
    listed = ", ".join(map(repr, every))
    few = len(every) <= FEW and len(listed) <= LONGEST
    return f"there is {listed}" if few and every else f"there are {len(every)} others"
