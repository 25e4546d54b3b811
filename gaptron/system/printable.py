"""Text from files and from users, safe to show on a terminal, in lines that can be read."""

import re
from textwrap import wrap

LONGEST = 200  # characters of a line
OBJECT = re.compile(r"<(?:bound |built-in )?(?:\w+\.)*(\w+) (?:[^<>]|<[^<>]*>)*>")  # as Python shows one
CLASS = re.compile(r"<class '(?:[\w.<>]+\.)?(\w+)'>")
FURTHER = "    "  # before what does not fit on it


def printable(text: object) -> str:
    """The text with every control character replaced, so that it cannot move the cursor or end the line."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(text))


def worded(text: str) -> str:
    """The text with the kind of an object for what Python shows of it: a place in memory says nothing to people."""
    named = CLASS.sub(r"the class \1", text)
    return OBJECT.sub(lambda found: _kind(found[1]) if " at 0x" in found[0] else found[0], named)


def _kind(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def folded(line: str) -> str:
    """A line, as several if it is longer than ``LONGEST``; words stay whole, those after the first are indented."""
    if len(line) <= LONGEST:
        return line
    indent = line[: len(line) - len(line.lstrip())] + FURTHER
    return "\n".join(wrap(line, LONGEST, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False))


def between(name: str, low: object, high: object) -> str:
    """The range of a parameter: a bound that is None is no bound."""
    if low is not None and high is not None:
        return f"{low} <= {name} <= {high}"
    return f"{name} >= {low}" if low is not None else f"{name} real" if high is None else f"{name} <= {high}"
