"""Where rounds come from: files, bundled real data and synthetic streams.

Features and labels, checked as they are read. Nothing here predicts, or knows a loss.
"""

from gaptron.streams.bundled import NAMES, bundled
from gaptron.streams.chunks import Chunks, chunks
from gaptron.streams.data_files import read
from gaptron.streams.errors import StreamError
from gaptron.streams.features import check_norm
from gaptron.streams.stream import Stream, stream
from gaptron.streams.synthetic import SYNTHETIC, PlantedStream, margin, synnonsep, synsep

__all__ = [
    "NAMES",
    "SYNTHETIC",
    "Chunks",
    "PlantedStream",
    "Stream",
    "StreamError",
    "bundled",
    "check_norm",
    "chunks",
    "margin",
    "read",
    "stream",
    "synnonsep",
    "synsep",
]
