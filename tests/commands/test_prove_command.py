"""``gaptron prove``: exit codes, values, places, trees that are kept, and the page of a paper."""

import json
from pathlib import Path

import pytest
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
    assert "a: holds (rests on what the author assumes; S has no example)" in done.stdout
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
    assert all(row["whole"] for row in rows)
    assert all("fact" in {one["kind"] for one in row["hypotheses"]} for row in rows[:2])
    assert "**Theorem (soba/t1)." in gaptron("prove", SOBA, "--replay", "--tex").stdout


CLAIM = "setting S:\n  number x\nclaim a in S: "
HOSTILE = {
    "bytes": b"\xff\xfe\x00setting",
    "nothing": b"",
    "a comment": b"# nothing\n",
    "parentheses": f"{CLAIM}{'(' * 5000}x{')' * 5000} <= 0\n".encode(),
    "a long sum": f"{CLAIM}x{'+x' * 700} <= 0\n".encode() + b"& " + b"+x" * 20_000,
    "negations": f"{CLAIM}{'-' * 900}x <= 0\n".encode(),
    "cases in cases": (
        CLAIM + "x <= 0\n" + "".join(f"{' ' * n}x <= 0 by cases on x <= 0\n" for n in range(1, 200))
    ).encode(),
    "a Cyrillic letter": f"{CLAIM}x <= \u0445\n".encode(),
    "a wide letter": "setting S:\n  number \uff58\nclaim a in S: \uff58 <= 0\n".encode(),
    "a wide letter after a quotation": f'setting S "s":\n  number x{chr(0xFF58)}\n{CLAIM}'.encode(),
    "a direction mark": f"{CLAIM}x <= \u202e0\n".encode(),
    "a null byte": f"{CLAIM}x <= \x000\n".encode(),
    "a long number": f"{CLAIM}x <= {'9' * 6000}\n".encode(),
    "a tower": f"{CLAIM}x <= ((10**100)**100)**100\n".encode(),
    "a long polynomial": f"{CLAIM}((x + x**2 + T + 1)**100)**100 <= 0\n".encode(),
    "a name that opens itself": b"setting S:\n  number x\n  let f(a) = f(a) + 1\nclaim a in S: f(x) <= 0\n",
    "names that open each other": (
        "setting S:\n  number x\n  let f0(a) = a\n"
        + "".join(f"  let f{n}(a) = f{n - 1}(a) + f{n - 1}(a)\n" for n in range(1, 60))
        + "claim a in S: f59(x) <= 0\n"
    ).encode(),
}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n == "a long polynomial")) for n in HOSTILE]
)
def test_a_hostile_file_is_one_sentence(gaptron: Command, tmp_path: Path, name: str) -> None:
    file = tmp_path / "mine.proof"
    file.write_bytes(HOSTILE[name])
    done = gaptron("prove", file)
    assert (done.returncode, done.stdout) == (2, "")
    (said,) = done.stderr.splitlines()
    assert said.startswith(f"gaptron: {file}: ")
    assert "internal error" not in said


@pytest.mark.parametrize(
    "text", ['{"format": "gaptron pro', "[]", '{"format": "gaptron proof 1", "claims": {"a": 1}}', "[" * 100_000]
)
def test_trees_that_are_cut_short_are_one_sentence(gaptron: Command, tmp_path: Path, text: str) -> None:
    file = written(tmp_path, "claim a in S: y >= 0\n")
    file.with_name("mine.proof.json").write_text(text)
    done = gaptron("prove", file, "--json")
    assert done.returncode == 2
    assert "mine.proof.json: no trees of rules" in json.loads(done.stdout)["error"]
    assert len(done.stderr.splitlines()) == 1


def test_a_quotation_may_have_any_letter_and_a_hash(gaptron: Command, tmp_path: Path) -> None:
    quoted = SETTING.rstrip() + ' from Section 4: "\u2113_2-bounded # \u2200"  # so it says\n'
    file = tmp_path / "mine.proof"
    file.write_text(quoted + "claim a in S: y >= 0\n")
    (row,) = json.loads(gaptron("prove", file, "--json").stdout)["claims"]
    assert [h["quote"] for h in row["hypotheses"] if h["quote"]] == ["\u2113_2-bounded # \u2200"]
