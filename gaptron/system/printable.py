"""Text from files and from users, safe to show on a terminal."""


def printable(text: object) -> str:
    """The text with every control character replaced, so that it cannot move the cursor or end the line."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(text))
