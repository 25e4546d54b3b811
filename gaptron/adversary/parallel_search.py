"""The parts of a search in several processes.

A part's answer is the parameters of a stream and nothing else: how good that stream is, is computed where they arrive.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial

from gaptron.system.child import Voice
from gaptron.system.exits import warn
from gaptron.system.processes import Lost, in_processes

TRIES = 2  # a part whose process died is searched once more
FOREVER = 1e9  # seconds: a part ends by its own deadline

Search = Callable[[int, float], list[float]]


def in_parts(search: Search, parts: Sequence[int], workers: int, deadline: float) -> dict[int, list[float]]:
    """``search(part, its deadline)`` of every part, in so many processes; the parts share the time until the deadline.

    One worker is this process. A part whose process dies each time is said to be lost, and is not among those found.
    """
    if workers == 1:
        return {part: search(part, _share(deadline, len(parts) - number, 1)) for number, part in enumerate(parts)}
    found: dict[int, list[float]] = {}
    for _ in range(TRIES):
        left = [part for part in parts if part not in found]
        work = partial(_work, search, left, workers, deadline)
        with closing(in_processes(work, left, min(workers, len(left)), lambda _: FOREVER)) as heard:
            found |= {part: said["parameters"] for part, said in heard if not isinstance(said, Lost)}
    if len(found) < len(parts):
        warn(
            f"{len(parts) - len(found)} of {len(parts)} parts of the search died with their processes, and are left out"
        )
    return found


def _work(search: Search, parts: Sequence[int], workers: int, deadline: float, voice: Voice) -> None:
    """In the child."""
    for part in voice.tasks():
        voice.say({"parameters": search(part, _share(deadline, len(parts) - parts.index(part), workers))})


def _share(deadline: float, behind: int, workers: int) -> float:
    """When a part is over: the time that is left, divided by what each process has yet to do."""
    now = time.monotonic()
    return now + (deadline - now) * min(1.0, workers / behind)
