"""A row of the cache counts only with the compiled files whose digests it names, and if Coq prints the same again."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gaptron.checking.cache import Cache
from gaptron.checking.coq_evidence import said_of
from gaptron.coq import formal
from gaptron.coq.development import Whole
from gaptron.coq.formal import NotAcceptedError, asked, read
from gaptron.coq.library import digest, needed_by

pytestmark = [pytest.mark.coq, pytest.mark.slow]

FILES = {
    "Other.v": "From Coq Require Import Reals.\nFrom Gaptron Require Import Definitions.\n"
    "Lemma zero (f : nat -> R) : sum 0 f = 0%R.\nProof. reflexivity. Qed.\n",
    "Mine.v": "From Coq Require Import Reals.\nFrom Gaptron Require Import Definitions Other.\n"
    "Theorem mine : forall f : nat -> R, sum 0 f = 0%R.\nProof.\nexact zero. Qed.\n",
}
WHOLE = Whole(FILES, "Mine", "mine")
KEY = digest({**asked(WHOLE), **needed_by(FILES.values())}) if shutil.which("coqc") else ""


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The development, compiled and kept, with its row."""
    folder = tmp_path_factory.mktemp("once")
    with pytest.MonkeyPatch.context() as patch, closing(Cache(folder / "cache.sqlite", pytest.fail)) as found:
        patch.setattr("gaptron.checking.coq_evidence.default_folder", lambda: folder / "kept")
        said_of(WHOLE, found)
    return folder


@pytest.fixture
def cache(once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cache]:
    shutil.copytree(once, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr("gaptron.checking.coq_evidence.default_folder", lambda: tmp_path / "kept")
    with closing(Cache(tmp_path / "cache.sqlite", pytest.fail)) as found:
        yield found


@pytest.fixture
def compiles(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The files that are compiled, by call."""
    found: list[list[str]] = []
    real: Callable[..., str] = formal.compiled

    def compiled(files: dict[str, str], *rest: object) -> str:
        found.append([*files])
        return real(files, *rest)

    monkeypatch.setattr(formal, "compiled", compiled)
    return found


ALL = [*FILES, "Ask_Mine.v"]


def test_what_is_kept_is_asked_again_and_not_compiled(cache: Cache, compiles: list[list[str]]) -> None:
    assert read(WHOLE, said_of(WHOLE, cache)).statement == "forall f : nat -> R, sum 0 f = 0"
    assert compiles == [["Ask_Mine.v"]]
    known = json.loads(cache.said_of(KEY) or "")
    assert {"Mine.vo", "Other.vo", "Definitions.vo"} <= known["compiled"].keys()


def test_another_statement_than_coq_prints_counts_for_nothing(cache: Cache, compiles: list[list[str]]) -> None:
    known = json.loads(cache.said_of(KEY) or "")
    cache.keep_said(KEY, json.dumps(known | {"text": known["text"].replace("= 0", "= 1")}))
    assert read(WHOLE, said_of(WHOLE, cache)).statement == "forall f : nat -> R, sum 0 f = 0"
    assert compiles == [["Ask_Mine.v"], ALL]
    assert json.loads(cache.said_of(KEY) or "") == known | {
        "compiled": json.loads(cache.said_of(KEY) or "")["compiled"]
    }


@pytest.mark.parametrize("row", ["accepted", "[]", '{"text": "mine"}'])
def test_a_row_that_names_no_compiled_files_counts_for_nothing(
    cache: Cache, compiles: list[list[str]], row: str
) -> None:
    cache.keep_said(KEY, row)
    said_of(WHOLE, cache)
    assert compiles == [ALL]


@pytest.mark.parametrize("name", ["developments/*/Mine.vo", "developments/*/Other.vo", "*/Definitions.vo"])
@pytest.mark.parametrize("change", ["missing", "other"])
def test_other_compiled_files_count_for_nothing(
    cache: Cache, compiles: list[list[str]], tmp_path: Path, name: str, change: str
) -> None:
    (file,) = (tmp_path / "kept").glob(name)
    if change == "missing":
        file.unlink()
    else:
        file.write_bytes(file.read_bytes() + b"\0")
    if name.endswith("Definitions.vo") and change == "other":  # Coq itself refuses a library that it did not write
        try:
            said_of(WHOLE, cache)
        except NotAcceptedError:
            return
    said_of(WHOLE, cache)
    assert compiles[0] == ALL


def test_an_axiom_of_compiled_files_is_printed_again(cache: Cache, tmp_path: Path) -> None:
    """The digests of a row may be those of files that prove something else: Coq says what they assume."""
    axiom = FILES["Other.v"].replace("Proof. reflexivity. Qed.", "Proof. Admitted.")
    admitted = Whole(FILES | {"Other.v": axiom}, "Mine", "mine")
    other = formal.said_by_coq(admitted, tmp_path / "kept")
    for file in formal._compiled(admitted.files, formal._home(admitted, tmp_path / "kept")):
        file.rename(formal._home(WHOLE, tmp_path / "kept") / file.name)
    known = json.loads(cache.said_of(KEY) or "")
    cache.keep_said(KEY, json.dumps(known | {"compiled": dict(other.compiled)}))
    assert not formal.is_said_again(formal.Said(known["text"], other.compiled), WHOLE, tmp_path / "kept")
    assert read(WHOLE, said_of(WHOLE, cache)).axioms == read(WHOLE, known["text"]).axioms
    with pytest.raises(NotAcceptedError, match=r"it rests on Other\.zero"):
        read(admitted, said_of(admitted, cache))
