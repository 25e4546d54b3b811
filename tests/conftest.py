"""Running the command as its users do."""

import fcntl
import gc
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: its threads and those of the workers fight

from verb_process import forked

from gaptron.checking.cache import Cache, default_path
from gaptron.checking.checker import Checked, check
from gaptron.coq.library import compiled_library, everything, needed_by
from gaptron.system.atomic import write_atomically
from gaptron.system.printable import FURTHER, LONGEST
from gaptron.theory.files import Filed, Statement, load_whole
from gaptron.theory.items import Item
from gaptron.theory.shipped import shipped_files

NO_SECONDS: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("patient", settings(), **NO_SECONDS)  # which say how busy a machine is
settings.load_profile("patient")
gc.disable()  # until all is collected: what the test modules and SymPy keep is never garbage
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else each of a thousand interpreters compiles the package again
sys.dont_write_bytecode = False

REPOSITORY = Path(__file__).resolve().parent.parent
ONE_IN = 5  # of the cases of a slow test; --deep takes all
ALL_SLOW = re.compile(r"^pytestmark = \[?pytest\.mark\.slow\b", re.MULTILINE)
EARLIER = os.environ.get("GAPTRON_CACHE")  # of whoever runs the tests, if it is named; never the user's own
SECONDS = 900  # for what takes a minute on a quiet machine
Completed = subprocess.CompletedProcess[str]
Command = Callable[..., Completed]


@cache
def shipped_entries() -> tuple[list[Statement], list[Filed]]:
    """The theorems and lemmas, and the claims, of all shipped files, each loaded once in a test process."""
    loaded = [load_whole(file) for file in shipped_files()]
    return [s for statements, _ in loaded for s in statements], [c for _, claims in loaded for c in claims]


def is_one_sentence(said: str) -> bool:
    """A refusal stands on one line, or folded: what follows is indented."""
    first, *further = said.splitlines()
    return first.startswith("gaptron: ") and all(line.startswith("    ") for line in further)


def heed_interrupts() -> None:
    """For a process that is about to be started: SIGINT is heeded even if this one was told to ignore it (nohup, &)."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@dataclass(frozen=True)
class Shipped:
    """One check of all shipped theorems: its document, and the certificates it kept."""

    document: dict[str, Any]
    cache: Path


@dataclass(frozen=True)
class Audited:
    """One audit of all claims: its document, and the certificates, errata, notes and report that it wrote."""

    document: dict[str, Any]
    cache: Path
    errata: Path
    notes: Path
    report: Path


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file whose tests are all slow is not even imported for the default run."""
    if config.getoption("markexpr") == "not slow" and collection_path.suffix == ".py":
        return ALL_SLOW.search(collection_path.read_text()) is not None or None
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """``few(n)``: the first n cases of a test are in the default run, all others in the slow one.

    Of the cases of a slow test the slow run takes every fifth, or of ``one_in(n)`` every n-th, the first among them;
    with ``--deep`` it takes all.
    """
    for item, number in _numbered(item for item in items if item.get_closest_marker("few")):
        if number >= item.get_closest_marker("few").args[0]:  # type: ignore[union-attr]
            item.add_marker(pytest.mark.slow)
    left = set[pytest.Item]()
    if not config.getoption("--deep", default=False):
        slow = (item for item in items if item.get_closest_marker("slow") and hasattr(item, "callspec"))
        left = {item for item, number in _numbered(slow) if number % _one_in(item)}
    if left:
        config.hook.pytest_deselected(items=[*left])
        items[:] = [item for item in items if item not in left]


def _one_in(item: pytest.Item) -> int:
    mark = item.get_closest_marker("one_in")
    return mark.args[0] if mark else ONE_IN


def _numbered(items: Iterable[pytest.Item]) -> Iterator[tuple[pytest.Item, int]]:
    """The cases of tests, numbered from 0 in each test."""
    seen: Counter[tuple[Path, str]] = Counter()
    for item in items:
        test = item.path, getattr(item, "originalname", item.name)
        yield item, seen[test]
        seen[test] += 1


def pytest_collection_finish() -> None:
    """What is there when the tests begin stays, and is not looked through again and again."""
    gc.enable()
    gc.freeze()


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Shipped:
    """The check is made once, by whichever test process comes first, with a copy of what earlier checks have kept."""
    said, cache = _once(tmp_path_factory, "shipped", ["check", "--json"])
    return Shipped(json.loads(said.read_text()), cache)


@pytest.fixture(scope="session")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    """The audit is made once, like the check."""
    errata, notes, report = (_folder(tmp_path_factory) / name for name in ("errata.md", "errata_notes", "report.html"))
    options = ["--errata", str(errata), "--notes", str(notes), "--html", str(report)]
    said, cache = _once(tmp_path_factory, "audited", ["audit", "--json", *options])
    return Audited(json.loads(said.read_text()), cache, errata, notes, report)


def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all test processes share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base


