"""A cluster is asked for proofs and believed nothing: whatever its workers do, the verdicts are the same."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from conftest import REPOSITORY, Command
from waiting import PATIENCE

from gaptron.checking import remote_proofs
from gaptron.checking.recall import plan
from gaptron.prove.tasks import Task
from gaptron.system.child import Voice
from gaptron.system.cluster import answers, why_unusable
from gaptron.system.documents import Document
from gaptron.system.extras import install
from gaptron.theory.named import named_theorem

FILES = ("examples/squared_hinge.py", "examples/squared_hinge_too_fast.py")
# Two workers; the argument is what the second one runs when it starts.
CLUSTER = """
import sys
from distributed import Nanny, Scheduler, SpecCluster

if __name__ == "__main__":
    local = {"host": "127.0.0.1"}
    honest = {"cls": Nanny, "options": local | {"nthreads": 1}}
    other = {"cls": Nanny, "options": local | {"nthreads": 1, "preload": [sys.argv[1]] if sys.argv[1] else []}}
    scheduler = {"cls": Scheduler, "options": local | {"dashboard": False}}
    with SpecCluster(workers={0: honest, 1: other}, scheduler=scheduler) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.readline()
"""
PATCHED = "import os, signal\nfrom itertools import cycle\nfrom gaptron.checking import remote_proofs\n"
LIES = """
lies = cycle([
    lambda question: question,
    lambda _: 3,
    lambda _: '{"proofs": [{}]}',
    lambda _: 1 / 0,
])
cluster.search = lambda question: next(lies)(question)
"""
OTHER_WORKERS = {
    "honest": "",
    "killed": PATCHED + "cluster.search = lambda _: os.kill(os.getpid(), signal.SIGKILL)",
    "lying": PATCHED + LIES,
}
FALSE = """
from sympy import Max
from gaptron import MarginLoss, Theorem
from gaptron.symbols import K, m

