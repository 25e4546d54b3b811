"""What is said of a theorem that cannot be understood."""

from gaptron.system.frames import hiding
from gaptron.system.printable import worded

Readings = tuple[tuple[str, str, str], ...]  # (argument, decimal as it is written, rational that is read)


class TheoremError(ValueError):
    """A theorem that cannot be understood: the message names the argument, its value and what is allowed.

    Examples
    --------
    >>> from gaptron import MarginLoss, TheoremError
    >>> from gaptron.symbols import z
    >>> MarginLoss(1 - z)
    Traceback (most recent call last):
        ...
    gaptron.theory.refusals.TheoremError: MarginLoss phi = 1 - z uses the symbol z: allowed here: m, K
    """

    def __init__(self, message: str) -> None:
        super().__init__(worded(message))


__tracebackhide__ = hidden = hiding(TheoremError)
