"""Where nothing forks (Windows), simulated: what works there works, and the rest is one sentence."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY, Command

ABSENT = """
import os, select, signal, subprocess, sys
sys.modules |= dict.fromkeys(["fcntl", "resource", "pwd", "grp", "termios"])
for module, names in (
    (os, ["fork", "killpg", "setpgid", "WNOHANG", "sysconf"]),
    (signal, ["SIGALRM", "SIGKILL", "SIGPROF", "setitimer", "ITIMER_REAL", "ITIMER_PROF", "pthread_sigmask"]),
):
    for name in names:
        delattr(module, name)
"""
FILE = REPOSITORY / "examples" / "squared_hinge.py"


def elsewhere(folder: Path, *command: object) -> subprocess.CompletedProcess[str]:
    """A Python command in an interpreter without what Windows has not."""
    (folder / "sitecustomize.py").write_text(ABSENT)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(REPOSITORY)])}
    whole = [sys.executable, *map(str, command)]
    return subprocess.run(whole, cwd=REPOSITORY, env=environment, text=True, capture_output=True, check=False)


@pytest.mark.slow
def test_runs_with_several_seeds(tmp_path: Path) -> None:
    done = elsewhere(tmp_path, "-m", "gaptron", "run", "synsep", "--rounds", "50", "--seeds", "2")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


@pytest.mark.slow
def test_import_theorem_learner_run_and_replay(tmp_path: Path, lent: None, gaptron: Command) -> None:
    assert gaptron("check", FILE, "--certificates", tmp_path / "found").returncode == 0
    certificates = sorted((tmp_path / "found").glob("*.json"))
    done = elsewhere(tmp_path, REPOSITORY / ".ci" / "smoke.py", *certificates)
    assert (done.returncode, done.stdout.count("PROVED ")) == (0, len(certificates)), done.stderr
    assert "no limits on the time and memory of a certificate" in done.stderr
    broken = json.loads(certificates[0].read_text())
    broken["proofs"] = []
    certificates[0].write_text(json.dumps(broken))
    refused = elsewhere(tmp_path, "-m", "gaptron", "replay", "--kernel-only", certificates[0])
    assert refused.returncode == 2
    assert "REJECTED" in refused.stdout


@pytest.mark.few(2)
@pytest.mark.parametrize("verb", [["check", FILE], ["replay", FILE], ["audit"], ["sharpen", FILE]])
def test_what_needs_a_fork_says_so_in_one_sentence(verb: list[object], tmp_path: Path) -> None:
    done = elsewhere(tmp_path, "-m", "gaptron", *verb)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("gaptron: this needs a process that is forked"), done.stderr
    assert "Error" not in done.stderr


def test_modules_that_only_posix_has_are_imported_in_one_file() -> None:
    only = ("import fcntl", "import resource", "import pwd", "import termios", "os.fork(")
    found = {
        file.relative_to(REPOSITORY).as_posix()
        for file in (REPOSITORY / "gaptron").rglob("*.py")
        if any(words in file.read_text() for words in only)
    }
    assert found == {"gaptron/system/posix.py", "gaptron/system/child.py"}
