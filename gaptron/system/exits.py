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


def error_as_json(message: str) -> str:
    """The document of a verb for an input that could not be used."""
    return json.dumps({"schema": 1, "error": message}, indent=1)


def fail(message: object, code: int = USAGE, document: str | None = None) -> NoReturn:
    """One sentence on stderr and the exit code; ``document`` is what stdout gets, if one was promised."""
    if document is not None:
        click.echo(document)
    warn(message)
    sys.exit(code)


@contextmanager
def writing(path: Path | None, fail: Callable[[str], NoReturn] = fail) -> Iterator[None]:
    """End with one sentence if what is written here cannot be."""
    try:
        yield
    except OSError as error:
        fail(f"{path}: cannot be written: {error.strerror}")
