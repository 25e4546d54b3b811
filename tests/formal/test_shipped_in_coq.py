"""docs/formal.md and its details say what ``gaptron check --coq`` does of the shipped theorems; GAPTRON_RECORD=1."""

import json
import re
from pathlib import Path

import pytest
from conftest import REPOSITORY, Command, Shipped, shipped_entries
from test_readme import held, table

from gaptron.coq.library import ALLOWED, everything
from gaptron.theory.shipped import shipped_files
from gaptron.theory.theorem import Lemma

PAGE = REPOSITORY / "docs" / "formal.md"
DETAILS = REPOSITORY / "docs" / "formal_details.md"
TABLE = "<!-- table: whole theorems -->"
BUILT = re.compile(r"Theorem\(|^\w+ = replace\(", re.MULTILINE)
THEOREM_FILES = [file for file in shipped_files() if BUILT.search(file.read_text())]
LIBRARY = re.compile(r"<!-- library -->\n(.*?)<!-- end -->", re.DOTALL)


def rows() -> dict[str, str]:
    """What the page says of each theorem, by name, in its order."""
    _, *lines = [line for line in DETAILS.read_text().partition(TABLE)[2].splitlines() if line.startswith("| ")]
    return dict(line.strip("| ").split(" | ") for line in lines)


def written(said: dict[str, str]) -> None:
    """The page's table has these rows."""
    table(
        DETAILS, TABLE, "\n".join(["", "| theorem | Coq |", "|---|---|", *(f"| {n} | {w} |" for n, w in said.items())])
    )


@pytest.mark.coq
@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize("file", THEOREM_FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_the_table_of_whole_theorems_is_what_check_says(file: Path, gaptron: Command, shipped: Shipped) -> None:
    """A file a test, as they take minutes, so that all processes have their share of them."""
    done = gaptron("check", "--coq", "--json", file, "--cache", shipped.cache, seconds=2700)
    theorems = [theorem for theorem in json.loads(done.stdout)["theorems"] if theorem["coq"]["accepted"] is not None]
    for theorem in theorems:
        assert theorem["evidence"][0] == ("coq" if theorem["coq"]["accepted"] else "kernel")
    said = {t["name"]: "accepted" if t["coq"]["accepted"] else t["coq"]["reason"] for t in theorems}
    assert done.returncode == (0 if {*said.values()} <= {"accepted"} else 3), done.stderr
    written(rows() | said)


@pytest.mark.slow
def test_the_table_has_every_theorem_that_is_proved(shipped: Shipped) -> None:
    proved = {theorem["name"] for theorem in shipped.document["theorems"] if theorem["verdict"] == "PROVED"}
    names = [s.item.name for s in shipped_entries()[0] if not isinstance(s.item, Lemma) and s.item.name in proved]
    written({name: rows().get(name, "") for name in names})


def test_the_size_and_the_axioms_of_the_library_are_those_of_the_page() -> None:
    files = everything()
    lines = sum(text.count("\n") for text in files.values())
    said = (
        f"The library has {len(files)} files with {lines:,} lines. The only axioms are those of Coq's real numbers:\n\n"
    )
    said += "".join(f"- `{name}`\n" for name in sorted(ALLOWED.values()))
    text = PAGE.read_text()
    (found,) = LIBRARY.finditer(text)
    held(PAGE, found[1], said, text[: found.start(1)] + said + text[found.end(1) :])


def test_without_coqc_one_sentence_says_what_to_install(gaptron: Command) -> None:
    for verb in ("check", "audit"):
        done = gaptron(verb, "--coq", "examples/squared_hinge.py", PATH="/nowhere")
        assert done.returncode == 2
        assert (
            done.stderr
            == "gaptron: coqc is not installed: --coq needs Coq 8.16 or newer (Debian: apt-get install coq)\n"
        )
        assert not done.stdout
