"""docs/formal.md is what ``gaptron check --coq`` says of the shipped theorems. GAPTRON_RECORD=1 rewrites it."""

import json
import os

import pytest
from conftest import REPOSITORY, Command

PAGE = REPOSITORY / "docs" / "formal.md"
HEAD = """# Whole theorems in Coq

`gaptron check --coq` compiles the whole theorem, from its file to the expected mistakes, with the hand-written library
[`proofs/coq`](../proofs/coq). Of the shipped theorems, as it says itself:

| theorem | Coq |
|---|---|
"""


@pytest.mark.coq
@pytest.mark.slow
def test_the_table_of_whole_theorems_is_what_check_says(gaptron: Command) -> None:
    done = gaptron("check", "--coq", "--json", seconds=1800)
    assert done.returncode == 3  # some are out of the library's scope
    rows = [theorem for theorem in json.loads(done.stdout)["theorems"] if theorem["coq"]["accepted"] is not None]
    for theorem in rows:
        assert theorem["evidence"][0] == ("coq" if theorem["coq"]["accepted"] else "kernel")
    said = [(t["name"], "accepted" if t["coq"]["accepted"] else t["coq"]["reason"]) for t in rows]
    page = HEAD + "".join(f"| {name} | {what} |\n" for name, what in said)
    if os.environ.get("GAPTRON_RECORD"):
        PAGE.write_text(page)
    assert PAGE.read_text() == page


def test_without_coqc_one_sentence_says_what_to_install(gaptron: Command) -> None:
    done = gaptron("check", "--coq", "examples/squared_hinge.py", PATH="/nowhere")
    assert done.returncode == 2
    assert (
        done.stderr == "gaptron: coqc is not installed: --coq needs Coq 8.16 or newer (Debian: apt-get install coq)\n"
    )
    assert not done.stdout
