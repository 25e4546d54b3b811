"""A whole stream in pieces, with the speed and the error rate so far."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gaptron.learners import compiled as fast
from gaptron.learners.learner import Learner
from gaptron.learners.record import Run, joined
from gaptron.streams import Stream

CHUNK = 5000
Show = Callable[[int, int], None]


@contextmanager
def bar(total: int | None, task: str = "rounds") -> Iterator[Show]:
    """A progress bar on stderr if it is a terminal; it is told the rounds that are done, and the mistakes in them.

    If ``total`` is None, nobody knows how many rounds there are, and none has been predicted.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    start = time.monotonic()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        shown = progress.add_task(task, total=total)

        def show(done: int, mistakes: int) -> None:
            speed = f"{done / max(time.monotonic() - start, 1e-9):.0f} rounds/s"
            about = f"{task}, {speed}" if total is None else f"error rate {mistakes / done:.3f}, {speed}"
            progress.update(shown, completed=done, description=about)

        yield show


def run_in_chunks(learner: Learner, stream: Stream, show: Show) -> Run:
    """Run the learner on the stream; ``show`` is told of every piece."""
    parts: list[Run] = []
    compiled = fast.chosen(learner, stream.n_rounds)
    for begin in range(0, stream.n_rounds, CHUNK):
        chunk = slice(begin, begin + CHUNK)
        parts.append(learner.run(stream.X[chunk], stream.y[chunk], compiled=compiled))
        show(min(begin + CHUNK, stream.n_rounds), sum(part.mistakes for part in parts))
    return joined(parts)
