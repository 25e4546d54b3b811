"""Text from files and from users, safe to show on a terminal."""


def printable(text: object) -> str:
    """The text with every control character replaced, so that it cannot move the cursor or end the line."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(text))


def between(name: str, low: object, high: object) -> str:
    """The range of a parameter: a bound that is None is no bound."""
    if low is not None and high is not None:
        return f"{low} <= {name} <= {high}"
    return f"{name} >= {low}" if low is not None else f"{name} real" if high is None else f"{name} <= {high}"
