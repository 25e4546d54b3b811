"""How a verb ends that cannot do what was asked: one sentence on stderr, and an exit code."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

import click

from gaptron.system.printable import folded, printable

USAGE = 2


def warn(message: object) -> None:
    """One sentence on stderr, without control characters; unheard if that cannot be written."""
    with suppress(OSError):
        click.echo(folded(f"gaptron: {printable(message)}"), err=True)


def fail(message: object, code: int = USAGE) -> NoReturn:
    """One sentence on stderr and the exit code."""
    warn(message)
    sys.exit(code)


def error_as_json(message: object, **empty: object) -> str:
    """The document of a verb for an input that could not be used; ``empty`` is what it otherwise has."""
    return json.dumps({"schema": 1, **empty, "error": str(message)}, indent=1)


def refusing(as_json: bool, **empty: object) -> Callable[..., NoReturn]:
    """``fail`` of a verb; ``as_json``, where that was promised, stdout gets its document."""

    def refuse(message: object, code: int = USAGE) -> NoReturn:
        if as_json:
            click.echo(error_as_json(message, **empty))
        fail(message, code)

    return refuse


@contextmanager
def writing(path: Path | None, fail: Callable[[str], NoReturn] = fail) -> Iterator[None]:
    """End with one sentence if what is written here cannot be."""
    try:
        yield
    except OSError as error:
        fail(f"{path}: cannot be written: {error.strerror}")
