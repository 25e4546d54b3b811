"""Many theorem files, of which only those that are needed are loaded: each takes a tenth of a second."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from gaptron.theory.files import Filed, Statement, load_whole
from gaptron.theory.shipped import mentions


class Library:
    """Theorem files, each loaded once, when it is first needed. Loading one runs its Python.

    ``written``: every name stands in the text of its file, as in those that are shipped, so that others are not loaded.
    """

    def __init__(self, files: Sequence[Path], written: bool) -> None:
        self.files, self.written = files, written
        self._loaded: dict[Path, list[Statement | Filed]] = {}

    def entries(self, name: str) -> Iterator[Statement | Filed]:
        """The theorems, lemmas and claims of the files that mention the name, then those of all files it may be in."""
        mentioned = [file for file in self.files if mentions(file, name)]
        others = [] if self.written else [file for file in self.files if file not in mentioned]
        yield from self._of(mentioned + others)

    def everything(self) -> Iterator[Statement | Filed]:
        """Those of all files."""
        yield from self._of(self.files)

    def _of(self, files: Sequence[Path]) -> Iterator[Statement | Filed]:
        for file in files:
            if file not in self._loaded:
                statements, claims = load_whole(file)
                self._loaded[file] = [*statements, *claims]
            yield from self._loaded[file]
