"""A forked process that says what it does, one JSON document a line, and whose end is never a surprise.

It dies with the process that started it, and closes what it inherits of its siblings' pipes.
"""

import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from threading import Thread
from typing import NoReturn

from gaptron.system.documents import Document
from gaptron.system.posix import FORKS, NoForkError

TICK = 0.2
REAP = 1.0
CHUNK = 1 << 16
LONGEST = 1 << 26  # bytes of a message
Message = Document
_ends: set[int] = set()  # this process's ends of all its pipes


class EndedError(Exception):
    """The process ended: how, as in "exit status 0" or "killed by signal 11"."""


class Voice:
    """How a child speaks to the process that started it."""

    def __init__(self, questions: int, answers: int) -> None:
        self.questions = os.fdopen(questions, encoding="utf-8", closefd=False)  # open as long as the child
        self.answers = answers

    def say(self, message: Message) -> None:
        """One message; BrokenPipeError if nobody listens any more."""
        _write(self.answers, message)

    def hear(self) -> Message | None:
        """The next message; None if there will be none."""
        line = self.questions.readline()
        return json.loads(line) if line.endswith("\n") else None

    def tasks(self) -> Iterator[int]:
        """The numbers of the tasks that it is given, until there will be none."""
        while (message := self.hear()) is not None:
            yield message["task"]


class Child:
    """The process that runs ``work(voice)``; with ``own_group``, killing it kills the processes that it started."""

    def __init__(self, work: Callable[[Voice], None], own_group: bool = False) -> None:
        if not FORKS:
            raise NoForkError
        self.own_group, self.pending = own_group, b""
        self.code: int | None = None  # once it has ended; minus the number of the signal that killed it
        pipes = [os.pipe() for _ in range(3)]
        sys.stdout.flush()
        sys.stderr.flush()
        self.process = os.fork()
        (questions, self.questions), (self.answers, answers), (lifeline, self.lifeline) = pipes
        _ends.update(self._own_ends())
        if self.process == 0:
            _run(work, questions, answers, lifeline, own_group)
        for end in (questions, answers, lifeline):
            os.close(end)

    def _own_ends(self) -> tuple[int, int, int]:
        return self.questions, self.answers, self.lifeline

    def tell(self, message: Message) -> None:
        """One message; if the process has ended, the next ``hear`` says so."""
        with suppress(BrokenPipeError):
            _write(self.questions, message)

    def hear(self, seconds: float | None = None) -> Message | None:
        """The next message; None if there is none in time.

        Raises
        ------
        EndedError
            If the process ended, and everything it said has been heard.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        while b"\n" not in self.pending[-CHUNK:]:
            if len(self.pending) > LONGEST:
                self.stop()
                raise EndedError(f"it said more than {LONGEST >> 20} MB")
            left = TICK if deadline is None else min(TICK, max(0.0, deadline - time.monotonic()))
            over = self.is_over()  # before looking for the last that it said
            if select.select([self.answers], [], [], 0.0 if over else left)[0]:
                chunk = os.read(self.answers, CHUNK)
                self.pending += chunk
                if chunk:
                    continue
                self._reap()
                over = True
            if over:
                self.stop()
                raise EndedError(_described(self.code or 0))
            if deadline is not None and time.monotonic() >= deadline:
                return None
        line, _, self.pending = self.pending.partition(b"\n")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            self.stop()
            raise EndedError("it said what is no message")
        return message

    def stop(self) -> None:
        """Kill the process, if it has not ended, and let go of its pipes."""
        if not self.is_over():
            self._kill()
            self.is_over(wait=True)
        for end in self._own_ends():
            if end in _ends:
                _ends.remove(end)
                os.close(end)

    def _reap(self) -> None:
        """Give a process that has closed its pipe the time to end."""
        deadline = time.monotonic() + REAP
        while not self.is_over() and time.monotonic() < deadline:
            time.sleep(TICK / 20)

    def is_over(self, wait: bool = False) -> bool:
        """Whether the process has ended."""
        if self.code is None:
            process, status = os.waitpid(self.process, 0 if wait else os.WNOHANG)
            if process:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code is not None

    def _kill(self) -> None:
        try:
            (os.killpg if self.own_group else os.kill)(self.process, signal.SIGKILL)
        except ProcessLookupError:  # its group is not there yet
            os.kill(self.process, signal.SIGKILL)


def _described(code: int) -> str:
    return f"exit status {code}" if code >= 0 else f"killed by signal {-code}"


def _write(pipe: int, message: Message) -> None:
    data = memoryview(json.dumps(message).encode() + b"\n")
    while data:
        data = data[os.write(pipe, data) :]


def _run(work: Callable[[Voice], None], questions: int, answers: int, lifeline: int, own_group: bool) -> NoReturn:
    """In the child: work, and leave without running the exit handlers of the process that was forked."""
    code = 1
    try:
        for end in _ends:
            os.close(end)
        _ends.clear()
        _ends.update((questions, answers, lifeline))  # not for the processes that this one starts
        if own_group:
            os.setpgid(0, 0)
        Thread(target=_die_with_parent, args=(lifeline, own_group), daemon=True).start()
        work(Voice(questions, answers))
        code = 0
    except (BrokenPipeError, KeyboardInterrupt):
        pass
    except BaseException as error:
        print(f"gaptron: internal error: {error!r}", file=sys.stderr)
    finally:
        sys.stderr.flush()
        os._exit(code)


def close_others() -> None:
    """In the child: close all that it has inherited but its pipes and the standard streams."""
    kept = [*sorted({0, 1, 2, *_ends}), os.sysconf("SC_OPEN_MAX")]
    for low, high in pairwise(kept):
        os.closerange(low + 1, high)


def _die_with_parent(lifeline: int, own_group: bool) -> None:
    os.read(lifeline, 1)
    (os.killpg if own_group else os.kill)(os.getpid(), signal.SIGKILL)
