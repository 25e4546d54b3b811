"""Real data that scikit-learn ships: nothing is downloaded."""

from typing import Any

import numpy as np

from gaptron.streams.stream import Stream, StreamError, stream

NAMES = ("digits", "wine", "iris")


def bundled(name: str) -> Stream:
    """The stream called ``name``, one of ``NAMES``, in the order in which scikit-learn stores it.

    Raises
    ------
    StreamError
        If scikit-learn is not installed.
    """
    try:
        from sklearn import datasets
    except ModuleNotFoundError as error:
        raise StreamError(f"{name}: needs scikit-learn: pip install 'gaptron[sklearn]'") from error
    data: Any = getattr(datasets, f"load_{name}")()
    return stream(name, np.asarray(data.data, dtype=float), data.target.tolist())
