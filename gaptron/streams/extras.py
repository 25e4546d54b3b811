"""Packages that come with an extra of ours."""

from importlib import import_module
from typing import Any

from gaptron.streams.errors import StreamError


def needed(stream: str, module: str, package: str, extra: str) -> Any:
    """The module of a package that the stream needs.

    Raises
    ------
    StreamError
        If the package is not installed: the extra that installs it is named.
    """
    root = module.partition(".")[0]
    try:
        import_module(root)
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != root:
            raise
        raise StreamError(f"{stream}: needs {package}: pip install 'gaptron[{extra}]'") from error
