"""What ``explain`` says: a verdict with its row and lines, and the reasons beside a witness."""

from collections.abc import Iterator
from dataclasses import dataclass

from gaptron.checking.cache import Cache
from gaptron.constants.engine import Engine
from gaptron.constants.why import why
from gaptron.system.deadline import CLAIM_SECONDS
from gaptron.system.documents import Document
from gaptron.system.printable import printable
from gaptron.system.progress import Progress
from gaptron.theory.items import Item


@dataclass(frozen=True)
class Explained:
    """The verdict, the row of ``check`` or ``audit`` with ``why`` beside it, and the same in lines for people."""

    verdict: str
    row: Document
    lines: tuple[str, ...]
    is_claim: bool = False

    @property
    def document(self) -> Document:
        """For ``explain --json``."""
        return {"schema": 1, **({"claim": self.row} if self.is_claim else {"theorems": [self.row]})}


def reasons_for(item: Item, witnesses: list[Document], cache: Cache, shown: Progress, seconds: float) -> list[str]:
    """Which term outweighs which at the witnesses, and what would be allowed."""
    shown.at(0, 0, "what would be allowed")
    engine = Engine(CLAIM_SECONDS, 2, cache, begin=shown.begin, report=shown.advance)
    return why(item, witnesses, engine, seconds) if witnesses else []


def block(title: str, text: str) -> Iterator[str]:
    """A title and its text on one line; nothing if there is no text."""
    if text:
        yield f"  {title}: {printable(' '.join(text.split()))}"
