"""The process that answers for a process that runs code of others: a notebook, a script, a test suite.

It is started with the first question, not forked, runs no code of others itself, and answers until this one ends.
"""

import atexit
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from glob import escape
from pathlib import Path
from threading import Lock

from gaptron.checking.cache import default_path
from gaptron.system.documents import Document
from gaptron.system.posix import FORKS, NoForkError
from gaptron.theory.shipped import FileError

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}  # none is there when the process forks
Heard = Callable[[int, int, str], None]


class Interruption(KeyboardInterrupt):
    """The work was interrupted; ``result`` is what was certified until then, if anything was.

    Certificates are kept, so that the same question goes on where it was.
    """

    def __init__(self, answer: Document) -> None:
        super().__init__("interrupted: what was certified is kept")
        self.answer = answer
        self.result: object = None


def asked(question: Document, heard: Heard = lambda done, total, what: None) -> Document:
    """The answer to a question; ``heard`` is told how far it is.

    Raises
    ------
    FileError
        If the question is refused: a sentence.
    Interruption
        With the answer as it is, if this process is interrupted.
    """
    if not FORKS:
        raise FileError(str(NoForkError()))
    return _answering().ask(question, heard)


def theorems(file: Path) -> list[Document]:
    """The heads of the theorems and lemmas of a file, whose imports are found where this process finds them.

    Raises
    ------
    FileError
        As ``gaptron.theory.files.load``.
    """
    found: list[Document] = asked({"verb": "heads", "file": str(file), "path": sys.path})["theorems"]
    return found


def decided(file: Path, name: str, seconds: float) -> Document:
    """One of them, checked by one process: its row."""
    question = {"verb": "check", "data": [], "files": [str(file)], "path": sys.path, "only": escape(name), "coq": False}
    answer = asked(question | {"seconds": seconds, "workers": 1, "cache": str(default_path())})
    for error in answer["errors"]:
        raise FileError(error)
    (found,) = [row["row"] for row in answer["rows"] if row["row"]["name"] == name]
    return dict(found)


class Answering:
    """The process, as long as this one lives. One question at a time, whatever thread asks it."""

    def __init__(self) -> None:
        command = [sys.executable, "-P", "-m", "gaptron.answers.serving"]
        self.process = subprocess.Popen(  # noqa: S603
            command,
            text=True,
            env=os.environ | ONE_THREAD,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # a terminal's interrupt is for who asks
        )
        self.owner, self.lock = os.getpid(), Lock()
        atexit.register(self.end)

    @property
    def is_ours(self) -> bool:
        """Whether it lives, and was not started by the process that this one was forked from."""
        return self.owner == os.getpid() and self.process.poll() is None

    def end(self) -> None:
        """With the process that started it."""
        if self.owner == os.getpid():
            with self.process as process:
                process.kill()

    def ask(self, question: Document, heard: Heard) -> Document:
        """The answer; FileError if it is a refusal."""
        with self.lock:
            self._say(question)
            try:
                answer = self._answer(heard)
            except KeyboardInterrupt as interrupt:
                raise self._interrupted() from interrupt
        if "refused" in answer:
            raise FileError(answer["refused"])
        return answer

    def _say(self, question: Document) -> None:
        assert self.process.stdin is not None  # noqa: S101
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()

    def _answer(self, heard: Heard) -> Document:
        assert self.process.stdout is not None  # noqa: S101
        while line := self.process.stdout.readline():
            said: Document = json.loads(line)
            if "done" not in said:
                return said
            heard(said["done"], said["total"], said["what"])
        raise FileError(f"the process that decides ended (exit status {self.process.wait()})")

    def _interrupted(self) -> Interruption:
        """With what the process has until now; a second interrupt ends it."""
        os.kill(self.process.pid, signal.SIGINT)
        try:
            return Interruption(self._answer(lambda done, total, what: None))
        except BaseException:
            self.process.kill()
            raise


_started: list[Answering] = []


def _answering() -> Answering:
    if not _started or not _started[-1].is_ours:
        _started[:] = [Answering()]
    return _started[-1]
