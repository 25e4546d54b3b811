"""Waiting for a state instead of for some seconds: a test that waits holds on a machine that is busy."""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

PATIENCE = 120.0  # for what happens within a second on a quiet machine
SOON = 15.0  # for processes that were killed


def eventually(holds: Callable[[], object], seconds: float = PATIENCE) -> bool:
    """Whether it holds, at the latest after so many seconds."""
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.05)
    return bool(holds())


def ended(marker: str) -> bool:
    """Whether all processes with this in their environment have ended, or will soon."""
    return eventually(lambda: not _processes_with(marker), SOON)


def _processes_with(marker: str) -> list[str]:
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if marker.encode() in environment.read_bytes():
                found.append(environment.parent.name)
    return found


def certificates_in(cache: Path) -> int:
    """How many certificates a file of a cache holds, if there is one."""
    try:
        with closing(sqlite3.connect(f"file:{cache}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM certificates").fetchone()[0])
    except sqlite3.Error:
        return 0


def children() -> set[str]:
    """The processes that this one has started and that are not gone, zombies included."""
    return {pid for file in Path("/proc/self/task").glob("*/children") for pid in file.read_text().split()}


def open_files() -> int:
    """How many files, pipes and sockets this process has open."""
    return len(os.listdir("/proc/self/fd"))
