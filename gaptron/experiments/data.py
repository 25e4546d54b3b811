"""Streams by name: synthetic ones of any length, and real data from its beginning."""

from dataclasses import replace

from gaptron.streams import NAMES, SYNTHETIC, Stream, StreamError, bundled

ROUNDS = 20_000
ALL = (*SYNTHETIC, *NAMES)


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
    return first(bundled(name), rounds)


def first(stream: Stream, rounds: int | None) -> Stream:
    """The first ``rounds`` rounds of a stream, with the same classes; all of it if it is shorter."""
    return replace(stream, X=stream.X[:rounds], y=stream.y[:rounds])
