"""Files that are written whole or not at all."""

import os
import tempfile
from pathlib import Path


def write_atomically(file: Path, content: str | bytes) -> None:
    """Write the whole file or nothing: a reader never sees a part of it, nor does a crash leave one.

    Raises
    ------
    OSError
        If the file cannot be written; what was there before is still there.
    """
    handle, name = tempfile.mkstemp(dir=file.parent or ".", prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content.encode() if isinstance(content, str) else content)
            stream.flush()
            os.fsync(handle)
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
