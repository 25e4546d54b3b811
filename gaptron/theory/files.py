"""Theorem files: Python that holds theorems and lemmas at top level.

A file is run in a process of its own, a fork that ends with it, and hands over what it holds as data. What it does to
the process it runs in changes nothing elsewhere: it can only state another theorem than it seems to. The files that
come with the package are code of the package, and run where they are decided.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

from gaptron.system import deadline
from gaptron.system.child import Child, EndedError, Voice, close_others
from gaptron.system.deadline import time_limit
from gaptron.system.documents import Document
from gaptron.system.posix import FORKS
from gaptron.theory.claims import Exact, LedgerClaim
from gaptron.theory.data import read, written
from gaptron.theory.file_names import FileNames
from gaptron.theory.items import Item
from gaptron.theory.running import contents, grounded, source
from gaptron.theory.shipped import NO_FILE, FileError, mentions, shipped_files

__all__ = [
    "NO_FILE",
    "FileError",
    "FileNames",
    "Filed",
    "Statement",
    "load",
    "load_every",
    "load_whole",
    "shipped_files",
]

OURS = re.compile(rb"^\s*(?:from|import)\s+(gaptron(?:\.\w+)*)", re.MULTILINE)

paths: list[str] = []  # where else than in sys.path a file's own imports are looked for


@dataclass(frozen=True)
class Statement:
    """A theorem or lemma and the file it is written in."""

    file: Path
    item: Item


@dataclass(frozen=True)
class Filed:
    """A claim, the file it is written in, and the title of its paper if the file has it."""

    file: Path
    claim: LedgerClaim
    title: str = ""


@dataclass(frozen=True)
class InFile:
    """A function of a ground of a claim, which is no data: ``grounds_of`` its file has the ground at this place."""

    file: Path
    place: int


def load(file: Path) -> list[Statement]:
    """The theorems and lemmas of a file, in the order of their definition. Runs the file's Python.

    Raises
    ------
    FileError
        As `load_whole`.
    """
    return [Statement(file, item) for item in _handed_over(file, _items)]


def load_every(file: Path) -> list[Item]:
    """The theorems and lemmas of a file, those that only a claim's grounds hold included. Runs the file's Python.

    Raises
    ------
    FileError
        As `load_whole`.
    """
    found: list[Item] = _handed_over(file, _every)
    return found


def load_whole(file: Path) -> tuple[list[Statement], list[Filed]]:
    """The theorems and lemmas of a file, in the order in which they were built, and its claims. Runs its Python.

    Raises
    ------
    FileError
        As ``gaptron.theory.running.contents``; if the file ends its process, does not finish, or hands over what is no
        data of theorems, or of theorems that are refused here.
    """
    items, claims, titles = _handed_over(file, contents)
    filed = [Filed(file, claim, title) for claim, title in zip(claims, titles, strict=True)]
    return [Statement(file, item) for item in items], filed


def _items(file: Path) -> list[Item]:
    return contents(file)[0]


def _every(file: Path) -> list[Item]:
    items, claims, _ = contents(file)
    found = [*items, *(item for claim in claims for item in grounded(claim))]
    return list({id(item): item for item in found}.values())


def _handed_over(file: Path, what: Callable[[Path], Any]) -> Any:
    """What the file holds, read from what its process says; a shipped one needs none.

    Where nothing forks no theorem is decided, and a file of a loss for a learner runs here.
    """
    if not FORKS or file.resolve() in _shipped():
        return what(file)
    with FileProcess(file, lambda file, voice: voice.say(written([what(file)])[0])) as process:
        said = process.hear()
    try:
        with time_limit(deadline.LOAD_SECONDS):
            (value,) = read(said, partial(InFile, file))
    except Exception as error:
        text = " ".join(str(error).split()) or type(error).__name__
        raise FileError(f"{file}: what it hands over is refused: {text}") from error
    return value


@cache
def _shipped() -> frozenset[Path]:
    return frozenset(shipped_files())


def grounds_of(file: Path) -> list[Exact]:
    """The grounds by instances of a file, for the process that runs it."""
    return written([contents(file)])[1]


class FileProcess:
    """The process that runs ``work(file, voice)``; what it may have inherited is closed, what it prints is no output.

    It has imported nothing but what is ours: that of the package which the file imports is there already.
    """

    def __init__(self, file: Path, work: Callable[[Path, Voice], None]) -> None:
        self.file = file
        for module in {*OURS.findall(source(file))}:
            with suppress(ImportError):  # which the file says itself
                import_module(module.decode())
        self.child = Child(partial(_alone, file, work), own_group=True)

    def __enter__(self) -> "FileProcess":
        return self

    def __exit__(self, *error: object) -> None:
        self.child.stop()

    def hear(self, seconds: float = 0.0) -> Document:
        """What it says within so many seconds after the file is loaded; FileError if that is nothing, or a refusal."""
        try:
            said = self.child.hear(deadline.LOAD_SECONDS + deadline.GRACE + seconds)
        except EndedError as ended:
            raise FileError(f"{self.file}: ended the process while it was loaded ({ended})") from ended
        if said is None:
            raise FileError(f"{self.file}: did not finish loading in {deadline.LOAD_SECONDS:g} seconds")
        if "refused" in said:
            text = str(said["refused"])
            raise FileError(text if text.startswith(str(self.file)) else f"{self.file}: {text}", said["line"])
        return said


def _alone(file: Path, work: Callable[[Path, Voice], None], voice: Voice) -> None:
    close_others()
    os.dup2(2, 1)
    sys.path += [path for path in paths if path not in sys.path]
    try:
        work(file, voice)
    except BrokenPipeError:
        raise
    except BaseException as error:
        text = " ".join(str(error).split())
        if isinstance(error, FileError):
            voice.say({"refused": text, "line": error.line})
        else:
            voice.say({"refused": f"{type(error).__name__}: {text}", "line": None})


class Library:
    """Theorem files, each loaded once, when it is first needed. Loading one runs its Python.

    ``written``: every name stands in the text of its file, as in those that are shipped, so that others are not loaded.
    """

    def __init__(self, files: Sequence[Path], written: bool) -> None:
        self.files, self.written = files, written
        self._loaded: dict[Path, list[Statement | Filed]] = {}

    def by_file(self, *names: str) -> Iterator[list[Statement | Filed]]:
        """The theorems, lemmas and claims of each file it may be in, first of those that mention the first name."""
        mentioned = [file for name in names for file in self.files if mentions(file, name)]
        yield from map(self._of, dict.fromkeys(mentioned if self.written else [*mentioned, *self.files]))

    def entries(self, name: str) -> Iterator[Statement | Filed]:
        """The theorems, lemmas and claims of the files that mention the name, then those of all files it may be in."""
        return chain.from_iterable(self.by_file(name))

    def everything(self) -> Iterator[Statement | Filed]:
        """Those of all files."""
        return chain.from_iterable(map(self._of, self.files))

    def _of(self, file: Path) -> list[Statement | Filed]:
        if file not in self._loaded:
            statements, claims = load_whole(file)
            self._loaded[file] = [*statements, *claims]
        return self._loaded[file]
