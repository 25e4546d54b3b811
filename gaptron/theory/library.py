"""Many theorem files, of which only those that are needed are loaded: each takes a tenth of a second."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from gaptron.theory.files import Filed, Statement, load_whole


class Library:
    """Theorem files, each loaded once, when it is first needed. Loading one runs its Python."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.files = files
        self._loaded: dict[Path, list[Statement | Filed]] = {}

    def entries(self, name: str) -> Iterator[Statement | Filed]:
        """The theorems, lemmas and claims of all files; those of the files that mention the name come first."""
        for file in sorted(self.files, key=lambda file: not _mentions(file, name)):
            if file not in self._loaded:
                statements, claims = load_whole(file)
                self._loaded[file] = [*statements, *claims]
            yield from self._loaded[file]


def _mentions(file: Path, name: str) -> bool:
    try:
        return name.encode() in file.read_bytes()
    except OSError:  # loading it says why
        return True
