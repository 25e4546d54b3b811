"""An interrupt is heard wherever it falls: Python drops what is raised in a destructor or at a fork."""

import os
import signal
import sys
from threading import Timer

SOON = 0.05


def keep_interrupts() -> None:
    """From now on, an interrupt that fell where exceptions are ignored is sent again a moment later."""
    sys.unraisablehook = _unraisable


def _unraisable(ignored: "sys.UnraisableHookArgs") -> None:
    if not issubclass(ignored.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(ignored)
        return
    number = getattr(ignored.exc_value, "number", signal.SIGINT)
    again = Timer(SOON, os.kill, (os.getpid(), number))
    again.daemon = True
    again.start()
