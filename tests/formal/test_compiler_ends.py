"""Whoever ends ``check --coq`` ends the compiler that it runs."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY
from waiting import eventually

pytestmark = pytest.mark.slow

COMPILER = """#!/bin/sh
[ "$1" = --print-version ] && { echo 8.16.1; exit; }
echo $$ > "$STARTED.part" && mv "$STARTED.part" "$STARTED"
exec sleep 300
"""


def is_running(process: int) -> bool:
    """Not ended, and no zombie that nobody waits for."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_compiler_ends_with_the_check(tmp_path: Path, number: int) -> None:
    compiler, started = tmp_path / "bin" / "coqc", tmp_path / "started"
    compiler.parent.mkdir()
    compiler.write_text(COMPILER)
    compiler.chmod(0o755)
    own = {
        "PATH": f"{compiler.parent}:{os.environ['PATH']}",
        "STARTED": str(started),
        "GAPTRON_COQ_CACHE": str(tmp_path),
    }
    command = [sys.executable, "-m", "gaptron", "check", "--coq", "examples/two_classes.py"]
    with subprocess.Popen(command, cwd=REPOSITORY, env={**os.environ, **own}, stdout=subprocess.DEVNULL) as check:
        try:
            assert eventually(started.exists, 240)
            process = int(started.read_text())
            assert is_running(process)
        finally:
            check.send_signal(number)
    assert eventually(lambda: not is_running(process))
