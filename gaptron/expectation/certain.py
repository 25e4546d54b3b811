"""A precision at which every branch is certain."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import flint
from mpmath import iv

from gaptron.numbers.kinds import UncertainError

PRECISIONS = (169, 338, 676, 1352)  # bits; the first is 50 decimal digits
Result = TypeVar("Result")


def until_certain(compute: Callable[[], Result]) -> Result:
    """``compute()`` at the least of ``PRECISIONS`` at which every branch is certain; UncertainError if none."""
    for bits in PRECISIONS[:-1]:
        with _precision(bits):
            try:
                return compute()
            except UncertainError:
                continue
    with _precision(PRECISIONS[-1]):
        return compute()


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the garbage collector, which would walk through a growing multitude of states that are in no cycle."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


@contextmanager
def _precision(bits: int) -> Iterator[None]:
    before = flint.ctx.prec, iv.prec
    flint.ctx.prec = iv.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec, iv.prec = before
