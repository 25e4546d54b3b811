"""Where rounds come from: files and bundled real data."""

from gaptron.streams.bundled import NAMES, bundled
from gaptron.streams.files import read
from gaptron.streams.stream import Stream, StreamError, stream

__all__ = ["NAMES", "Stream", "StreamError", "bundled", "read", "stream"]
