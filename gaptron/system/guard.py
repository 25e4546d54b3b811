"""How a verb ends: with an exit code that means what it says, whatever the output or a theorem file does."""

import errno
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import TracebackType

import click

from gaptron.system.child import Child, EndedError, Message, Voice
from gaptron.system.exits import USAGE, warn
from gaptron.system.interrupts import code_for, hear_one, number_of
from gaptron.system.posix import FORKS, NoForkError, is_unusable

BROKEN_PIPE = 141
UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF, errno.EFBIG, errno.ENXIO, errno.EAGAIN)
PATIENCE = 1.0  # for a verb that the terminal has interrupted to end by itself
SAYING = 60.0  # for a verb to say what it found so far; a second interrupt ends it


def require_output() -> None:
    """Refuse to work for a stdout that nobody can read; streams that are missing otherwise are replaced by nothing."""
    missing = [number for number in range(3) if is_unusable(number)]
    for number in missing:
        with suppress(OSError):
            os.close(number)
        os.open(os.devnull, os.O_RDWR)
    sys.stdin, sys.stdout, sys.stderr = (
        stream or os.fdopen(number, mode, closefd=False)
        for number, (stream, mode) in enumerate(((sys.stdin, "r"), (sys.stdout, "w"), (sys.stderr, "w")))
    )
    if 1 in missing:
        warn("stdout is closed, or not open for writing: there is nowhere to say the answer")
        sys.exit(USAGE)


def code_of(action: Callable[[], object]) -> int:
    """Run a verb: its exit code. An interrupt, an unwritable output and an error of ours are one sentence each."""
    try:
        code = _returned(action)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort) as interrupt:
        warn("interrupted")
        code = code_for(interrupt)
    except NoForkError as error:
        warn(error)
        code = USAGE
    except BrokenPipeError:
        code = _silenced(BROKEN_PIPE)
    except OSError as error:
        if error.errno not in UNWRITABLE:
            return _internal_error(error)
        warn(f"the output cannot be written: {error.strerror}")
        code = _silenced(USAGE)
    except Exception as error:
        code = _internal_error(error)
    return code


def _returned(action: Callable[[], object]) -> int:
    try:
        code = action()
    except SystemExit as leaving:
        frame = _innermost(leaving.__traceback__)
        module = "" if frame is None else str(frame.tb_frame.f_globals.get("__name__")).partition(".")[0]
        if module == "click":  # its only answer of its own: a broken pipe while help was printed
            raise BrokenPipeError from None
        if frame is not None and module != "gaptron":
            warn(f"{frame.tb_frame.f_code.co_filename}:{frame.tb_lineno}: ended the process: SystemExit: {leaving}")
            return USAGE
        code = leaving.code
    return code if isinstance(code, int) else 0


def _internal_error(error: Exception) -> int:
    """Not the 1 of an uncaught exception, which would read as REFUTED; ``python -X dev`` shows the traceback."""
    if sys.flags.dev_mode:
        raise error
    frame = _innermost(error.__traceback__)
    where = "" if frame is None else f" ({frame.tb_frame.f_code.co_filename}:{frame.tb_lineno})"
    warn(f"internal error: {type(error).__name__}: {' '.join(str(error).split())}{where}")
    return USAGE


def _innermost(traceback: TracebackType | None) -> TracebackType | None:
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback


def _silenced(code: int) -> int:
    """Do not try once more to write what could not be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def guarded(verb: str, action: Callable[[], object], refused: Callable[[str], None]) -> int:
    """Run a verb in a process of its own, and know whether it came to its end: its exit code.

    If it is ended, ``refused`` gets the sentence to say. Output that is collected in memory, which another process
    could not reach, is written by this one; so is all where nothing forks.
    """
    if not (FORKS and _has_descriptor()):
        return code_of(action)
    child = Child(partial(_guarded, action))
    try:
        return _code(child.hear())
    except KeyboardInterrupt as interrupt:
        return _interrupted(child, number_of(interrupt))
    except EndedError as ended:
        refused(f"{verb}: the process ended before it was done ({ended}): was it killed?")
        return USAGE
    finally:
        child.stop()


def _guarded(action: Callable[[], object], voice: Voice) -> None:
    hear_one()
    voice.say({"code": code_of(action)})


def _has_descriptor() -> bool:
    try:
        return sys.stdout.fileno() >= 0
    except (OSError, ValueError):
        return False


def _code(message: Message | None) -> int:
    return int((message or {})["code"])


def _interrupted(child: Child, number: int) -> int:
    """Interrupt it too, unless the terminal has done so; it may have to say what it found so far."""
    with suppress(EndedError):
        message = child.hear(PATIENCE) if number == signal.SIGINT else None
        if message is None:
            os.kill(child.process, number)
            message = child.hear(SAYING)
        if message is not None:
            return _code(message)
    warn("interrupted")
    return 128 + number
