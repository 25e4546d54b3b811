"""Files and folders that are written whole or not at all."""

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path


def write_atomically(file: Path, content: str | bytes) -> None:
    """Write the whole file or nothing: a reader never sees a part of it, nor does a crash leave one.

    Raises
    ------
    OSError
        If the file cannot be written; what was there before is still there.
    """
    _write(file, content, os.replace)


def write_new(file: Path, content: str | bytes) -> None:
    """The same, but never over something that is there.

    Raises
    ------
    OSError
        If the file cannot be written, FileExistsError if it exists.
    """
    _write(file, content, _move_to_new)


def write_new_folder(folder: Path, contents: Mapping[str, str]) -> None:
    """A folder with these files, by name: all of them, or nothing.

    Raises
    ------
    OSError
        If it cannot be written, FileExistsError if it exists.
    """
    if os.path.lexists(folder):
        raise FileExistsError
    unfinished = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        for name, content in contents.items():
            write_new(unfinished / name, content)
        os.chmod(unfinished, 0o777 & ~_umask())
        os.rename(unfinished, folder)
    except BaseException:
        shutil.rmtree(unfinished)
        raise


def _write(file: Path, content: str | bytes, move: Callable[[str, Path], None]) -> None:
    handle, name = tempfile.mkstemp(dir=file.parent or ".", prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content.encode() if isinstance(content, str) else content)
            stream.flush()
            os.fsync(handle)
        os.chmod(name, 0o666 & ~_umask())
        move(name, file)
    except BaseException:
        os.unlink(name)
        raise


def _move_to_new(name: str, file: Path) -> None:
    os.link(name, file)
    os.unlink(name)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
