"""The process that decides theorems, and says each step to the process that prints.

It runs no theorem file of a user: a fork of it does, and hands over what the file holds (``theory.files``).
"""

import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from math import inf
from pathlib import Path

from gaptron.checking.cache import Cache
from gaptron.checking.checker import Checked, Listener, check, head, obligation_document, statement_document
from gaptron.checking.course import Order
from gaptron.checking.recall import Recalled, recalled
from gaptron.obligations import Obligation
from gaptron.prove.tasks import internal_error
from gaptron.system import deadline
from gaptron.system.child import Message, Voice
from gaptron.system.documents import Document
from gaptron.system.exits import warn
from gaptron.system.near import matches
from gaptron.system.processes import Lost, in_processes
from gaptron.theory.data import read, written
from gaptron.theory.files import FileError, Statement, load, shipped_files
from gaptron.theory.items import Item


def serve(order: Order, voice: Voice) -> None:
    """Load all files, then decide their theorems; the last message is that it is done."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever listens hears of it, and stops this process
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.dup2(2, 1)  # whatever a file writes to stdout
    with closing(Cache(order.cache, warn)) as cache:
        left = _not_kept(order, cache, voice)
        teller = Teller([], order.certificates, voice)
        items = _items(left, order, teller)
        checked = check(items, order.seconds, order.workers, teller, cache, order.cluster)
        if order.coq:
            _ask_coq(checked, order, cache, teller)
    voice.say({"now": "done"})


def _ask_coq(checked: Sequence[Checked], order: Order, cache: Cache, teller: "Teller") -> None:
    """Several theorems at once: Coq takes its time about each."""
    from gaptron.checking.coq_evidence import formal  # here alone: a check without Coq need not wait for it

    def ask(voice: Voice) -> None:
        own = cache.reopened()
        for number in voice.tasks():
            voice.say(formal(checked[number], own))

    for number, found in in_processes(ask, range(len(checked)), order.workers, lambda _: inf):
        if isinstance(found, Lost):
            found = {"accepted": False, "reason": f"the process that asked Coq ended: {found.ended}"}
        teller.formal(number, found)


def _not_kept(order: Order, cache: Cache, voice: Voice) -> Mapping[int, Path]:
    """The files that are left when several processes have loaded files, and replayed those whose every proof is kept.

    Only shipped files are loaded so: a user's is run once, while the process that decides says so.
    """
    left = dict(order.files)
    if order.coq or cache.is_empty() or not {*left.values()} <= {*shipped_files()}:
        return left
    limit = deadline.LOAD_SECONDS + deadline.PLAN_SECONDS
    for number, found in in_processes(partial(_replay, order, cache), list(left), order.workers, lambda _: limit):
        if not isinstance(found, Lost) and found["all"]:
            left.pop(number)
            for message in found["said"]:
                voice.say(message)
    return left


def _replay(order: Order, cache: Cache, voice: Voice) -> None:
    """In the child: load a file, and say what the kept certificates of its theorems show, if none is missing."""
    own = cache.reopened()
    for number in voice.tasks():
        kept = Kept()
        statements = _loaded(number, order.files[number], order, kept)
        teller = Teller([(number, statement.item.name) for statement in statements], order.certificates, kept)
        is_kept = kept.said[-1]["now"] == "loaded" and all(
            _is_replayed(place, statement, own, teller) for place, statement in enumerate(statements)
        )
        voice.say({"all": is_kept, "said": kept.said if is_kept else []})


def _is_replayed(place: int, statement: Statement, cache: Cache, teller: "Teller") -> bool:
    rows = recalled(statement.item, cache)
    if any(row.outcome is None for row in rows):
        return False
    teller.planned(place, [row.obligation for row in rows])
    for number, row in enumerate(rows):
        teller.decided(place, number, row)
    return True


class Kept(Voice):
    """Keeps what is said until it is known whether it is all."""

    def __init__(self) -> None:
        self.said: list[Message] = []

    def say(self, message: Message) -> None:
        """Keep a message."""
        self.said.append(message)


def _loaded(number: int, file: Path, order: Order, voice: Voice) -> list[Statement]:
    """The theorems of a file that are to be decided."""
    voice.say({"now": "loading", "file": number})
    try:
        every = _statements(number, file, order)
        found = [s for s in every if matches(s.item.name, order.only)]
        others = [s.item.name for s in every if s not in found]
        heads = [head(file, statement.item) for statement in found]
        data = {s.item.name: written([s.item])[0] for s in found} if order.shows_data else {}
    except FileError as error:
        voice.say({"now": "refused", "file": number, "error": str(error), "line": error.line})
        return []
    except Exception as error:
        voice.say({"now": "refused", "file": number, "error": f"{file}: {internal_error(error)}", "line": None})
        return []
    voice.say({"now": "loaded", "file": number, "theorems": heads, "data": data, "others": others})
    return [statement for statement in found if statement.item.name not in order.settled.get(number, ())]


def _statements(number: int, file: Path, order: Order) -> list[Statement]:
    if number not in order.given:
        return load(file)
    return [Statement(file, item) for item in read(order.given[number], lambda place: None)]


def _items(files: Mapping[int, Path], order: Order, teller: "Teller") -> Iterator[Item]:
    """The theorems of the files, each as its file is loaded, and with its place."""
    for number, file in files.items():
        for statement in _loaded(number, file, order, teller.voice):
            teller.places.append((number, statement.item.name))
            yield statement.item


class Teller(Listener):
    """Says what a check does."""

    def __init__(self, places: list[tuple[int, str]], certificates: bool, voice: Voice) -> None:
        self.places, self.certificates, self.voice = places, certificates, voice

    def planning(self, number: int) -> None:
        """This theorem's obligations are being derived."""
        self._say("planning", number)

    def planned(self, number: int, obligations: Sequence[Obligation]) -> None:
        """They are these."""
        self._say("planned", number, obligations=list(map(statement_document, obligations)))

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
