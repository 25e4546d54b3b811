"""Every theorem and lemma that a file builds while it is loaded, so that none is left out in silence."""

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any
from weakref import ref

COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


@dataclass
class Built:
    """A theorem or lemma that was built, and by which line of the file.

    One that was built at module level is kept alive, one that was built in a function is not. ``is_base`` if another
    one was made of it.
    """

    name: str
    line: int
    in_function: bool
    get: Callable[[], Any]
    is_base: bool = False


class Register:
    """What the code of one file builds; ``namespace`` is that of its module, ``others`` what files it loads build."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.namespace = namespace
        self.built: list[Built] = []
        self.others: list[Built] = []

    def add(self, item: Any, frame: FrameType | None) -> None:
        """An item, built by the caller of ``frame``."""
        builder, base = _builder(frame)
        for other in self.built:
            if base is not None and other.get() is base:
                other.is_base = True
        frames = list(_frames_of(self.namespace, builder))
        if frames and not _is_ours(builder):
            in_function = builder is not frames[0] or any(map(_is_function, frames))
            get = ref(item) if in_function else lambda: item
            self.built.append(Built(item.name, frames[0].f_lineno, in_function, get))


_open: list[Register] = []


@contextmanager
def registering(namespace: dict[str, Any]) -> Iterator[Register]:
    """What is built inside the block."""
    _open.append(Register(namespace))
    try:
        yield _open[-1]
    finally:
        done = _open.pop()
        for outer in _open[-1:]:
            outer.others += done.built


def built(item: Any) -> None:
    """Called by every theorem and lemma at the end of its construction."""
    if _open:
        _open[-1].add(item, sys._getframe(1))


def _builder(frame: FrameType | None) -> tuple[FrameType | None, Any]:
    """The first frame that is not the machinery of dataclasses, and what was replaced or specialised to get there."""
    base = None
    while frame is not None and (_is_dataclasses(frame) or _is_construction(frame)):
        if _is_dataclasses(frame):
            base = frame.f_locals.get("obj", frame.f_locals.get("self"))
        frame = frame.f_back
    if frame is not None and frame.f_code.co_name == "at" and _is_ours(frame):
        base = frame.f_locals.get("self")
    return frame, base


def _is_dataclasses(frame: FrameType) -> bool:
    return frame.f_globals.get("__name__") == "dataclasses"


def _is_construction(frame: FrameType) -> bool:
    return _is_ours(frame) and frame.f_code.co_name in ("__init__", "__post_init__")


def _is_ours(frame: FrameType | None) -> bool:
    return frame is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == "gaptron"


def _frames_of(namespace: dict[str, Any], frame: FrameType | None) -> Iterator[FrameType]:
    """The frames of the file, innermost first; none if another module builds the item while it is imported."""
    while frame is not None and not _is_import(frame, namespace):
        if frame.f_globals is namespace:
            yield frame
        frame = frame.f_back


def _is_import(frame: FrameType, namespace: dict[str, Any]) -> bool:
    module = sys.modules.get(str(frame.f_globals.get("__name__")))
    is_module = frame.f_code.co_name == "<module>" and module is not None and vars(module) is frame.f_globals
    return is_module and frame.f_globals is not namespace


def _is_function(frame: FrameType) -> bool:
    """Not a module, the body of a class, or a comprehension."""
    return bool(frame.f_code.co_flags & inspect.CO_OPTIMIZED) and frame.f_code.co_name not in COMPREHENSIONS
