"""What POSIX systems alone have: forks, limits on memory, locks, masks of signals; and what is done without them."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

FORKS = hasattr(os, "fork")


class NoForkError(Exception):
    """This system cannot do what was asked."""

    def __init__(self) -> None:
        super().__init__(
            "this needs a process that is forked, which this system does not have: use Linux, macOS or WSL on "
            "Windows; learners, run and replay --kernel-only do without"
        )


def limit_memory(size: int) -> None:
    """No more address space than that for this process; macOS and Windows have no such limit."""
    if FORKS and sys.platform != "darwin":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (size, size))


def is_unusable(number: int) -> bool:
    """Whether this descriptor is closed, or is stdout or stderr and cannot be written to."""
    try:
        os.fstat(number)
    except OSError:
        return True
    if not FORKS:
        return False
    import fcntl

    return number > 0 and fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY


def lock(file: TextIO) -> None:
    """Wait until no other process has the lock of this open file; it ends when the file is closed."""
    if FORKS:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


@contextmanager
def signal_mask_kept() -> Iterator[None]:
    """What the block does to the mask of signals is undone."""
    if not FORKS:
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
