"""A check from outside: theorems are decided in processes that may die, and nothing else is lost with them.

The theorems of all files are decided in one process, which forks one for each file to run. If it dies, each file that
is left gets a process of its own, so that it is known which of them it was; a file that does not finish loading, and a
theorem whose obligations take too long, is left out.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import takewhile

from gaptron.checking.course import Course, Order
from gaptron.system import deadline
from gaptron.system.child import Child, EndedError, Voice
from gaptron.system.documents import Document
from gaptron.system.near import known

INTERRUPTION = "the check was interrupted before it was decided"


class Supervisor:
    """Runs a check, whose process imports what it needs from now on. Files and theorems are in the command's order.

    ``refused`` is why there are no files.
    """

    def __init__(self, order: Order, refused: str | None = None) -> None:
        self.order = order
        self.heard: Callable[[], None] = lambda: None
        self.errors: dict[int, str] = {} if refused is None else {-1: refused}
        self.lines: dict[int, int] = {}  # of errors, where they are about one
        self.theorems: dict[int, dict[str, Course]] = {}
        self.others: list[str] = []  # the names of theorems that are not to be checked
        self.last: Document = {}
        self.started: Child | None = _hosting(order) if order.files else None

    @property
    def courses(self) -> Iterator[Course]:
        """Of all theorems that are known."""
        for number in self.order.files:
            yield from self.theorems.get(number, {}).values()

    @property
    def settled(self) -> Iterator[Course]:
        """Of the theorems before the first that is open: what a file that is not loaded holds is open."""
        for number in self.order.files:
            yield from takewhile(lambda course: course.is_settled, self.theorems.get(number, {}).values())
            if not self._is_settled(number):
                return

    @property
    def counts(self) -> tuple[int, int]:
        """How many obligations are decided, and of how many that are known."""
        courses = list(self.courses)
        return sum(len(course.found) for course in courses), sum(len(course.planned or ()) for course in courses)

    def run(self, heard: Callable[[], None] = lambda: None) -> None:
        """Until every file is refused or every theorem of it is settled; ``heard`` is called after every message."""
        self.heard = heard
        waiting = [list(self.order.files)]
        while waiting:
            batch = [number for number in waiting.pop(0) if not self._is_settled(number)]
            try:
                self._host(batch)
            except TimeoutError:
                self._blame(f"was still running after {deadline.PLAN_SECONDS:g} s")
                waiting.insert(0, batch)
            except EndedError as ended:
                if len(batch) == 1:
                    self._leave(batch[0], str(ended))
                waiting[:0] = [[number] for number in batch] if len(batch) > 1 else []
        if self.order.files and not any(self.theorems.values()) and not self.errors:
            self.errors[-1] = self._why_nothing()

    def give_up(self, reason: str) -> None:
        """Leave what is not settled open, for this reason."""
        for course in self.courses:
            if not course.is_settled:
                course.given_up = reason

    def _is_settled(self, number: int) -> bool:
        courses = self.theorems.get(number)
        return number in self.errors or (courses is not None and all(course.is_settled for course in courses.values()))

    def _host(self, batch: list[int]) -> None:
        """One process for these files; returns when it says that it is done."""
        if not batch:
            return
        settled = {n: [name for name, c in self.theorems.get(n, {}).items() if c.is_settled] for n in batch}
        order = replace(self.order, files={n: self.order.files[n] for n in batch}, settled=settled)
        child, self.started = self.started or _hosting(order), None
        try:
            self.last = {"now": "started"}
            while self.last["now"] != "done":
                self._take(_next(child, self.last["now"]))
        finally:
            child.stop()

    def _take(self, message: Document) -> None:
        self.last = message
        getattr(self, f"_{message['now']}", lambda _: None)(message)
        self.heard()

    def _refused(self, message: Document) -> None:
        self.errors[message["file"]] = message["error"]
        if message["line"] is not None:
            self.lines[message["file"]] = message["line"]

    def _loaded(self, message: Document) -> None:
        known = self.theorems.get(message["file"], {})
        heads = {head["name"]: head for head in message["theorems"]}
        self.others += message["others"]
        self.theorems[message["file"]] = {
            name: known.get(name) or Course(head, asks_coq=self.order.coq, data=message["data"].get(name))
            for name, head in heads.items()
        }

    def _planned(self, message: Document) -> None:
        self._course(message).planned = message["obligations"]

    def _decided(self, message: Document) -> None:
        course = self._course(message)
        course.found[message["place"]] = message["obligation"]
        if message["certificate"] is not None:
            course.certificates[message["place"]] = message["certificate"]

    def _formal(self, message: Document) -> None:
        self._course(message).coq = message["coq"]

    def _course(self, message: Document) -> Course:
        return self.theorems[message["file"]][message["theorem"]]

    def _blame(self, reason: str) -> None:
        """What was being done took too long."""
        if self.last["now"] == "planning":
            self._course(self.last).given_up = f"the obligations could not be derived: {reason}"
        else:
            file = self.order.files[self.last["file"]]
            self.errors[self.last["file"]] = f"{file}: did not finish loading in {deadline.LOAD_SECONDS:g} seconds"
        self.heard()

    def _why_nothing(self) -> str:
        """Why no theorem was checked, although no file was refused."""
        if self.order.only is not None:
            return f"{self.order.only}: no theorem has such a name: {known(self.order.only, self.others)}"
        files = ", ".join(map(str, self.order.files.values()))
        return f"{files}: claims of a document and no theorem: gaptron audit decides claims"

    def _leave(self, number: int, ended: str) -> None:
        """The process of this one file died."""
        if number not in self.theorems:
            self.errors[number] = f"{self.order.files[number]}: ended the process while it was loaded ({ended})"
        for course in self.theorems.get(number, {}).values():
            if not course.is_settled:
                course.given_up = f"the process that was deciding it ended ({ended})"
        self.heard()


def _next(child: Child, now: str) -> Document:
    """The next message; TimeoutError if it takes longer than what is being done may take."""
    limits = {"loading": 2 * deadline.LOAD_SECONDS, "planning": deadline.PLAN_SECONDS}  # run, and read
    limit = limits[now] + 2 * deadline.GRACE if now in limits else None
    message = child.hear(limit)
    if message is None:
        raise TimeoutError
    return message


def _hosting(order: Order) -> Child:
    def serve(voice: Voice) -> None:
        from gaptron.checking import host  # here alone: it imports what theorem files need

        host.serve(order, voice)

    return Child(serve)
