"""Certificates kept between runs, so that nothing is proved again that has not changed.

Why it is sound: a row's key is the digest of the statement, derived again from the theorem in every run, of the
kernel's own source and of the solvers' versions. A row holds proofs, or a refuting point, and nothing else; the kernel
replays them against the statement when they are read, so that a row that is wrong, stale or forged is only a miss.
A verdict is never kept by itself, and what is UNDECIDED is not kept at all: a timeout may be lifted next time. The one
exception: that Coq accepted a development, under the digest of all its texts and of Coq's version.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TypeVar

from gaptron import kernel
from gaptron.kernel import Certificate, Claim, Rejected, digest
from gaptron.system.deadline import time_limit
from gaptron.system.documents import Document

Result = TypeVar("Result")
SOLVERS = ("z3-solver", "cvc5")
PARTS = ("proofs", "refutes")
WAIT = 10.0
REPLAY_SECONDS = 30.0
TABLE = "CREATE TABLE IF NOT EXISTS certificates (key TEXT PRIMARY KEY, proof TEXT NOT NULL)"
ACCEPTED = "CREATE TABLE IF NOT EXISTS developments (key TEXT PRIMARY KEY, said TEXT NOT NULL)"


def default_path() -> Path:
    """GAPTRON_CACHE, or gaptron/certificates.sqlite in the user's cache folder."""
    named = os.environ.get("GAPTRON_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(named) if named else Path(base) / "gaptron" / "certificates.sqlite"


def engines() -> dict[str, str]:
    """The versions that a certificate's key depends on."""
    found = {"kernel": kernel.version()}
    for name in SOLVERS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "missing"
    return found


def replayed(text: object, about: Document, claims: Sequence[Claim]) -> Certificate | None:
    """The certificate of these claims whose proofs, or refuting point, are this text, if the kernel accepts it."""
    try:
        if not isinstance(text, str):
            return None
        kept = kernel.read_json(text)
        if not isinstance(kept, dict) or len(kept) != 1 or not kept.keys() <= set(PARTS):
            return None
        certificate = kernel.completed(about, tuple(claims), kept)
        with time_limit(REPLAY_SECONDS):
            kernel.replay(certificate)
    except (Rejected, ValueError, TypeError, RecursionError, TimeoutError):
        return None
    return certificate


class Cache:
    """The certificates in one SQLite file; if the file cannot be used, ``warn`` is told once and nothing is kept."""

    def __init__(self, path: Path | None, warn: Callable[[str], None]) -> None:
        self.path = path
        self.warn = warn
        self.engines = engines()
        self.connection: sqlite3.Connection | None = None
        if path is not None:
            self._guarded(self._open)

    def _open(self) -> None:
        assert self.path is not None  # noqa: S101
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.connection = sqlite3.connect(self.path, timeout=WAIT, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode=WAL")
        self.connection.execute("PRAGMA synchronous=NORMAL")  # what a power cut takes is only found again
        self.connection.execute(TABLE)
        self.connection.execute(ACCEPTED)

    def _guarded(self, action: Callable[[], Result]) -> Result | None:
        """The action's result; a file that fails is given up with one warning."""
        try:
            return action()
        except (sqlite3.Error, OSError) as error:
            self.warn(f"the cache {self.path} cannot be used ({error}): going on without it")
            self.close()
            return None

    def key(self, claims: Sequence[Claim]) -> str:
        """What a certificate of these claims is kept under."""
        return digest({"claims": [claim.data for claim in claims], "engines": self.engines})

    def _asked(self, command: str, *values: str) -> tuple[object, ...] | None:
        """The first row of the answer, if there is one."""
        connection = self.connection
        if connection is None:
            return None
        found: tuple[object, ...] | None = self._guarded(lambda: connection.execute(command, values).fetchone())
        return found

    def find(self, about: Document, claims: Sequence[Claim]) -> Certificate | None:
        """A certificate of the claims that the kernel has just replayed, or None."""
        if self.connection is None:
            return None
        row = self._asked("SELECT proof FROM certificates WHERE key = ?", self.key(claims))
        return None if row is None else replayed(row[0], about, claims)

    def keep(self, certificate: Certificate) -> None:
        """Keep the proofs, or the refuting point, of a certificate."""
        data = certificate.data
        kept = json.dumps({name: data[name] for name in PARTS if name in data})
        self._asked("INSERT OR REPLACE INTO certificates VALUES (?, ?)", self.key(certificate.claims), kept)

    def said_of(self, development: str) -> str | None:
        """What Coq said of the development with this digest when it accepted it, or None."""
        row = self._asked("SELECT said FROM developments WHERE key = ?", development)
        return row[0] if row is not None and isinstance(row[0], str) else None

    def keep_said(self, development: str, said: str) -> None:
        """Keep what Coq said of a development that it accepted."""
        self._asked("INSERT OR REPLACE INTO developments VALUES (?, ?)", development, said)

    def is_empty(self) -> bool:
        """Whether nothing is kept."""
        return self._asked("SELECT 1 FROM certificates LIMIT 1") is None

    def reopened(self) -> "Cache":
        """The same file for a forked process, which may not share the connection; silent about what was warned of."""
        return Cache(self.path if self.connection is not None else None, lambda _: None)

    def close(self) -> None:
        """Let go of the file."""
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.close()
