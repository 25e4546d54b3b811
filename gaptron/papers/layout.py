"""Lines and blocks of a proof file, and errors that know where they are."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

DEEPEST = 50  # lines below lines
BODY = re.compile(r'(?:[^"#]|"[^"]*"|"(?=[^"]*$))*')  # up to a comment; # may stand in a quotation
QUOTED = re.compile(r'"[^"]*"')


class UnreadError(Exception):
    """What cannot be read: why, and in which part of a line."""

    def __init__(self, reason: str, part: str = "", offset: int = 0) -> None:
        super().__init__(reason)
        self.part, self.offset = part, offset


class PlaceError(Exception):
    """A line of a file that cannot be read."""

    def __init__(self, reason: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {reason}")
        self.reason, self.line, self.column = reason, line, column


@dataclass
class ProofLine:
    """A line with its number, how far it is indented, and the lines below it."""

    number: int
    depth: int
    text: str
    below: "list[ProofLine]" = field(default_factory=list)

    def walk(self, depth: int = 0) -> Iterator[tuple[int, "ProofLine"]]:
        """The line and all below it, each with the number of lines that it stands below."""
        yield depth, self
        for line in self.below:
            yield from line.walk(depth + 1)

    def place(self, error: UnreadError) -> PlaceError:
        """Where in the line an error is."""
        at = self.text.find(error.part) if error.part else 0
        return PlaceError(str(error), self.number, self.depth + max(at, 0) + error.offset + 1)


def blocks(text: str) -> list[ProofLine]:
    """The lines of a file, each with those below it; comments begin with #, and & goes on with the line before.

    Raises
    ------
    PlaceError
        If a line has a character that is no ASCII outside of quotations and comments: it may look like another.
    """
    found: list[ProofLine] = []
    for number, raw in enumerate(text.split("\n"), 1):
        body = _ascii(raw, number).rstrip()
        if body.lstrip().startswith("&") and found:
            found[-1].text += " " + body.strip()[1:].strip()
        elif body.strip():
            found.append(ProofLine(number, len(body) - len(body.lstrip()), body.strip()))
    return _nested(found)


def _ascii(raw: str, number: int) -> str:
    """A line without its comment."""
    body = BODY.match(raw).group()  # type: ignore[union-attr]
    code = QUOTED.sub(lambda quote: " " * len(quote.group()), body).replace("\t", " ").rstrip("\r")
    for at, c in enumerate(code):
        if not " " <= c <= "~":
            raise PlaceError(f"{c!a} outside of a quotation: names and formulas are ASCII", number, at + 1)
    return body


def _nested(lines: list[ProofLine]) -> list[ProofLine]:
    top: list[ProofLine] = []
    stack: list[ProofLine] = []
    for line in lines:
        while stack and stack[-1].depth >= line.depth:
            stack.pop()
        if len(stack) == DEEPEST:
            raise PlaceError(f"more than {DEEPEST} lines below lines", line.number, line.depth + 1)
        (stack[-1].below if stack else top).append(line)
        stack.append(line)
    return top
