"""Names of files for theorems and their obligations."""

import re
from itertools import chain, count

LONGEST_SLUG = 80


class FileNames:
    """Names of files for theorems and obligations: letters, digits, dots and dashes, each given once."""

    def __init__(self) -> None:
        self.given: set[str] = set()

    def name(self, theorem: str, obligation: str, suffix: str) -> str:
        """A new name made of both."""
        stem = f"{_slug(theorem)}.{_slug(obligation)}"
        numbered = (f"{stem}.{number}" for number in count(2))
        name = next(name for name in chain([stem], numbered) if name not in self.given)
        self.given.add(name)
        return f"{name}.{suffix}"


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower()[:LONGEST_SLUG] or "theorem"
