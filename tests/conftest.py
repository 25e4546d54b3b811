"""Running the command as its users do."""

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: its threads and those of the workers fight

REPOSITORY = Path(__file__).resolve().parent.parent
Completed = subprocess.CompletedProcess[str]
Command = Callable[..., Completed]


@dataclass(frozen=True)
class Shipped:
    """One cold check of all shipped theorems: its document, and the certificates it kept."""

    document: dict[str, Any]
    cache: Path


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Shipped:
    """The cold check is made once, whichever test process comes first."""
    base = tmp_path_factory.getbasetemp()
    folder = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    cache, said = folder / "shipped.sqlite", folder / "shipped.json"
    with (folder / "shipped.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not said.exists():
            done = subprocess.run(
                [sys.executable, "-m", "gaptron", "check", "--json", "--cache", str(cache)],
                cwd=REPOSITORY,
                text=True,
                capture_output=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
            said.write_text(done.stdout)
    return Shipped(json.loads(said.read_text()), cache)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept between tests, and nobody's cache is touched."""
    monkeypatch.setenv("GAPTRON_CACHE", str(tmp_path / "cache.sqlite"))


@pytest.fixture
def gaptron() -> Command:
    """Run ``gaptron ARGUMENTS`` in the repository and return what it did."""

    def run(*arguments: object, cwd: Path = REPOSITORY, **environment: str) -> Completed:
        return subprocess.run(
            [sys.executable, "-m", "gaptron", *map(str, arguments)],
            cwd=cwd,
            text=True,
            capture_output=True,
            timeout=300,
            check=False,
            env={**os.environ, **environment},
        )

    return run
