"""Which language is a word from? Debian's word lists, as counts of hashed character n-grams."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
from scipy import sparse

from gaptron.streams import features
from gaptron.streams.errors import StreamError
from gaptron.streams.stream import Stream
from gaptron.system import checks

FOLDER = Path("/usr/share/dict")
LISTS = {
    "american-english": "wamerican",
    "danish": "wdanish",
    "dutch": "wdutch",
    "french": "wfrench",
    "italian": "witalian",
    "ngerman": "wngerman",
    "portuguese": "wportuguese",
    "spanish": "wspanish",
    "swedish": "wswedish",
}
PER_LIST = 20_000
N_FEATURES = 2**14
GRAMS = (2, 3)


def words_from(folder: Path, name: str = "words", *, per_list: int = PER_LIST, seed: int = 0) -> Stream:
    """At most ``per_list`` words of every list in ``folder``, drawn without replacement, in random order.

    The label is the list, one of ``LISTS``; a word that is in several lists may be met with each of them. The features
    are sparse: how often each sequence of two or three characters is in the word, which is in lower case with a mark
    at both ends, counted in 2^14 places by CRC-32; every round is scaled to norm 1.

    Raises
    ------
    StreamError
        If fewer than two of the lists are there: the packages that hold them are named.
    """
    checks.integer(per_list, "per_list", 1)
    rng = checks.generator(seed)
    found = [language for language in LISTS if (folder / language).is_file()]
    if len(found) < 2:
        raise StreamError(f"{name}: needs two word lists in {folder}: apt-get install {' '.join(LISTS.values())}")
    drawn = [_draw(_words(folder / language), per_list, rng) for language in found]
    words = [word for part in drawn for word in part]
    labels = np.repeat(np.arange(len(found)), [len(part) for part in drawn])
    order = rng.permutation(len(words))
    return Stream(name, ngram_counts([words[t] for t in order]), labels[order], tuple(found))


def ngram_counts(words: Sequence[str]) -> "sparse.csr_array[np.float64]":
    """The hashed n-grams of every word, scaled to norm 1, shape (T, 2^14)."""
    rows = [[crc32(gram.encode()) % N_FEATURES for gram in _grams(word)] for word in words]
    ends = np.cumsum([0, *map(len, rows)], dtype=np.int32)
    indices = np.array([column for row in rows for column in row], dtype=np.int32)
    counts = sparse.csr_array((np.ones(len(indices)), indices, ends), shape=(len(rows), N_FEATURES))
    counts.sum_duplicates()
    counts.data /= np.repeat(features.norms(counts), np.diff(counts.indptr))
    return counts


def _grams(word: str) -> Iterator[str]:
    marked = f"^{word.lower()}$"
    for n in GRAMS:
        for begin in range(len(marked) - n + 1):
            yield marked[begin : begin + n]


def _words(file: Path) -> list[str]:
    try:
        return [word for line in file.read_text(encoding="utf-8").splitlines() if (word := line.strip())]
    except UnicodeDecodeError as error:
        raise StreamError(f"{file}: is not text in UTF-8") from error


def _draw(words: list[str], size: int, rng: np.random.Generator) -> list[str]:
    chosen = rng.choice(len(words), size=min(size, len(words)), replace=False)
    return [words[t] for t in chosen]
