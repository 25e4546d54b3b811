"""Ctrl-C and SIGTERM: sharpen, attack, audit and compare keep what is certified, and say so; so do the functions."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import REPOSITORY, heed_interrupts
from waiting import PATIENCE, SOON, eventually

import gaptron
from gaptron.answers.process import Interruption
from gaptron.commands.cli import main
from gaptron.ledger import recomputation as audit_module
from gaptron.system.interrupts import SIGNALS
from gaptron.system.progress import Progress

GOOD = REPOSITORY / "examples" / "squared_hinge.py"
SLOW = """
from sympy import Max, exp, log
from gaptron import Claim, GapMap, MarginLoss, Obligations, Theorem
from gaptron.symbols import K, m

l = log(1 + exp(-m), 2) + log(1 + exp(-2*m) + exp(-3*m/2), 3)/1000
quick = Theorem(name="quick", loss=MarginLoss(Max(1 - m, 0)**2), gap_map=GapMap(Max(1 - m, 0)**2),
                learning_rate=1/(4*K))
slow = Theorem(name="slow", loss=MarginLoss(l), gap_map=GapMap(l/2), learning_rate=1/(9*K))


def claim(name, item):
    return Claim(id=name, source="a note, page 1", statement=name, recorded="PROVED", grounds=Obligations(item))
"""
CLAIMS = (
    SLOW
    + """

first, second = claim("mine/first", quick), claim("mine/second", slow)
"""
)
When = Callable[[int, str], bool]
BOTH = pytest.mark.parametrize("number", SIGNALS, ids=["SIGINT", "SIGTERM"])
SAID = {signal.SIGINT: 130, signal.SIGTERM: 143}


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """What this process does about the signals, afterwards as before."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def slow(tmp_path: Path) -> Path:
    file = tmp_path / "slow.py"
    file.write_text(SLOW)
    return file


def interrupt(monkeypatch: pytest.MonkeyPatch, number: int, when: When) -> None:
    """Send this process the signal, once, as soon as the work is so far."""
    at, sent = Progress.at, list[int]()

    def told(self: Progress, done: int, total: int, what: str | None = None) -> None:
        at(self, done, total, what)
        if not sent and when(done, what or ""):
            sent.append(number)
            os.kill(os.getpid(), number)

    monkeypatch.setattr(Progress, "at", told)


