"""Shuttle and LetterRecognition of the R package mlbench (GPL-2), as Debian installs it."""

from pathlib import Path
from typing import Any

import numpy as np

from gaptron.streams.errors import StreamError, needed
from gaptron.streams.stream import Stream, stream
from gaptron.system.extras import install

FOLDER = Path("/usr/lib/R/site-library/mlbench/data")  # where Debian's r-cran-mlbench puts it
TABLES = {"shuttle": ("Shuttle", "Class"), "letters": ("LetterRecognition", "lettr")}


def shuttle_or_letters_from(folder: Path, name: str) -> Stream:
    """``shuttle`` (T = 58,000, d = 9, K = 7) or ``letters`` (20,000, 16, 26) from mlbench's data folder.

    Raises
    ------
    StreamError
        If the data or rdata, which reads it, is not installed.
    """
    table, label = TABLES[name]
    file = folder / f"{table}.rda"
    if not file.is_file():
        raise StreamError(f"{name}: {file} is missing: apt-get install r-cran-mlbench, {install('data')}")
    rdata = needed(name, "rdata")
    frame: Any = rdata.read_rda(file, default_encoding="ascii")[table]
    return stream(name, frame.drop(columns=label).to_numpy(dtype=np.float64), [str(value) for value in frame[label]])
