"""The cache of certificates: nothing false comes out of it, and whatever happens to it, nothing is lost."""

import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import conftest
import pytest
from conftest import REPOSITORY, Command, is_one_sentence
from waiting import PATIENCE, certificates_in, eventually

from gaptron.checking.cache import Cache, default_path, engines
from gaptron.checking.checker import check
from gaptron.checking.recall import confirmed, plan, recall
from gaptron.prove.tasks import Task
from gaptron.system.documents import Document
from gaptron.theory.files import load
from gaptron.theory.verdict import Verdict

GOOD = REPOSITORY / "examples" / "squared_hinge.py"
BAD = REPOSITORY / "examples" / "squared_hinge_too_fast.py"
THEOREMS = [REPOSITORY / "proofs" / "gaptron" / f"{name}.py" for name in ("theorem1_logistic", "theorem2_hinge")]


def warned(message: str) -> None:
    pytest.fail(f"the cache warned: {message}")


def decide(file: Path, cache: Cache) -> tuple[Any, float]:
    start = time.monotonic()
    (result,) = check([statement.item for statement in load(file)], 10, 2, cache=cache)
    return result, time.monotonic() - start


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "deep" / "er" / "c.sqlite", warned)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a cache that has seen GOOD and BAD."""
    file = tmp_path_factory.mktemp("kept") / "cache.sqlite"
    with closing(Cache(file, warned)) as cache:
        check([statement.item for example in (GOOD, BAD) for statement in load(example)], 10, 2, cache=cache)
    return file


def rows(cache: Cache) -> list[tuple[str, str]]:
    assert cache.path is not None
    with sqlite3.connect(cache.path) as connection:
        return list(connection.execute("SELECT key, proof FROM certificates"))


@pytest.mark.few(1)
@pytest.mark.parametrize(("file", "expected"), [(GOOD, Verdict.PROVED), (BAD, Verdict.REFUTED)])
def test_a_second_check_searches_nothing_and_says_the_same(
    file: Path, expected: Verdict, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = decide(file, cache)
    monkeypatch.setattr("gaptron.checking.workers.decide_all", lambda *_: pytest.fail("something was searched"))
    second, _ = decide(file, cache)
    assert first.verdict is second.verdict is expected
    assert first.witnesses == second.witnesses
    assert [o.certificate for o in first.outcomes] == [o.certificate for o in second.outcomes]
    assert all(outcome.evidence == ("kernel",) for outcome in second.outcomes)


def test_what_is_undecided_is_not_kept(cache: Cache) -> None:
    result, _ = decide(REPOSITORY / "examples" / "no_learning_rate.py", cache)
    assert result.verdict is Verdict.UNDECIDED
    decided = [outcome for outcome in result.outcomes if outcome.verdict is not Verdict.UNDECIDED]
    assert 0 < len(rows(cache)) <= len(decided) < len(result.outcomes)


def test_the_key_depends_on_the_statement_the_kernel_and_the_solvers(cache: Cache) -> None:
    (item,) = (statement.item for statement in load(GOOD))
    claims = [Task(item, obligation).kernel_claims() or () for obligation in plan(item)]
    keys = {cache.key(claim) for claim in claims}
    assert len(keys) == len(set(claims))
    for name in engines():
        other = dict(cache.engines)
        cache.engines = other | {name: "another"}
        assert cache.key(claims[0]) not in keys
        cache.engines = other


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "forged",
    [
        "",
        "not json",
        "null",
        "[]",
        "{}",
        '{"proofs": []}',
        '{"proofs": [{"rule": "combination", "bounds": [], "summands": [], "equations": []}]}',
        '{"proofs": null}',
        '{"refutes": [0, {}]}',
        '{"refutes": [0, {"m": "0", "K": "5/2"}]}',
        '{"proofs": [], "claims": []}',
        '{"claims": [{"given": [], "then": ["<=", "0", "1"]}], '
        '"proofs": [{"rule": "interval", "bits": 48, "form": "direct"}]}',
        "[" * 100_000,
        '{"verdict": "PROVED"}',
    ],
    ids=range(14),
)
def test_a_forged_row_is_a_miss(forged: str, cache: Cache) -> None:
    (item,) = (statement.item for statement in load(BAD))
    tasks = [Task(item, obligation) for obligation in plan(item)]
    assert cache.connection is not None
    for task in tasks:
        cache.connection.execute(
            "INSERT INTO certificates VALUES (?, ?)", (cache.key(task.kernel_claims() or ()), forged)
        )
    assert [recall(task, cache) for task in tasks] == [None] * len(tasks)


@pytest.mark.slow
def test_a_check_survives_forged_rows(kept: Path, tmp_path: Path) -> None:
    cache = Cache(shutil.copy(kept, tmp_path / "cache.sqlite"), warned)
    assert cache.connection is not None
    cache.connection.execute("UPDATE certificates SET proof = ?", ('{"refutes": [0, {"m": "0", "K": "2"}]}',))
    result, _ = decide(BAD, cache)
    assert result.verdict is Verdict.REFUTED
    assert sum(outcome.verdict is Verdict.PROVED for outcome in result.outcomes) == 10


@pytest.mark.slow
def test_the_proofs_of_another_statement_are_a_miss(kept: Path, tmp_path: Path) -> None:
    cache = Cache(shutil.copy(kept, tmp_path / "cache.sqlite"), warned)
    tasks = [Task(item, o) for item in (statement.item for statement in load(BAD)) for o in plan(item)]
    true = [recalled.outcome.verdict for task in tasks if (recalled := recall(task, cache)) is not None]
    assert len(true) == len(tasks)
    assert Verdict.REFUTED in true
    assert cache.connection is not None
    for proof in sorted({proof for _, proof in rows(cache)}):
        cache.connection.execute("UPDATE certificates SET proof = ?", (proof,))
        found = [recall(task, cache) for task in tasks]
        assert None in found
        assert all(a is None or a.outcome.verdict is b for a, b in zip(found, true, strict=True))
    result, _ = decide(BAD, cache)
    assert result.verdict is Verdict.REFUTED


@pytest.mark.slow
@pytest.mark.parametrize("content", [b"garbage" * 1000, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_corrupt_database_costs_a_warning_only(content: bytes, tmp_path: Path, gaptron: Command) -> None:
    file = tmp_path / "cache.sqlite"
    file.write_bytes(content)
    done = gaptron("check", GOOD, "--cache", file)
    assert done.returncode == 0
    assert "1 PROVED" in done.stdout
    if content:
        assert done.stderr.startswith(f"gaptron: the cache {file} cannot be used (")
        assert is_one_sentence(done.stderr)
        assert file.read_bytes() == content


@pytest.mark.slow
def test_a_truncated_database_is_no_danger(kept: Path, tmp_path: Path, gaptron: Command) -> None:
    file, whole = tmp_path / "cache.sqlite", kept.read_bytes()
    for part in (1, 3):
        file.write_bytes(whole[: len(whole) * part // 4])
        done = gaptron("check", BAD, "--cache", file)
        assert done.returncode == 1
        assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_cache_that_cannot_be_made_costs_a_warning_only(tmp_path: Path, gaptron: Command) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    done = gaptron("check", GOOD, "--cache", blocker / "cache.sqlite")
    assert done.returncode == 0
    assert "cannot be used" in done.stderr


@pytest.mark.slow
def test_a_full_disk_costs_a_warning_only(tmp_path: Path) -> None:
    def small_files() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))

    done = subprocess.run(
        [sys.executable, "-m", "gaptron", "check", str(GOOD), "--cache", str(tmp_path / "cache.sqlite")],
        preexec_fn=small_files,
        cwd=REPOSITORY,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},  # they would be too large as well, and be read by others
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "1 PROVED" in done.stdout
    assert "cannot be used" in done.stderr
    assert is_one_sentence(done.stderr)


def test_a_certificate_that_is_kept_is_not_waited_for(tmp_path: Path) -> None:
    """Each was forced to the disk, some milliseconds; with a log that is written ahead no file is broken without."""
    with closing(Cache(tmp_path / "cache.sqlite", warned)) as cache:
        assert cache.connection is not None
        modes = [cache.connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
    assert modes == ["wal", 1]


@pytest.mark.slow
def test_two_checks_at_once_share_a_cache(tmp_path: Path, gaptron: Command) -> None:
    file = tmp_path / "cache.sqlite"
    command = [sys.executable, "-m", "gaptron", "check", str(GOOD), str(BAD), "--cache", str(file)]
    running = [
        subprocess.Popen(command, cwd=REPOSITORY, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    try:
        said = [process.communicate(timeout=2 * PATIENCE) for process in running]
    finally:
        for process in running:
            process.kill()
    assert [process.returncode for process in running] == [1, 1]
    assert len({out for out, _ in said}) == 1
    assert {err for _, err in said} == {""}
    assert gaptron("check", GOOD, BAD, "--cache", file).stdout == said[0][0]


@pytest.mark.slow
def test_a_check_that_is_killed_leaves_a_cache_that_works(tmp_path: Path, gaptron: Command) -> None:
    file = tmp_path / "cache.sqlite"
    command = [sys.executable, "-m", "gaptron", "check", str(GOOD), str(BAD), "--cache", str(file)]
    for enough in (0, 1, 6):
        process = subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            assert eventually(lambda: file.exists() and certificates_in(file) >= enough)  # noqa: B023
        finally:
            process.kill()
            process.wait()
    done = gaptron("check", GOOD, BAD, "--cache", file)
    assert done.returncode == 1
    assert done.stderr == ""


def test_the_tests_leave_the_users_cache_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conftest, "EARLIER", None)
    assert os.environ["GAPTRON_CACHE"] != str(conftest.earlier("shipped"))
    monkeypatch.delenv("GAPTRON_CACHE")
    assert conftest.earlier("shipped") != default_path()


@pytest.mark.slow
def test_no_cache_reads_and_writes_none(gaptron: Command) -> None:
    file = Path(os.environ["GAPTRON_CACHE"])
    assert gaptron("check", GOOD, "--no-cache").returncode == 0
    assert not file.exists()
    assert gaptron("check", GOOD).returncode == 0
    assert file.exists()


@pytest.mark.slow
def test_warm_is_at_most_a_tenth_of_cold_in_obligation_time(tmp_path: Path, gaptron: Command) -> None:
    """Wall time is for the benchmark; here the seconds of all obligations, on whatever machine runs this."""
    file = tmp_path / "cache.sqlite"
    cold, warm = (json.loads(gaptron("check", *THEOREMS, "--json", "--cache", file).stdout) for _ in range(2))
    seconds = [sum(o["seconds"] for t in d["theorems"] for o in t["obligations"]) for d in (cold, warm)]
    assert seconds[1] * 10 < seconds[0]
    assert [t["verdict"] for t in warm["theorems"]] == ["PROVED"] * len(warm["theorems"])


def test_a_kept_refutation_is_replayed_up_to_its_first_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """All numbers of labels of a criterion took three minutes, where a search takes the first that breaks it."""
    item = load(BAD)[0].item
    task = Task(item, plan(item)[0])
    asked = []

    def witnesses(*_: object) -> Iterator[Document]:
        for found in ({"subgradient": ["1"]}, {"K": 2}, {"K": 4}):
            asked.append(found)
            yield found

    monkeypatch.setattr("gaptron.prove.refute.witnesses_at", witnesses)
    assert confirmed(task, 0, defaultdict(Fraction)) == {"K": 2}
    assert asked == [{"subgradient": ["1"]}, {"K": 2}]
