"""``gaptron prove``: exit codes, values, places, trees that are kept, and the page of a paper."""

import json
from pathlib import Path

from conftest import REPOSITORY, Command

SETTING = "setting S:\n  number x >= 0, y\n  assume y >= x\n"
SOBA = REPOSITORY / "proofs" / "soba" / "perceptron.proof"


def written(folder: Path, claim: str) -> Path:
    file = folder / "mine.proof"
    file.write_text(SETTING + claim)
    return file


def test_what_holds_is_kept_and_replayed(gaptron: Command, tmp_path: Path) -> None:
    file = written(tmp_path, "claim a in S: y >= 0\n")
    assert gaptron("prove", file, "--replay").returncode == 3
    done = gaptron("prove", file)
    assert (done.returncode, done.stderr) == (0, "")
    assert "a: holds (rests on what the author assumes)" in done.stdout
    (row,) = json.loads(gaptron("prove", file, "--replay", "--json").stdout)["claims"]
    assert row["replayed"]
    assert [h["text"] for h in row["hypotheses"] if h["kind"] == "ours"] == ["y >= x"]


def test_a_false_line_is_refuted_with_values(gaptron: Command, tmp_path: Path) -> None:
    done = gaptron("prove", written(tmp_path, "claim a in S: y >= 0\n  (1) y <= 2\n"), "--json")
    (row,) = json.loads(done.stdout)["claims"]
    assert (done.returncode, row["status"], row["line"]) == (1, "false", 5)
    assert int(row["values"]["y"].split("/")[0]) > 2


def test_what_cannot_be_read_has_its_place(gaptron: Command, tmp_path: Path) -> None:
    file = written(tmp_path, "claim a in S: y >= w\n")
    done = gaptron("prove", file)
    assert done.returncode == 2
    assert f"{file}: line 4, column 20: w: it is not declared" in done.stderr
    assert gaptron("prove", tmp_path / "none.proof").returncode == 2


def test_what_is_not_found_is_not_called_false(gaptron: Command, tmp_path: Path) -> None:
    file = tmp_path / "mine.proof"
    file.write_text("setting S:\n  vector u in E\nclaim a in S: norm2(u) <= 1\n")
    done = gaptron("prove", file)
    assert done.returncode == 3
    assert "mine.proof:3: a: not found" in done.stdout


def test_a_search_that_takes_too_long_is_ended(gaptron: Command, tmp_path: Path) -> None:
    done = gaptron("prove", written(tmp_path, "claim a in S: y >= 0\n"), "--timeout", "0.000001")
    assert done.returncode == 3
    assert "the search took more than 1e-06 seconds" in done.stdout


def test_a_shipped_file_is_replayed_and_printed(gaptron: Command) -> None:
    done = gaptron("prove", SOBA, "--replay", "--json")
    rows = json.loads(done.stdout)["claims"]
    assert done.returncode == 0
    assert {row["id"] for row in rows if row["whole"]} == {
        f"soba/{name}" for name in ("perceptron", "t1", "t1-q1", "t1-q2")
    }
    assert "**Theorem (soba/t1)." in gaptron("prove", SOBA, "--replay", "--tex").stdout