hinge = MarginLoss(Max(1 - m, 0), off_above=1 / K)
half = Theorem(name="half", loss=hinge, decoder="best", learning_rate=1 / K, regret=K / 4)
"""


@contextmanager
def two_workers(other: str, folder: Path) -> Iterator[str]:
    """The address of a scheduler with two workers, the second of which runs this first."""
    (folder / "cluster.py").write_text(CLUSTER)
    (folder / "other.py").write_text(other)
    command = [sys.executable, folder / "cluster.py", folder / "other.py" if other else ""]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            with suppress(subprocess.TimeoutExpired):
                process.communicate("\n", timeout=PATIENCE)
            process.kill()


def verdicts(document: Document) -> list[tuple[str, str, str, str]]:
    return [
        (theorem["name"], theorem["verdict"], obligation["id"], obligation["verdict"])
        for theorem in document["theorems"]
        for obligation in theorem["obligations"]
    ]


def certificates(document: Document) -> set[str]:
    return {o["certificate"] for theorem in document["theorems"] for o in theorem["obligations"]}


@pytest.mark.slow
@pytest.mark.parametrize("other", OTHER_WORKERS)
def test_verdicts_and_certificates_are_those_of_two_processes(other: str, tmp_path: Path, gaptron: Command) -> None:
    alone = json.loads(gaptron("check", "--json", "--no-cache", "--workers", "2", *FILES).stdout)
    with two_workers(OTHER_WORKERS[other], tmp_path) as address:
        done = gaptron("check", "--json", "--no-cache", "--cluster", address, *FILES)
    together = json.loads(done.stdout)
    assert done.returncode == 1
    assert verdicts(together) == verdicts(alone)
    assert certificates(together) == certificates(alone)
    if other == "honest":
        assert done.stderr == ""
        proved = [o for theorem in together["theorems"] for o in theorem["obligations"] if o["verdict"] == "PROVED"]
        assert all(obligation["evidence"] == ["kernel"] for obligation in proved)


@pytest.mark.slow
@pytest.mark.parametrize("other", OTHER_WORKERS)
def test_an_attack_finds_the_streams_of_one_process(other: str, tmp_path: Path, gaptron: Command) -> None:
    (tmp_path / "mine.py").write_text(FALSE)
    command = ("attack", "--json", tmp_path / "mine.py", "--classes", "2", "--rounds", "2", "--generations", "3")
    alone = gaptron(*command, "--workers", "1")
    attacking = OTHER_WORKERS[other].replace("gaptron.checking", "gaptron.adversary")
    with two_workers(attacking, tmp_path) as address:
        together = gaptron(*command, "--cluster", address)
    assert (alone.returncode, together.returncode) == (1, 1)
    assert json.loads(together.stdout) == json.loads(alone.stdout)
    assert together.stderr == alone.stderr


@pytest.mark.slow
def test_a_comparison_on_a_cluster_has_the_errors_of_one_machine(tmp_path: Path, gaptron: Command) -> None:
    command = ("compare", "--streams", "synsep", "--rounds", "300", "--seeds", "1")
    with two_workers("", tmp_path) as address:
        done = gaptron(*command, "--out", tmp_path / "there", "--cluster", address)
    here = gaptron(*command, "--out", tmp_path / "here")
    assert (done.returncode, done.stderr, here.returncode) == (0, "", 0)

    def errors(folder: str) -> dict[str, list[float]]:
        rows = map(json.loads, (tmp_path / folder / "results.jsonl").read_text().splitlines())
        return {json.dumps(row["job"], sort_keys=True): row["errors"] for row in rows}

    assert errors("there") == errors("here")


Said = Callable[[str], str]
TASKS = {n: Task(theorem, o) for theorem in [named_theorem("hinge")] for n, o in enumerate(plan(theorem))}


def decided_by(said: Said, monkeypatch: pytest.MonkeyPatch) -> dict[int, str]:
    """The verdicts on some tasks if this is what the workers say."""

    def heard(_: str, __: object, questions: Mapping[str, str], ___: float) -> Iterator[tuple[str, str]]:
        yield from ((key, said(question)) for key, question in questions.items())
        yield "a key that nobody asked for", said(next(iter(questions.values())))

    monkeypatch.setattr(remote_proofs, "answers", heard)
    found = remote_proofs.decided_there(TASKS, 5.0, "tcp://127.0.0.1:1")
    return {number: decided.outcome.verdict.value for number, decided in found}


def test_proofs_that_the_kernel_accepts_count(monkeypatch: pytest.MonkeyPatch) -> None:
    assert decided_by(remote_proofs.search, monkeypatch) == dict.fromkeys(TASKS, "PROVED")


@pytest.mark.parametrize(
    "said",
    [
        "", "no JSON", "[]", "null", "{}", '{"proofs": []}', '{"proofs": [{}]}', '{"proofs": null}', "[" * 100_000,
        '{"verdict": "PROVED"}', '{"refutes": [0, {"K": "2"}]}', '{"refutes": [0, {}]}', '{"proofs": [1e999]}',
    ],
)  # fmt: skip
def test_what_is_no_proof_decides_nothing(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert decided_by(lambda _: said, monkeypatch) == {}


def test_the_proof_of_something_else_decides_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    proofs = [remote_proofs.search(json.dumps({"claims": [c.data for c in t.kernel_claims() or ()], "seconds": 5.0}))
              for t in TASKS.values()]  # fmt: skip
    others = iter([*proofs[1:], proofs[0], ""])
    assert len(decided_by(lambda _: next(others), monkeypatch)) < len(TASKS) / 2


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("nonsense", "the address of a scheduler is tcp://HOST:PORT"),
        ("tcp://:8786", "the address of a scheduler is tcp://HOST:PORT"),
        ("tcp://127.0.0.1", "the address of a scheduler is tcp://HOST:PORT"),
        ("tcp://127.0.0.1:1", "no scheduler answers there ([Errno 111] Connection refused)"),
    ],
)
def test_a_cluster_that_cannot_be_asked_is_an_error_of_usage(address: str, why: str, gaptron: Command) -> None:
    done = gaptron("check", "--cluster", address, FILES[0])
    assert (done.returncode, done.stderr) == (2, f"gaptron: --cluster {address}: {why}\n")


def test_a_port_beyond_all_ports_is_refused() -> None:
    assert "no scheduler answers there" in (why_unusable("tcp://127.0.0.1:99999999") or "")


def test_a_cluster_without_its_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gaptron.system.cluster.find_spec", lambda _: None)
    assert why_unusable("tcp://127.0.0.1:1") == f"asking it needs dask.distributed: {install('cluster')}"


@pytest.mark.few(1)
@pytest.mark.parametrize("ends", [True, False])
def test_a_connection_that_ends_or_is_silent_is_given_up(
    ends: bool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def ask(_: str, __: object, ___: object, voice: Voice) -> None:
        voice.say({"key": "first", "said": "this"})
        if not ends:
            voice.hear()

    monkeypatch.setattr("gaptron.system.cluster._ask", ask)
    limit = PATIENCE if ends else 1.0
    assert list(answers("tcp://127.0.0.1:1", str.upper, {"first": "", "second": ""}, limit)) == [("first", "this")]
    said = "ended (exit status 0)" if ends else "said nothing for 1 s"
    assert said in capfd.readouterr().err


def test_workers_must_be_a_number_of_processes(gaptron: Command) -> None:
    for verb in ("check", "audit", "sharpen", "compare", "attack"):
        done = gaptron(verb, "--workers", "0", cwd=REPOSITORY)
        assert done.returncode == 2
        assert "'--workers': 0 is not in the range x>=1" in done.stderr