def _once(tmp_path_factory: pytest.TempPathFactory, name: str, arguments: list[str]) -> tuple[Path, Path]:
    """What one run of the command said, and the certificates it kept."""
    folder = _folder(tmp_path_factory)
    cache, said = folder / f"{name}.sqlite", folder / f"{name}.json"
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not said.exists():
            if earlier(name).exists() and "GAPTRON_RECORD" not in os.environ:  # an older search's: pages name digests
                shutil.copy(earlier(name), cache)
            command = [sys.executable, "-m", "gaptron", *arguments, "--cache", str(cache)]
            done = subprocess.run(command, cwd=REPOSITORY, text=True, capture_output=True, check=False)
            assert done.returncode == 0, done.stderr + done.stdout[-2000:]
            said.write_text(done.stdout)
            if EARLIER is None:
                earlier(name).parent.mkdir(exist_ok=True)
                write_atomically(earlier(name), cache.read_bytes())
    return said, cache


def earlier(name: str) -> Path:
    """Where certificates of earlier tests are."""
    return Path(EARLIER or REPOSITORY / ".pytest_cache" / f"{name}.sqlite")


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Coq library, compiled from nothing by whichever test process comes first."""
    everywhere = f"From Gaptron Require {' '.join(name.removesuffix('.v') for name in everything())}."
    home = compiled_library(needed_by([everywhere]), _compiled(tmp_path_factory))
    for name in ("_CoqProject", "Makefile"):
        shutil.copy(REPOSITORY / "proofs" / "coq" / name, home / name)
    return home


def _compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _folder(tmp_path_factory) / "coq"


@pytest.fixture(scope="session")
def _caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Files for caches, none of which is there yet: most tests keep nothing, and need no folder."""
    folder = tmp_path_factory.getbasetemp() / "caches"
    return (folder / f"{number}.sqlite" for number in count())


@pytest.fixture(autouse=True)
def _own_cache(
    _caches: Iterator[Path], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No verdict is kept between tests, nobody's cache is touched, and no hook of a verb stays."""
    monkeypatch.setenv("GAPTRON_CACHE", str(next(_caches)))
    monkeypatch.setenv("GAPTRON_COQ_CACHE", str(_compiled(tmp_path_factory)))
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)


@pytest.fixture(scope="session")
def lent_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Certificates that tests share which are not about finding them, also those of earlier runs; each is replayed."""
    folder = _folder(tmp_path_factory)
    with (folder / "lent.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "lent.sqlite").exists() and earlier("shipped").exists():
            write_atomically(folder / "lent.sqlite", earlier("shipped").read_bytes())
    return folder / "lent.sqlite"


@pytest.fixture
def lent(_own_cache: None, lent_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The verbs keep their certificates there."""
    monkeypatch.setenv("GAPTRON_CACHE", str(lent_cache))


def check_kept(items: Sequence[Item], seconds: float, workers: int = 1) -> list[Checked]:
    """A check that keeps certificates where the verbs do: with ``lent``, what theorems have in common is found once."""
    with closing(Cache(default_path(), pytest.fail)) as cache:
        return check(items, seconds, workers, cache=cache)


@pytest.fixture
def gaptron(as_printed: Command) -> Command:
    """As ``as_printed``, with folded lines as they were before: where they are folded depends on how long paths are."""

    def run(*arguments: object, **settings: Any) -> Completed:
        done = as_printed(*arguments, **settings)
        return Completed(done.args, done.returncode, unfolded(done.stdout), unfolded(done.stderr))

    return run


def unfolded(printed: str) -> str:
    """The lines from which ``folded`` made these."""
    lines: list[str] = []
    width = 0  # of the last line as it was printed
    for line in printed.splitlines(keepends=True):
        word, *_ = line.split(maxsplit=1) or [""]
        indent = lines[-1][: len(lines[-1]) - len(lines[-1].lstrip())] + FURTHER if lines else None
        if word and indent is not None and line.startswith(indent + word) and width + len(word) >= LONGEST:
            lines[-1] = f"{lines[-1].rstrip(chr(10))} {line.lstrip()}"
        else:
            lines.append(line)
        width = len(line.rstrip("\n"))
    return "".join(lines)


@pytest.fixture
def as_printed(tmp_path: Path) -> Command:
    """Run ``gaptron ARGUMENTS`` in the repository, in a process of its own, and return what it did.

    The process is a fork of a server that has imported the package already, which saves most of its time; with another
    PYTHONPATH it is a new interpreter.
    """

    def run(*arguments: object, cwd: Path = REPOSITORY, seconds: float = SECONDS, **environment: str) -> Completed:
        given = [*map(str, arguments)]
        if "PYTHONPATH" in environment:
            return _interpreter(given, cwd, {**os.environ, **environment}, seconds)
        return forked(given, cwd, {**os.environ, **environment}, tmp_path, seconds)

    return run


def _interpreter(arguments: list[str], cwd: Path, environment: dict[str, str], seconds: float) -> Completed:
    command = [sys.executable, "-m", "gaptron", *arguments]
    return subprocess.run(
        command, cwd=cwd, text=True, capture_output=True, timeout=seconds, check=False, env=environment
    )
