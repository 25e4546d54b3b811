"""Interrupts, of which SIGTERM is one: heard wherever they fall, and once, so that what is certified can be said."""

import os
import signal
import sys
from threading import Timer
from types import FrameType
from typing import NoReturn

SOON = 0.05
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Terminated(KeyboardInterrupt):
    """SIGTERM."""

    number = signal.SIGTERM


def keep_interrupts() -> None:
    """From now on SIGTERM is an interrupt, and one that fell where exceptions are ignored is sent again a moment later.

    Python drops what is raised in a destructor or at a fork.
    """
    sys.unraisablehook = _unraisable
    signal.signal(signal.SIGTERM, _terminated)


def hear_one() -> None:
    """From now on the first interrupt is heard, and no other: who started this process ends it at the second."""
    for number in SIGNALS:
        signal.signal(number, _first)


def hear_none() -> None:
    """From now on no interrupt is heard."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def number_of(interrupt: BaseException) -> int:
    """The signal that it was."""
    return int(getattr(interrupt, "number", signal.SIGINT))


def code_for(interrupt: BaseException) -> int:
    """The exit code of a verb that was interrupted: 130 or 143."""
    return 128 + number_of(interrupt)


def _terminated(number: int, frame: FrameType | None) -> NoReturn:
    raise Terminated


def _first(number: int, frame: FrameType | None) -> NoReturn:
    for other in SIGNALS:
        signal.signal(other, _no_more)
    raise Terminated if number == signal.SIGTERM else KeyboardInterrupt


def _no_more(number: int, frame: FrameType | None) -> None:
    """The first one was heard."""


def _unraisable(ignored: "sys.UnraisableHookArgs") -> None:
    if not issubclass(ignored.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(ignored)
        return
    number = number_of(ignored.exc_value or KeyboardInterrupt())
    if signal.getsignal(number) is _no_more:  # the first one was not
        hear_one()
    again = Timer(SOON, os.kill, (os.getpid(), number))
    again.daemon = True
    again.start()
