"""docs/formal.md is what ``gaptron check --coq`` says of the shipped theorems. GAPTRON_RECORD=1 rewrites it."""

import json
import re

import pytest
from conftest import REPOSITORY, Command, Shipped
from test_readme import held, table

from gaptron.coq.library import ALLOWED, everything

PAGE = REPOSITORY / "docs" / "formal.md"
TABLE = "<!-- table: whole theorems -->"
LIBRARY = re.compile(r"<!-- library -->\n(.*?)<!-- end -->", re.DOTALL)


@pytest.mark.coq
@pytest.mark.slow
def test_the_table_of_whole_theorems_is_what_check_says(gaptron: Command, shipped: Shipped) -> None:
    done = gaptron("check", "--coq", "--json", "--cache", shipped.cache, seconds=2700)
    assert done.returncode == 3  # some are out of the library's scope
    rows = [theorem for theorem in json.loads(done.stdout)["theorems"] if theorem["coq"]["accepted"] is not None]
    for theorem in rows:
        assert theorem["evidence"][0] == ("coq" if theorem["coq"]["accepted"] else "kernel")
    said = [(t["name"], "accepted" if t["coq"]["accepted"] else t["coq"]["reason"]) for t in rows]
    lines = ["", "| theorem | Coq |", "|---|---|", *(f"| {name} | {what} |" for name, what in said)]
    table(PAGE, TABLE, "\n".join(lines))


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
