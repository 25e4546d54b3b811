"""Streams by name, or from files: synthetic ones of any length, and real data from its beginning."""

from pathlib import Path

from gaptron.streams import NAMES, SYNTHETIC, Chunks, Stream, StreamError, bundled, read
from gaptron.system.exits import warn

ROUNDS = 20_000
ALL = (*SYNTHETIC, *NAMES)
ENOUGH_ROUNDS = 10


def known(name: str) -> str:
    """The name of a stream or of a file; StreamError if it is certainly neither."""
    if name not in ALL and not Path(name).suffix and not Path(name).exists():
        raise StreamError(f"{name}: is neither a file nor one of {', '.join((*NAMES, *SYNTHETIC))}")
    return name


def opened(name: str, rounds: int | None = None, seed: int = 0, label_column: str | None = None) -> Stream:
    """As ``named``, or the first rounds in the file that is called ``name`` (``gaptron.streams.read``).

    Raises
    ------
    StreamError
        As ``named`` and ``read``; for a ``label_column`` of a stream that has a name.
    """
    if known(name) not in ALL:
        return read(Path(name), label_column).first(rounds)
    if label_column is not None:
        raise StreamError(f"{name}: --label-column {label_column} goes with CSV and TSV files only")
    return named(name, rounds, seed)


def doubt(data: Stream | Chunks, label_column: str | None) -> None:
    """Warn, if what was taken for the labels of a file hardly ever comes twice."""
    known_labels = data.name in ALL or label_column is not None
    if not known_labels and ENOUGH_ROUNDS <= data.n_rounds < 2 * len(data.classes):
        warn(
            f"{data.name}: {len(data.classes)} classes in {data.n_rounds} rounds: is the label in another column "
            "(--label-column), or a real number?"
        )


def named(name: str, rounds: int | None = None, seed: int = 0) -> Stream:
    """The stream called ``name``: its first ``rounds`` rounds; by default all, 20,000 of a synthetic one.

    Raises
    ------
    StreamError
        If what it needs is not installed, or if it needs more memory than there is.
    """
    if name in SYNTHETIC:
        try:
            return SYNTHETIC[name](rounds or ROUNDS, seed)
        except MemoryError as error:
            raise StreamError(f"{name}: {rounds} rounds need more memory than there is") from error
    return bundled(name).first(rounds)
