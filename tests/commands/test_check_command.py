"""``gaptron check``: its contract with people, with programs, and with broken input."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import REPOSITORY, Command, Shipped, heed_interrupts, is_one_sentence
from waiting import PATIENCE, ended, eventually

GOOD = "examples/squared_hinge.py"
BAD = "examples/smooth_hinge_too_fast.py"
OPEN = "examples/no_learning_rate.py"
HEAD = "from gaptron import *\nfrom gaptron.symbols import *\nfrom sympy import Max\n"
LOSS = "loss=MarginLoss(Max(1 - m, 0)**2), gap_map=GapMap(Max(1 - m, 0)**2), learning_rate=1/(4*K)"


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("files", "code"),
    [([GOOD], 0), ([OPEN], 3), ([GOOD, OPEN], 3), pytest.param([OPEN, BAD], 1, marks=pytest.mark.slow)],
)
def test_the_exit_code_is_the_worst_verdict(files: list[str], code: int, gaptron: Command) -> None:
    assert gaptron("check", *(["--json"] if len(files) > 1 else []), *files).returncode == code


@pytest.mark.slow
def test_the_shipped_theorems_are_proved_and_nothing_else_is_said_on_stderr(shipped: Shipped, gaptron: Command) -> None:
    done = gaptron("check", "--cache", shipped.cache)
    assert done.returncode == 0
    assert done.stderr == ""
    assert f"{len(shipped.document['theorems'])} PROVED" in done.stdout
    for name in (*(f"Theorem {n}" for n in range(1, 7)), "abstention"):
        assert name in done.stdout


@pytest.mark.slow
def test_json_is_one_document_with_the_fields_of_the_contract(gaptron: Command) -> None:
    done = gaptron("check", "--json", GOOD, BAD)
    document = json.loads(done.stdout)
    assert document["schema"] == 1
    good, bad = document["theorems"]
    assert good["name"] == "squared hinge"
    assert good["file"] == GOOD
    assert (good["verdict"], good["learning_rate"], good["regret"]) == ("PROVED", "1/(4*K)", "2*K")
    assert good["witness"] is None
    assert (good["refutes"], bad["refutes"]) == (None, "condition")
    for obligation in good["obligations"]:
        assert obligation["verdict"] == "PROVED"
        assert obligation["evidence"] == ["kernel", "smt x2"]
        assert obligation["certificate"].startswith("sha256:")
        assert obligation["method"]
        assert obligation["statement"]
        assert obligation["seconds"] >= 0
    assert bad["verdict"] == "REFUTED"
    witness = bad["witness"]
    assert witness["obligation"].startswith("gap/")
    assert Fraction(witness["gap"]) == Fraction(1, 200)
    assert [Fraction(score) for score in witness["scores"]] == [0, 0]
    assert (witness["K"], witness["x_norm"]) == (2, "1")


def test_what_is_refuted_is_said_in_every_form(gaptron: Command, tmp_path: Path) -> None:
    file, report = "examples/half_at_zero.py", tmp_path / "report.xml"
    done = gaptron("check", "-v", "--junit", report, file)
    assert done.returncode == 1
    first, _, stream, *_ = done.stdout.splitlines()
    assert "8/11 obligations, kernel, the bound is false" in first
    assert stream.split(": ", 1)[1] == (
        "K=2, x=(1) label 1, once; U=(-1/8); (1/8): the learner pays 1/2 in expectation, and the bound is 3/8"
    )
    assert 'message="the bound is false: K=2' in report.read_text()
    (row,) = json.loads(gaptron("check", "--json", file).stdout)["theorems"]
    assert (row["refutes"], row["witness"]["breaks"]["cost"]) == ("bound", "1/2")
    assert "the bound is broken" not in gaptron("check", file).stdout


@pytest.mark.slow
def test_a_transcendental_witness_is_an_enclosure(gaptron: Command) -> None:
    (theorem,) = json.loads(gaptron("check", "--json", "examples/exponential.py").stdout)["theorems"]
    low, high = map(Fraction, theorem["witness"]["gap"])
    assert 0 < low < high
    assert high - low < low / 10**20


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("xyz*", []),
        ("SMOOTH*", ["smooth hinge, too fast"]),
        pytest.param("hinge", ["squared hinge", "smooth hinge, too"], marks=pytest.mark.slow),
    ],
)
def test_only_selects_by_name(pattern: str, names: list[str], gaptron: Command) -> None:
    done = gaptron("check", GOOD, BAD, "--only", pattern)
    assert all(name in done.stdout for name in names)
    if not names:
        assert done.returncode == 2
        assert done.stderr.startswith("gaptron: xyz*: no theorem has such a name: there ")


def test_a_file_of_claims_alone_is_for_the_audit(gaptron: Command) -> None:
    done = gaptron("check", "proofs/neurips25/section5_2_copies.py")
    assert done.returncode == 2
    assert done.stderr.endswith(
        "section5_2_copies.py: claims of a document and no theorem: gaptron audit decides claims\n"
    )


@pytest.mark.slow
def test_verbose_lists_every_obligation_with_its_evidence(gaptron: Command) -> None:
    done = gaptron("check", "-v", GOOD)
    assert done.stdout.count("(kernel, smt x2; ") == 13


def test_help_states_the_exit_codes_and_that_files_are_run(gaptron: Command) -> None:
    said = gaptron("check", "--help").stdout
    for line in (
        "0  everything asked for is PROVED",
        "1  something is REFUTED",
        "2  usage or input error",
        "3  something is UNDECIDED",
    ):
        assert line in said
    assert "runs its Python" in said


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no theorem"),
        (b"x = 1\n", "holds no theorem"),
        (b"x = (\n", ":1: not valid Python: '(' was never closed"),
        (b"\xff\xfe\x00", "not valid Python"),
        (b"a\x00b", "not valid Python"),
        (b"(" * 5000, "not valid Python"),
        (b"import no_such_module\n", ":1: ModuleNotFoundError: No module named 'no_such_module'"),
        (b"\n\n1/0\n", ":3: ZeroDivisionError: division by zero"),
        (b"raise SystemExit(0)\n", ":1: SystemExit: 0"),
        (b"def f(): return f()\nf()\n", "RecursionError"),
        (b"raise ValueError('two\\nlines')\n", ":1: two lines"),
        (f"{HEAD}t = Theorem(name='t', {LOSS})\nu = Theorem(name='t', {LOSS})\n".encode(), "is given to two theorems"),
        (f"{HEAD}t = Theorem(name='t', {LOSS}, colour='red')\n".encode(), ":4: Theorem has no argument 'colour'"),
        (f"{HEAD}\nt = Theorem(name='t', {LOSS},\n    classes=1)\n".encode(), ":5: classes = 1 is less than 2"),
    ],
)
def test_a_broken_file_gets_one_sentence(content: bytes, message: str, tmp_path: Path, gaptron: Command) -> None:
    file = tmp_path / "theorem.py"
    file.write_bytes(content)
    done = gaptron("check", file)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"gaptron: {file}:")
    assert message in done.stderr
    assert is_one_sentence(done.stderr)
    assert json.loads(gaptron("check", "--json", file).stdout)["theorems"] == []


def test_a_folder_and_an_unreadable_path_are_named(tmp_path: Path, gaptron: Command) -> None:
    assert "this folder holds no Python file" in gaptron("check", tmp_path).stderr
    assert "cannot be read" in gaptron("check", f"{tmp_path}/{'x' * 5000}.py").stderr
    assert "cannot be read" in gaptron("check", REPOSITORY / "pyproject.toml" / "x.py").stderr


@pytest.mark.slow
def test_what_a_file_prints_does_not_reach_the_document(tmp_path: Path, gaptron: Command) -> None:
    file = tmp_path / "loud.py"
    file.write_text(f"{HEAD}print('noise')\nt = Theorem(name='[red]\\x1b[2Jt[/]', {LOSS})\n")
    done = gaptron("check", "--json", file)
    assert json.loads(done.stdout)["theorems"][0]["name"] == "[red]\x1b[2Jt[/]"
    assert "noise" in done.stderr
    shown = gaptron("check", file).stdout
    assert "[red]" in shown
    assert "\x1b" not in shown


@pytest.mark.slow
def test_output_that_cannot_be_written_is_not_a_verdict() -> None:
    command = f"{sys.executable} -m gaptron check {GOOD}"
    for tail, code in (("--json > /dev/full", 2), ("> /dev/full", 2), ("| true; exit ${PIPESTATUS[0]}", 141)):
        done = subprocess.run(
            ["bash", "-c", f"{command} {tail}"], cwd=REPOSITORY, text=True, capture_output=True, check=False
        )
        assert done.returncode == code
        assert done.stderr == ("gaptron: the output cannot be written: No space left on device\n" if code == 2 else "")


@pytest.mark.slow
def test_the_shipped_theorems_are_found_from_any_folder(tmp_path: Path, gaptron: Command) -> None:
    done = gaptron("check", "--only", "Theorem 2, hinge", cwd=tmp_path, PYTHONPATH=str(REPOSITORY))
    assert done.returncode == 0
    assert done.stdout.endswith("1 PROVED\n")


@pytest.mark.slow
def test_a_timeout_is_undecided_and_obeyed(tmp_path: Path, gaptron: Command) -> None:
    file = tmp_path / "hard.py"
    file.write_text(
        f"{HEAD}from sympy import exp, log\n"
        "loss = log(1 + exp(-m), 2) + log(1 + exp(-2*m) + exp(-3*m/2), 3)/1000\n"
        "t = Theorem(name='t', loss=MarginLoss(loss), gap_map=GapMap(loss/2), learning_rate=1/(9*K))\n"
    )
    start = time.monotonic()
    done = gaptron("check", "--timeout", "0.01", file)
    assert time.monotonic() - start < PATIENCE
    assert done.returncode in (1, 3)
    assert "PROVED    t " not in done.stdout


@pytest.mark.parametrize("arguments", [["--timeout", "0"], ["--timeout", "x"], ["--colour"]])
def test_a_usage_error_is_exit_2(arguments: list[str], gaptron: Command) -> None:
    assert gaptron("check", *arguments).returncode == 2


@pytest.fixture(params=["heeded", "ignored"])
def _sigint(request: pytest.FixtureRequest) -> Iterator[None]:
    """What this process does about SIGINT, and what it starts inherits: as in a terminal, and as under nohup."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN if request.param == "ignored" else signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


