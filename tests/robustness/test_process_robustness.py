"""A process that dies, exits or never ends becomes one line for its file or theorem, and takes nothing with it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from conftest import REPOSITORY, Command, check_kept, heed_interrupts, is_one_sentence
from waiting import PATIENCE, certificates_in, ended, eventually, open_files

from gaptron.checking import coq_evidence, host
from gaptron.checking import recall as recalling
from gaptron.checking.cache import Cache, default_path
from gaptron.checking.checker import check
from gaptron.checking.course import Order
from gaptron.checking.recall import Recalled
from gaptron.checking.supervise import Supervisor
from gaptron.prove.decide import Prover
from gaptron.system import child as child_module
from gaptron.system import deadline
from gaptron.system.child import Child, EndedError, Voice
from gaptron.system.exits import fail
from gaptron.system.guard import code_of
from gaptron.theory.files import load

GOOD = REPOSITORY / "examples" / "squared_hinge.py"
HEAD = """
import ctypes, os, signal, sys, threading, time
from gaptron import *
from gaptron.symbols import *
from sympy import Max

def theorem(name, rate=1/(4*K)):
    return Theorem(name=name, loss=MarginLoss(Max(1 - m, 0)**2), gap_map=GapMap(Max(1 - m, 0)**2), learning_rate=rate)

a = theorem('a')
"""
SEARCHED = 3  # certificates that a check has found itself when it is ended
LINE = HEAD.count("\n") + 1
BLOCK = "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\n"
SLOW = "from sympy import exp, log\nl = log(1 + exp(-m), 2) + log(1 + exp(-2*m) + exp(-3*m/2), 3)/1000\n" + "".join(
    f"t{n} = Theorem(name='slow {n}', loss=MarginLoss(l), gap_map=GapMap(l/2), learning_rate=1/((9 + {n})*K))\n"
    for n in range(3)
)


def written(folder: Path, body: str, name: str = "file.py") -> Path:
    file = folder / name
    file.write_text(HEAD + body)
    return file


def supervised(*files: Path) -> Supervisor:
    supervisor = Supervisor(Order(dict(enumerate(files)), None, 10, 2, None, False))
    supervisor.run()
    return supervisor


# --- loading ------------------------------------------------------------------------------------------------


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("body", "how"),
    [
        ("os._exit(0)", "exit status 0"),
        ("os._exit(7)", "exit status 7"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "killed by signal 9"),
        ("ctypes.string_at(0)", "killed by signal 11"),
        ("os.abort()", "killed by signal 6"),
        ("signal.signal(signal.SIGALRM, signal.SIG_DFL); signal.alarm(1); time.sleep(60)", "killed by signal 14"),
    ],
)
def test_a_file_that_ends_the_process_is_named(body: str, how: str, tmp_path: Path, gaptron: Command) -> None:
    file = written(tmp_path, body)
    done = gaptron("check", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1] == f"gaptron: {file}: ended the process while it was loaded ({how})"
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_other_files_are_decided(tmp_path: Path, gaptron: Command) -> None:
    files = [written(tmp_path, "os._exit(0)", "1.py"), GOOD, written(tmp_path, "1/0", "2.py"), tmp_path / "none.py"]
    document = json.loads(gaptron("check", "--json", *files).stdout)
    assert [(t["name"], t["verdict"]) for t in document["theorems"]] == [("squared hinge", "PROVED")]
    for said in ("1.py: ended the process while", f"2.py:{LINE}: ZeroDivisionError", "none.py: does not exist"):
        assert said in document["error"]
    done = gaptron("check", *files)
    assert done.returncode == 2
    assert done.stdout.startswith("PROVED    squared hinge")
    assert done.stderr.count("\n") == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "body", [f"{BLOCK}ctypes.CDLL(None).sleep(600)", "while True:\n try:\n  time.sleep(9)\n except: pass"]
)
def test_a_file_that_never_ends_is_named(body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "LOAD_SECONDS", 6.0)
    monkeypatch.setattr(deadline, "GRACE", 0.5)
    file = written(tmp_path, body)
    found = supervised(file, GOOD)
    assert found.errors == {0: f"{file}: did not finish loading in 6 seconds"}
    assert [course.document()["verdict"] for course in found.courses] == ["PROVED"]


@pytest.mark.slow
def test_a_loop_that_blocks_signals_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "LOAD_SECONDS", 1.0)
    monkeypatch.setattr(deadline, "GRACE", 0.5)
    found = supervised(written(tmp_path, f"{BLOCK}while True: pass"))
    assert list(found.errors) == [0]


@pytest.mark.slow
def test_a_file_that_blocks_signals_is_decided_all_the_same(tmp_path: Path) -> None:
    assert [c.document()["verdict"] for c in supervised(written(tmp_path, BLOCK)).courses] == ["PROVED"]


@pytest.mark.usefixtures("lent")
def test_what_a_file_writes_to_stdout_by_whatever_means_is_not_in_the_document(
    tmp_path: Path, gaptron: Command
) -> None:
    file = written(tmp_path, "os.write(1, b'noise\\n'); os.system('echo more noise')")
    done = gaptron("check", "--json", file)
    assert json.loads(done.stdout)["theorems"][0]["verdict"] == "PROVED"
    assert "more noise" in done.stderr


# --- deciding -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_process_that_ends_while_it_decides_leaves_what_it_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends once the first theorem is decided, and the next one is begun."""
    file, decided, told = written(tmp_path, "b = theorem('b', 1/(5*K))"), host.Teller.decided, list[str]()
    first = len(recalling.obligations_of(load(file)[0].item))

    def leaving(self: host.Teller, number: int, place: int, row: Recalled) -> None:
        decided(self, number, place, row)
        told.append(self.places[number][1])
        if told[-1] == "b" and (told.count("a") == first or all(name != "a" for _, name in self.places)):
            os._exit(0)

    monkeypatch.setattr(host.Teller, "decided", leaving)
    found = [course.document() for course in supervised(file, GOOD).courses]
    assert {one["name"]: one["verdict"] for one in found} == {
        "a": "PROVED",
        "b": "UNDECIDED",
        "squared hinge": "PROVED",
    }
    reasons = {o["reason"] for o in found[1]["obligations"]}
    assert "the process that was deciding it ended (exit status 0)" in reasons


