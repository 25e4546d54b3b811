"""What is said of a stream that is none, of a file that cannot be read, and of a package that is not installed."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from gaptron.system.extras import MissingExtraError, needing

SHOWN = 40


class StreamError(ValueError):
    """A stream that cannot be read: one sentence that names the file, the line and the value."""


def shown(text: str) -> str:
    """The text in quotes, cut if it is long."""
    quoted = repr(text)
    return quoted if len(quoted) <= SHOWN else quoted[: SHOWN - 3] + "..."


@contextmanager
def one_sentence(file: Path) -> Iterator[None]:
    """What the system and Python raise about a file, as a ``StreamError``."""
    try:
        yield
    except FileNotFoundError as error:
        raise StreamError(f"{file}: does not exist") from error
    except OSError as error:
        raise StreamError(f"{file}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise StreamError(f"{file}: is not text in UTF-8") from error
    except MemoryError as error:
        raise StreamError(f"{file}: needs more memory than there is") from error


def needed(stream: str, module: str) -> Any:
    """The module of a package that the stream needs.

    Raises
    ------
    StreamError
        If the package is not installed: what installs it is named.
    """
    try:
        with needing(f"{stream}:"):
            import_module(module.partition(".")[0])
            return import_module(module)
    except MissingExtraError as error:
        raise StreamError(str(error)) from error