BEGUN, DECIDING = "gaptron", "gaptron.checking.host"  # what a check has imported by then


@pytest.mark.usefixtures("_sigint")
@pytest.mark.few(1)
@pytest.mark.parametrize("module", [BEGUN, DECIDING])
def test_an_interrupt_leaves_no_process_behind(module: str, tmp_path: Path) -> None:
    assert _signalled(signal.SIGINT, module, tmp_path, heed_interrupts) in (130, -signal.SIGINT)


@pytest.mark.usefixtures("_sigint")
@pytest.mark.slow
def test_a_sigterm_leaves_no_process_behind(tmp_path: Path) -> None:
    assert _signalled(signal.SIGTERM, DECIDING, tmp_path, None) == 143


def _give(process: subprocess.Popen[bytes], number: int, again: bool) -> None:
    """A signal; a second one where Python may lose the first: in a callback, while a module is imported."""
    process.send_signal(number)
    try:
        process.communicate(timeout=PATIENCE / 4 if again else PATIENCE)
    except subprocess.TimeoutExpired:
        if not again:
            raise
        _give(process, number, again=False)


def _signalled(number: int, module: str, folder: Path, before: Callable[[], None] | None) -> int:
    """The exit code of a check that gets a signal once it has imported a module; nothing may be left of it."""
    marker, imports = f"gaptron-{os.getpid()}-{folder.name}", folder / "imports"
    with imports.open("w") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-X", "importtime", "-m", "gaptron", "check"],
            cwd=REPOSITORY,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
            preexec_fn=before,
            env={**os.environ, "GAPTRON_MARKER": marker},
        )
    try:
        assert eventually(lambda: re.search(rf"\| +{re.escape(module)}\n", imports.read_text()))
        _give(process, number, again=module == BEGUN)
        assert ended(marker)
        return process.returncode
    finally:
        process.kill()  # what it started ends with it
        process.communicate()