def test_a_killed_host_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "check", lambda items, *_: (list(items), os.kill(os.getpid(), signal.SIGKILL)))
    (course,) = supervised(GOOD).courses
    document = course.document()
    assert document["verdict"] == "UNDECIDED"
    assert document["obligations"][0]["reason"] == "the process that was deciding it ended (killed by signal 9)"


@pytest.mark.slow
def test_a_derivation_that_never_ends_costs_one_theorem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    obligations = recalling.obligations_of

    def stuck(item: object) -> object:
        if getattr(item, "name", "") == "b":
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
            time.sleep(600)
        return obligations(item)  # type: ignore[arg-type]

    monkeypatch.setattr(recalling, "obligations_of", stuck)
    monkeypatch.setattr(deadline, "PLAN_SECONDS", 6.0)
    monkeypatch.setattr(deadline, "GRACE", 0.5)
    found = [
        course.document() for course in supervised(written(tmp_path, "b = theorem('b'); c = theorem('c')")).courses
    ]
    assert [theorem["verdict"] for theorem in found] == ["PROVED", "UNDECIDED", "PROVED"]
    assert found[1]["obligations"][0]["reason"].startswith("the obligations could not be derived: was still running")


@pytest.mark.slow
@pytest.mark.parametrize("error", [ZeroDivisionError("two\nlines"), SystemExit(0), MemoryError()])
def test_an_error_while_planning_is_the_reason_of_that_theorem(
    error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    obligations = recalling.obligations_of

    def broken(item: object) -> object:
        if getattr(item, "name", "") == "b":
            raise error
        return obligations(item)  # type: ignore[arg-type]

    monkeypatch.setattr(recalling, "obligations_of", broken)
    found = [course.document() for course in supervised(written(tmp_path, "b = theorem('b')")).courses]
    assert [theorem["verdict"] for theorem in found] == ["PROVED", "UNDECIDED"]
    reason = found[1]["obligations"][0]["reason"]
    assert type(error).__name__ in reason or "memory" in reason
    assert "\n" not in reason


@pytest.mark.slow
def test_an_error_while_deciding_is_the_reason_of_that_obligation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    prove = Prover.prove

    def failing(self: Prover, task: object) -> object:
        if task.obligation.id == "loss/convex":  # type: ignore[attr-defined]
            raise KeyError("two\nlines")
        return prove(self, task)  # type: ignore[arg-type]

    monkeypatch.setattr(Prover, "prove", failing)
    (course,) = supervised(GOOD).courses
    found = {obligation["id"]: obligation for obligation in course.document()["obligations"]}
    assert found.pop("loss/convex")["reason"] == "an internal error: KeyError: 'two\\nlines'"
    assert {obligation["verdict"] for obligation in found.values()} == {"PROVED"}
    assert capfd.readouterr().err == ""


@pytest.mark.slow
def test_a_kept_certificate_that_kills_its_process_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "kept.sqlite", pytest.fail)
    items = [statement.item for statement in host.load(GOOD)]
    check(items, 10, 2, cache=cache)
    monkeypatch.setattr(Cache, "find", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    (checked,) = check(items, 10, 2, cache=cache)
    assert checked.verdict.value == "PROVED"


@pytest.mark.slow
def test_a_derivation_that_kills_its_process_costs_one_theorem_with_a_cache_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(tmp_path / "kept.sqlite", pytest.fail)
    items = [s.item for s in host.load(written(tmp_path, "b = theorem('b'); c = theorem('c')"))]
    check(items[:1], 10, 2, cache=cache)
    obligations = recalling.obligations_of
    monkeypatch.setattr(
        recalling,
        "obligations_of",
        lambda item: os.kill(os.getpid(), signal.SIGSEGV) if item.name == "b" else obligations(item),
    )
    found = check(items, 10, 1, cache=cache)
    assert [checked.verdict.value for checked in found] == ["PROVED", "UNDECIDED", "PROVED"]
    reason = "the obligations could not be derived: the process ended (killed by signal 11)"
    assert found[1].outcomes[0].reason == reason


# --- interrupts ---------------------------------------------------------------------------------------------


def interrupted(folder: Path, *arguments: object, number: int = signal.SIGINT) -> subprocess.CompletedProcess[str]:
    """Interrupt a check once it has decided its first theorem, whose certificates are kept, and is at another one."""
    file, cache = written(folder, SLOW), default_path()
    check_kept([s.item for s in load(GOOD)], 10)
    enough = certificates_in(cache) + SEARCHED
    command = [sys.executable, "-m", "gaptron", "check", *map(str, arguments), GOOD, file]
    out, err = folder / "out", folder / "err"
    with out.open("w") as stdout, err.open("w") as stderr:
        process = subprocess.Popen(
            command, cwd=REPOSITORY, stdout=stdout, stderr=stderr, start_new_session=True, preexec_fn=heed_interrupts
        )
        try:
            assert eventually(lambda: certificates_in(cache) >= enough)
            process.send_signal(number)
            process.wait(PATIENCE)
        finally:
            process.kill()  # what it started ends with it
            process.wait()
    return subprocess.CompletedProcess(command, process.returncode, out.read_text(), err.read_text())


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_check_says_what_was_decided(number: int, tmp_path: Path) -> None:
    junit, certificates = tmp_path / "junit.xml", tmp_path / "certificates"
    done = interrupted(tmp_path, "--json", "--junit", junit, "--certificates", certificates, number=number)
    assert done.returncode == 128 + number
    document = json.loads(done.stdout)
    assert document["partial"] is True
    verdicts = {theorem["name"]: theorem["verdict"] for theorem in document["theorems"]}
    assert verdicts["squared hinge"] == "PROVED"
    assert verdicts["slow 2"] == "UNDECIDED"
    last = document["theorems"][-1]["obligations"][-1]
    assert last["reason"] == "the check was interrupted before it was decided"
    suites = ElementTree.parse(junit).getroot()
    assert suites.find("properties/property").attrib == {"name": "partial", "value": "true"}  # type: ignore[union-attr]
    assert [suite.get("name") for suite in suites.findall("testsuite")] == list(verdicts)
    assert list(certificates.glob("squared-hinge.*.json"))
    assert done.stderr.startswith("gaptron: interrupted: ")
    assert is_one_sentence(done.stderr)


@pytest.mark.slow
def test_verdicts_are_printed_as_they_arrive(tmp_path: Path) -> None:
    done = interrupted(tmp_path)
    assert done.returncode == 130
    assert done.stdout.startswith("PROVED    squared hinge")
    assert "left open" in done.stderr


@pytest.mark.slow
def test_a_whole_check_is_not_partial(gaptron: Command) -> None:
    assert "partial" not in json.loads(gaptron("check", "--json", GOOD).stdout)


@pytest.mark.slow
def test_a_killed_check_leaves_no_process_behind(tmp_path: Path) -> None:
    file, marker = written(tmp_path, SLOW), f"gaptron-killed-{os.getpid()}"
    process = subprocess.Popen(
        [sys.executable, "-m", "gaptron", "check", str(file)],
        cwd=REPOSITORY,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "GAPTRON_MARKER": marker},
    )
    try:
        assert eventually(lambda: certificates_in(default_path()) >= SEARCHED)
    finally:
        process.kill()
        process.wait()
    assert ended(marker)


