"""The same function on many arguments, in several processes."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_all(
    function: Callable[..., Result],
    arguments: Sequence[tuple[Any, ...]],
    workers: int,
    arrived: Callable[[Result], None],
) -> list[Result]:
    """``function(*given)`` for every ``given`` of ``arguments``, in ``workers`` new processes, or here if that is one.

    ``arrived(result)`` is called as results come. After an exception, an interrupt included, nothing more is started.
    """
    processes = min(workers, len(arguments))
    if processes <= 1:
        return _in_turn(function, arguments, arrived)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        try:
            running = [pool.submit(function, *given) for given in arguments]
            for future in as_completed(running):
                arrived(future.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [future.result() for future in running]


def _in_turn(
    function: Callable[..., Result], arguments: Sequence[tuple[Any, ...]], arrived: Callable[[Result], None]
) -> list[Result]:
    results = []
    for given in arguments:
        results.append(function(*given))
        arrived(results[-1])
    return results
