"""A limit on the time that Python code of ours, or of a theorem file, may take in this process."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from gaptron.system.posix import FORKS

CLAIM_SECONDS = 20.0  # for each claim and engine, unless asked for otherwise
WHY_SECONDS = 10.0  # by the clock, for what would be allowed in the place of what is refuted
LOAD_SECONDS = 60.0
PLAN_SECONDS = 60.0
GRACE = 5.0  # after which a process that did not heed its limit is killed


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError inside the block if it takes longer, where there are alarms (POSIX).

    Main thread only; limits do not nest.
    """
    if not FORKS:
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"was still running after {seconds:g} s")

    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