# --- other verbs --------------------------------------------------------------------------------------------


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "arguments",
    [
        ("sharpen", "FILE", "--classes", "2"),
        ("sharpen", "FILE", "--json"),
        ("audit", "FILE"),
        ("audit", "FILE", "--json"),
        ("attack", "FILE"),
        ("explain", "a", "FILE"),
        ("explain", "a", "FILE", "--json"),
        ("export", "FOLDER", "FILE"),
        ("run", "wine", "--loss", "FILE"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("body", ["os._exit(0)", "ctypes.string_at(0)"])
def test_a_verb_whose_process_is_ended_says_so(
    body: str, arguments: tuple[str, ...], tmp_path: Path, gaptron: Command
) -> None:
    named = {"FILE": written(tmp_path, body), "FOLDER": tmp_path / "out"}
    done = gaptron(*(named.get(argument, argument) for argument in arguments))
    assert done.returncode == 2
    assert is_one_sentence(done.stderr)
    assert "ended" in done.stderr
    if "--json" in arguments:
        assert "ended" in json.loads(done.stdout)["error"]


def test_a_function_of_a_claim_that_exits_is_no_verdict(tmp_path: Path, gaptron: Command) -> None:
    ground = "Breaks(lambda: {}), recorded='PROVED'"
    for number, leave in enumerate(("sys.exit(0)", "os._exit(0)")):
        claim = f"c = Claim(id='d/c', source='s', statement='s', grounds={ground.format(leave)})"
        done = gaptron("explain", "d/c", written(tmp_path, claim, f"{number}.py"))
        assert done.returncode == 2, done


@pytest.mark.slow
def test_an_interrupt_of_another_verb_is_heeded(tmp_path: Path) -> None:
    loaded = tmp_path / "loaded"
    file = written(tmp_path, f"open({str(loaded)!r}, 'w').close(); time.sleep(600)")
    command = [sys.executable, "-m", "gaptron", "sharpen", str(file)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, cwd=REPOSITORY, text=True, stderr=pipe, stdout=pipe, preexec_fn=heed_interrupts)
    try:
        assert eventually(loaded.exists)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=PATIENCE)[1] == "gaptron: interrupted\n"
        assert process.returncode == 130
    finally:
        process.kill()
        process.communicate()


# --- streams ------------------------------------------------------------------------------------------------


VERBS = [
    f"check {GOOD}",
    f"check --json {GOOD}",
    "--help",
    "check --help",
    f"sharpen {GOOD}",
    "explain x",
    "run --help",
]
TAILS = ["1</dev/null", ">&- 2>&-", ">&- 2>&- <&-", "> /dev/full"]


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("verb", "tail"),
    [*((verb, ">&-") for verb in VERBS), *((verb, tail) for tail in TAILS for verb in (f"check {GOOD}", "--help"))],
)
def test_a_stdout_that_nobody_can_read_is_exit_2(verb: str, tail: str) -> None:
    command = ["bash", "-c", f"{sys.executable} -m gaptron {verb} {tail}"]
    done = subprocess.run(command, cwd=REPOSITORY, text=True, capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == ("2>&-" not in tail)


@pytest.mark.slow
def test_without_stderr_and_stdin_the_answer_is_the_same() -> None:
    command = ["bash", "-c", f"{sys.executable} -m gaptron check {GOOD} 2>&- <&-"]
    done = subprocess.run(command, cwd=REPOSITORY, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "1 PROVED")


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_verdict() -> None:
    for verb in (f"check {GOOD}", "--help", f"sharpen {GOOD} --classes 2"):
        command = ["bash", "-c", f"{sys.executable} -m gaptron {verb} | true; exit ${{PIPESTATUS[0]}}"]
        done = subprocess.run(command, cwd=REPOSITORY, text=True, capture_output=True, check=False)
        assert (done.returncode, done.stderr) in ((141, ""), (0, "")), verb


def test_an_error_that_nobody_foresaw_is_no_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of(lambda: {}["no\nkey"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("gaptron: internal error: KeyError: ")
    assert is_one_sentence(said)


def test_a_verb_that_leaves_has_its_own_code_and_a_file_that_leaves_has_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def leaves() -> None:
        sys.exit(0)

    assert code_of(leaves) == 2
    assert "ended the process: SystemExit: 0" in capsys.readouterr().err
    assert code_of(lambda: fail("a sentence", 3)) == 3


# --- the process itself -------------------------------------------------------------------------------------


def test_a_child_says_how_it_ended_and_leaves_no_pipe_behind() -> None:
    before = open_files()
    for end, how in (("os._exit(3)", "exit status 3"), ("os.kill(os.getpid(), 9)", "killed by signal 9")):
        child = Child(lambda voice, end=end: (voice.say({"said": "x" * 200_000}), eval(end)))  # noqa: S307
        assert len((child.hear(PATIENCE) or {})["said"]) == 200_000
        with pytest.raises(EndedError, match=how):
            child.hear(PATIENCE)
    assert open_files() <= before


def test_a_child_whose_pipe_another_process_holds_is_known_to_have_ended() -> None:
    child = Child(lambda voice: os._exit(4) if os.fork() else time.sleep(600), own_group=True)
    try:
        with pytest.raises(EndedError, match="exit status 4"):
            child.hear(PATIENCE)
    finally:
        os.killpg(child.process, signal.SIGKILL)


def test_a_child_that_has_done_its_work_says_nothing_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The pipe that it listens to is no file that it forgot to close (a warning that ``-X dev`` shows)."""
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)  # not the one of pytest, which is silent
    child = Child(lambda voice: voice.say({"real": 1}))
    assert child.hear(PATIENCE) == {"real": 1}
    with pytest.raises(EndedError, match="exit status 0"):
        child.hear(PATIENCE)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("noise", [b"noise\n", b"[]\n", b"[" * 100_000 + b"\n"])
def test_noise_in_the_pipe_ends_the_conversation(noise: bytes) -> None:
    child = Child(lambda voice: (os.write(voice.answers, noise), voice.say({"real": 1})))  # type: ignore[arg-type,return-value]
    with pytest.raises(EndedError, match="it said what is no message"):
        child.hear(PATIENCE)
    assert child.code is not None


def test_an_endless_message_ends_the_conversation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_module, "LONGEST", 1 << 20)

    def endless(voice: Voice) -> None:
        while True:
            os.write(voice.answers, b"x" * 4096)

    with pytest.raises(EndedError, match="more than 1 MB"):
        Child(endless).hear(PATIENCE)


def test_a_process_that_ends_while_it_asks_coq_costs_its_theorem_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    said: dict[int, Any] = {}
    monkeypatch.setattr(coq_evidence, "formal", lambda one, cache: os._exit(3) if one == "b" else {"accepted": True})
    order, teller = SimpleNamespace(workers=2), SimpleNamespace(formal=said.__setitem__)
    host._ask_coq(["a", "b", "c"], order, Cache(None, print), teller)  # type: ignore[list-item, arg-type]
    assert said.pop(1) == {"accepted": False, "reason": "the process that asked Coq ended: exit status 3"}
    assert said == {0: {"accepted": True}, 2: {"accepted": True}}
