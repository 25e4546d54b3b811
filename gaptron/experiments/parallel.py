"""Runs of learners in several processes."""

from collections.abc import Callable, Generator
from contextlib import closing
from functools import partial

from gaptron.streams import StreamError
from gaptron.system.child import Message, Voice
from gaptron.system.posix import FORKS
from gaptron.system.processes import Lost, in_processes

FOREVER = 1e9  # seconds: an experiment takes as long as it takes


def run_all(
    run: Callable[[int], Message], count: int, workers: int, arrived: Callable[[Message], None]
) -> list[Message]:
    """``run(number)`` for ``count`` numbers, in ``workers`` processes; ``arrived(result)`` is called as results come.

    Raises
    ------
    StreamError
        If a run is refused. After that, and after an interrupt, nothing more is started.
    """
    found: dict[int, Message] = {}
    with closing(_results(run, count, workers)) as heard:
        for number, result in heard:
            if isinstance(result, Lost):
                raise RuntimeError(f"the process of a run ended ({result.ended})")
            if "refused" in result:
                raise StreamError(result["refused"])
            found[number] = result
            arrived(result)
    return [found[number] for number in range(count)]


def _results(
    run: Callable[[int], Message], count: int, workers: int
) -> Generator[tuple[int, Message | Lost], None, None]:
    """As they come; one after the other, in this process, where nothing forks."""
    if FORKS:
        yield from in_processes(partial(_run, run), range(count), workers, lambda _: FOREVER)
    else:
        yield from ((number, _result(run, number)) for number in range(count))


def _run(run: Callable[[int], Message], voice: Voice) -> None:
    for number in voice.tasks():
        voice.say(_result(run, number))


def _result(run: Callable[[int], Message], number: int) -> Message:
    try:
        return run(number)
    except (ValueError, OverflowError) as error:
        return {"refused": str(error)}
