"""Which frames pytest leaves out of a traceback: those of a module whose ``__tracebackhide__`` says so."""

from collections.abc import Callable
from typing import Protocol


class Caught(Protocol):
    """What pytest knows of an exception."""

    def errisinstance(self, kind: type[BaseException]) -> bool:
        """Whether it is of this kind."""


def hiding(kind: type[BaseException]) -> Callable[[Caught], bool]:
    """The ``__tracebackhide__`` of a module whose errors of this kind are about what a user wrote."""
    return lambda caught: caught.errisinstance(kind)
