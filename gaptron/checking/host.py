"""The process that loads theorem files and decides them, and says each step to the process that prints.

A theorem file is run here: if it ends the process, or never ends, the listener knows what was being done.
"""

import fnmatch
import os
import signal
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from gaptron.checking.cache import Cache
from gaptron.checking.check import Listener, check
from gaptron.checking.document import head, obligation_document
from gaptron.checking.order import Order
from gaptron.checking.recall import Recalled
from gaptron.obligations import Obligation
from gaptron.prove.tasks import internal_error
from gaptron.system.child import Voice
from gaptron.system.documents import Document
from gaptron.system.exits import warn
from gaptron.theory.files import FileError, Statement, load


def serve(order: Order, voice: Voice) -> None:
    """Load all files, then decide their theorems; the last message is that it is done."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever listens hears of it, and stops this process
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.dup2(2, 1)  # whatever a file writes to stdout
    statements = [(number, s) for number, file in order.files.items() for s in _loaded(number, file, order, voice)]
    places = [(number, statement.item.name) for number, statement in statements]
    with closing(Cache(order.cache, warn)) as cache:
        teller = Teller(places, order.certificates, voice)
        items = [statement.item for _, statement in statements]
        checked = check(items, order.seconds, order.workers, teller, cache, order.cluster)
        if order.coq:
            from gaptron.checking.formal import formal  # here alone: a check without Coq need not wait for it

            for number, one in enumerate(checked):
                teller.formal(number, formal(one, cache))
    voice.say({"now": "done"})


def _loaded(number: int, file: Path, order: Order, voice: Voice) -> list[Statement]:
    """The theorems of a file that are to be decided."""
    voice.say({"now": "loading", "file": number})
    try:
        found = [s for s in load(file) if order.only is None or _matches(s.item.name, order.only)]
        heads = [head(file, statement.item) for statement in found]
    except FileError as error:
        voice.say({"now": "refused", "file": number, "error": str(error)})
        return []
    except Exception as error:
        voice.say({"now": "refused", "file": number, "error": f"{file}: {internal_error(error)}"})
        return []
    voice.say({"now": "loaded", "file": number, "theorems": heads})
    return [statement for statement in found if statement.item.name not in order.settled.get(number, ())]


def _matches(name: str, pattern: str) -> bool:
    return fnmatch.fnmatch(name.lower(), f"*{pattern.lower()}*")


class Teller(Listener):
    """Says what a check does."""

    def __init__(self, places: Sequence[tuple[int, str]], certificates: bool, voice: Voice) -> None:
        self.places, self.certificates, self.voice = places, certificates, voice

    def planning(self, number: int) -> None:
        """This theorem's obligations are being derived."""
        self._say("planning", number)

    def planned(self, number: int, obligations: Sequence[Obligation]) -> None:
        """They are these."""
        self._say("planned", number, obligations=[{"id": o.id, "statement": o.statement} for o in obligations])

    def decided(self, number: int, place: int, row: Recalled) -> None:
        """One of them has an outcome."""
        assert row.outcome is not None  # noqa: S101
        found = obligation_document(row.obligation, row.outcome)
        certificate = row.certificate if self.certificates else None
        self._say("decided", number, place=place, obligation=found, certificate=certificate)

    def formal(self, number: int, found: Document) -> None:
        """What Coq says of the whole theorem."""
        self._say("formal", number, coq=found)

    def _say(self, now: str, number: int, **more: object) -> None:
        file, name = self.places[number]
        self.voice.say({"now": now, "file": file, "theorem": name, **more})
