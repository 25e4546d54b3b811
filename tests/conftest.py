"""Running the command as its users do."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: its threads and those of the workers fight

REPOSITORY = Path(__file__).resolve().parent.parent
Completed = subprocess.CompletedProcess[str]
Command = Callable[..., Completed]


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
