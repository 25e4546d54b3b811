"""What is said of a stream that is none."""

SHOWN = 40


class StreamError(ValueError):
    """A stream that cannot be read: one sentence that names the file, the line and the value."""


def shown(text: str) -> str:
    """The text in quotes, cut if it is long."""
    quoted = repr(text)
    return quoted if len(quoted) <= SHOWN else quoted[: SHOWN - 3] + "..."
