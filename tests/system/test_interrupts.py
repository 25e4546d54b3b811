"""An interrupt that falls where Python ignores exceptions ends the program all the same."""

import subprocess
import sys

import pytest
from conftest import REPOSITORY, heed_interrupts

PROGRAM = """
import os, signal, sys, time
from gaptron.system.guard import code_of
from gaptron.system.interrupts import hear_one, keep_interrupts

class Deaf:
    def __init__(self, number):
        self.number = number
    def __del__(self):
        signal.raise_signal(self.number)

def fork():
    os.register_at_fork(after_in_parent=lambda: signal.raise_signal(signal.SIGINT))
    if os.fork() == 0:
        os._exit(0)

def work():
    {ignored}
    time.sleep(20)

{keep}
sys.exit(code_of(work))
"""


def ended(ignored: str, keep: str = "keep_interrupts()") -> tuple[int, str]:
    """Its exit code, and what it said."""
    program = PROGRAM.format(ignored=ignored, keep=keep).replace("sleep(20)", "sleep(20)" if keep else "sleep(1)")
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, cwd=REPOSITORY, text=True, capture_output=True, check=False, timeout=60, preexec_fn=heed_interrupts
    )
    return done.returncode, done.stderr


@pytest.mark.few(2)
@pytest.mark.parametrize("keep", ["keep_interrupts()", "keep_interrupts(); hear_one()"])
@pytest.mark.parametrize(
    ("ignored", "code"), [("Deaf(signal.SIGINT)", 130), ("Deaf(signal.SIGTERM)", 143), ("fork()", 130)]
)
def test_it_is_heard_a_moment_later(ignored: str, code: int, keep: str) -> None:
    assert ended(ignored, keep) == (code, "gaptron: interrupted\n")


@pytest.mark.slow
def test_python_by_itself_loses_it() -> None:
    code, said = ended("fork()", keep="")
    assert code == 0
    assert "KeyboardInterrupt" in said


def test_what_else_is_ignored_is_still_told() -> None:
    code, said = ended("type('Broken', (), {'__del__': lambda self: 1 / 0})(); return 3")
    assert code == 3
    assert "ZeroDivisionError" in said
