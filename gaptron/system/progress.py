"""How far the work is: on stderr if that is a terminal, in the cell of a notebook, and nowhere else."""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gaptron.system.printable import printable

Shown = Callable[[int, int, str], None]


class Progress:
    """So many of so many things are done, and what is being done now."""

    def __init__(self, what: str, shown: Shown | None = None, printed: Callable[[str], None] = print) -> None:
        self.what, self.shown, self.printed = what, shown, printed
        self.done = self.total = 0

    def at(self, done: int, total: int, what: str | None = None) -> None:
        """So many of so many are done."""
        self.done, self.total, self.what = done, total, what or self.what
        if self.shown is not None:
            self.shown(done, total, printable(self.what))

    def print(self, line: str) -> None:
        """A line on stdout, above what is shown."""
        self.printed(line)

    def begin(self, more: int) -> None:
        """There are so many more than was known."""
        self.at(self.done, self.total + more)

    def advance(self) -> None:
        """One more is done."""
        self.at(self.done + 1, self.total)


@contextmanager
def progress(what: str) -> Iterator[Progress]:
    """Shown while the work goes on, without a thread of its own, as the work is done by forks."""
    if in_notebook():
        shown = _cell()
        yield Progress(what, shown)
        shown(0, 0, "")
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    if not console.is_terminal:
        yield Progress(what)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*columns, console=console, transient=True, auto_refresh=False) as bar:
        task = bar.add_task(what, total=None)

        def shown(done: int, total: int, words: str) -> None:
            bar.update(task, completed=done, total=total or None, description=words, refresh=True)

        def printed(line: str) -> None:
            bar.stop()
            print(line, flush=True)
            bar.start()

        yield Progress(what, shown, printed)


def in_notebook() -> bool:
    """Whether IPython runs here, and shows more than a terminal."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and getattr(ipython.get_ipython(), "kernel", None) is not None


def _cell() -> Shown:
    display = importlib.import_module("IPython.display").display  # no stubs, and not always there
    shown = display({"text/plain": ""}, raw=True, display_id=True)

    def show(done: int, total: int, words: str) -> None:
        shown.update({"text/plain": f"{words}: {done} of {total}" if total else words}, raw=True)

    return show