def ended(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def first_is_certified(done: int, what: str) -> bool:
    return what.startswith("slow: ")


@BOTH
@pytest.mark.slow
def test_sharpen_says_what_is_certified(number: int, slow: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt(monkeypatch, number, first_is_certified)
    done = ended("sharpen", slow, "--classes", "2", "--json")
    assert (done.exit_code, done.stderr) == (
        SAID[number],
        "gaptron: interrupted: what follows is what was certified so far\n",
    )
    quick, open_ = json.loads(done.stdout)["theorems"]
    assert quick["given_gap_map"]["learning_rate"]["closed_form"] == "1/(4*K)"
    assert "interrupted" in str(open_)


@pytest.mark.few(1)
@BOTH
def test_attack_says_what_was_found(number: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    interrupt(monkeypatch, number, lambda done, what: done == 1)
    saved = tmp_path / "found.json"
    done = ended("attack", GOOD, "--classes", 2, "--classes", 3, "--rounds", 4, "--generations", 0, "--save", saved)
    assert done.exit_code == SAID[number]
    assert "gaptron: interrupted: 1 of 2 are attacked, and what was found is verified\n" in done.stderr
    (found,) = json.loads(saved.read_text())["attacks"]
    assert found["K"] == 2
    assert "K = 2" in done.stdout


@pytest.mark.few(1)
@BOTH
def test_audit_says_what_is_decided(number: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file, collected, whole = tmp_path / "claims.py", audit_module.collected, list[object]()
    file.write_text(CLAIMS)
    monkeypatch.setattr(audit_module, "collected", lambda *known: whole.append(known) or collected(*known))
    interrupt(monkeypatch, number, lambda done, what: bool(whole))
    done = ended("audit", file, "--no-cache", "--workers", 1, "--json")
    assert (done.exit_code, done.stderr) == (SAID[number], "gaptron: interrupted: 1 of 2 claims are decided\n")
    (row,) = json.loads(done.stdout)["claims"]
    assert (row["id"], row["verdict"], row["evidence"][0]) == ("mine/first", "PROVED", "kernel")


@BOTH
@pytest.mark.slow
def test_compare_keeps_what_was_run(number: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    command = ("compare", "--streams", "iris", "--learners", "perceptron,banditron", "--rounds", 60, "--seeds", 2,
               "--explorations", "0.1", "--workers", 1, "--out", tmp_path)  # fmt: skip
    interrupt(monkeypatch, number, lambda done, what: done == 2)
    done = ended(*command)
    said = "gaptron: interrupted; the same command goes on where it stopped\n"
    assert (done.exit_code, done.stdout, done.stderr) == (SAID[number], "", said)
    kept = (tmp_path / "results.jsonl").read_text()
    assert kept.count("\n") == 2
    assert ended(*command).exit_code == 0
    assert (tmp_path / "results.jsonl").read_text().startswith(kept)


# --- the process in which a verb runs --------------------------------------------------------------------------------

GUARDED = """
import signal, sys, time
from gaptron.system.guard import guarded
from gaptron.system.interrupts import code_for, keep_interrupts

def verb():
    try:
        print("begun", flush=True)
        time.sleep(600)
    except KeyboardInterrupt as interrupt:
        signal.raise_signal(signal.SIGINT)  # the terminal's and the guard's
        print("so far")
        return code_for(interrupt)

keep_interrupts()
sys.exit(guarded("verb", verb, print))
"""


@BOTH
def test_a_verb_that_is_interrupted_says_what_it_has(number: int) -> None:
    command = [sys.executable, "-c", GUARDED]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=REPOSITORY, preexec_fn=heed_interrupts, start_new_session=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            os.kill(process.pid, number)
            said, _ = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert (process.returncode, said) == (SAID[number], "so far\n")


# --- the functions ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_function_sharpen_keeps_what_is_certified(slow: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt(monkeypatch, signal.SIGINT, first_is_certified)
    with pytest.raises(Interruption) as caught:
        gaptron.sharpen(slow, classes=[2], cache=False)
    quick, open_ = caught.value.result  # type: ignore[misc]
    low, high = quick.given_gap_map.learning_rate.bracket[2]
    assert low <= 1 / 8 <= high
    assert "interrupted" in str(open_.to_json())
    assert gaptron.check(GOOD).verdict == "PROVED"


@pytest.mark.slow
def test_the_function_attack_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt(monkeypatch, signal.SIGINT, lambda done, what: done == 1)
    with pytest.raises(Interruption) as caught:
        gaptron.attack(GOOD, classes=[2, 3, 4], rounds=[30], generations=200)
    (found,) = caught.value.result  # type: ignore[misc]
    assert found.to_json()["K"] == 2


@pytest.mark.slow
def test_the_function_audit_keeps_what_is_decided(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "claims.py"
    file.write_text(CLAIMS)
    obligations = len(gaptron.check(GOOD)[0].obligations)  # of the same loss, gap map and rate
    interrupt(monkeypatch, signal.SIGINT, lambda done, what: done == obligations)
    with pytest.raises(Interruption) as caught:
        gaptron.audit(file, cache=False, workers=1)
    (row,) = caught.value.result  # type: ignore[misc]
    assert row.verdict == "PROVED"


@pytest.mark.slow
def test_what_answers_ends_with_a_script_that_is_ended(slow: Path) -> None:
    """SIGTERM ends a script at once, as it should; nothing goes on without it."""
    script = f"""
import gaptron
from gaptron.answers import process
from gaptron.system.progress import Progress

def told(self, done, total, what=None):
    print(process._started[0].process.pid, flush=True)

Progress.at = told
gaptron.sharpen({str(slow)!r}, cache=False)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=REPOSITORY) as process:
        assert process.stdout is not None
        answering = int(process.stdout.readline())
        process.terminate()
    assert process.returncode == -signal.SIGTERM
    assert eventually(lambda: not Path(f"/proc/{answering}").exists(), SOON)
