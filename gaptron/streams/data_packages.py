"""Packages that bring data, and come with an extra of ours."""

from importlib import import_module
from typing import Any

from gaptron.streams.errors import StreamError
from gaptron.system.extras import MissingExtraError, needing


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
