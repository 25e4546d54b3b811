"""Shipped files whose proofs are kept are loaded and replayed in several processes; whatever fails is done again."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gaptron.checking import host
from gaptron.checking.course import Order
from gaptron.checking.supervise import Supervisor

LEMMA = """import os
from sympy import symbols
from gaptron import Implication, Lemma
x = symbols("x", real=True)
lemma = Lemma(name="NAME", implications=(
    Implication(name="square", statement="x >= 1", given=(x >= 1,), then=x**2 >= 1),
    Implication(name="twice", statement="x >= 1", given=(x >= 1,), then=2 * x >= NUMBER),
))
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Three that stand for those that are shipped."""
    found = [tmp_path / f"{name}.py" for name in "abc"]
    for number, file in enumerate(found):
        file.write_text(LEMMA.replace("NAME", file.stem).replace("NUMBER", str(2 - number)))
    monkeypatch.setattr(host, "shipped_files", lambda: found)
    return found


def checked(files: list[Path], cache: Path) -> tuple[list[Any], dict[int, str], set[str]]:
    """The documents without what the solvers alone say and how long it took, the errors, and what was said."""
    order, said = Order(dict(enumerate(files)), None, 20, 2, cache, True), set[str]()
    supervisor = Supervisor(order)
    supervisor.run(lambda: said.add(supervisor.last["now"]))
    documents = [course.document() for course in supervisor.courses]
    for document in documents:
        for row in (document, *document["obligations"]):
            assert row.pop("evidence")[0] == "kernel"
            row.pop("seconds", None)
    assert all(len(course.certificates) == 2 for course in supervisor.courses)
    return documents, supervisor.errors, said


@pytest.mark.parametrize("loaded", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1)])
def test_every_theorem_is_settled_once_and_in_order_however_its_files_are_loaded(loaded: tuple[int, ...]) -> None:
    """Two processes read what is kept; the second file of the three is refused."""
    supervisor = Supervisor(Order({}, None, 20, 2, None, False))
    supervisor.order = Order({number: Path(f"{number}.py") for number in range(3)}, None, 20, 2, None, False)
    names = {number: [f"{number}, first", f"{number}, second"] for number in (0, 2)}
    told: list[str] = []

    def hear(now: str, number: int, **more: Any) -> None:
        supervisor._take({"now": now, "file": number, **more})
        found = [course.head["name"] for course in supervisor.settled]
        assert found[: len(told)] == told
        told[:] = found

    for number in loaded:
        if number not in names:
            hear("refused", number, error="no", line=None)
            continue
        hear("loaded", number, theorems=[{"name": name} for name in names[number]], data={}, others=[])
        for name in reversed(names[number]):
            hear("planned", number, theorem=name, obligations=[])
    assert told == [*names[0], *names[2]]


@pytest.mark.slow
def test_what_is_kept_is_replayed_and_what_is_not_is_proved_again(files: list[Path], tmp_path: Path) -> None:
    cache = tmp_path / "cache.sqlite"
    first, _, said = checked(files, cache)
    assert [document["verdict"] for document in first] == ["PROVED"] * 3
    assert "loading" in said
    again, _, said = checked(files, cache)
    assert again == first
    with closing(sqlite3.connect(cache)) as connection, connection:
        assert connection.execute("SELECT count(*) FROM certificates").fetchone() == (4,)  # square is in all three
        connection.execute("UPDATE certificates SET proof = replace(proof, 'rule', 'ruin') WHERE rowid = 2")
    forged, _, _ = checked(files, cache)
    assert [document["verdict"] for document in forged] == ["PROVED"] * 3
    with closing(sqlite3.connect(cache)) as connection:
        assert connection.execute("SELECT count(*) FROM certificates WHERE proof LIKE '%ruin%'").fetchone() == (0,)


@pytest.mark.slow
def test_a_file_that_ends_its_process_or_fails_costs_no_other(files: list[Path], tmp_path: Path) -> None:
    cache = tmp_path / "cache.sqlite"
    first, _, _ = checked(files, cache)
    files[1].write_text(files[1].read_text() + "os._exit(7)\n")
    files[2].write_text(files[2].read_text() + "1/0\n")
    documents, errors, _ = checked(files, cache)
    assert documents == first[:1]
    assert "ended the process while it was loaded (exit status 7)" in errors[1]
    assert "ZeroDivisionError" in errors[2]


@pytest.mark.slow
def test_nothing_is_left_for_the_process_that_proves(
    files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache.sqlite"
    first, _, _ = checked(files, cache)
    monkeypatch.setattr(host, "check", lambda items, *rest: [pytest.fail("proves")] if list(items) else [])
    assert checked(files, cache)[0] == first
    monkeypatch.setattr(host, "shipped_files", lambda: files[:2])  # the third is a user's: the host alone runs it
    supervisor = Supervisor(Order({0: files[2]}, None, 20, 2, cache, False))
    supervisor.run()
    (course,) = supervisor.courses
    assert "ended" in (course.given_up or "")
