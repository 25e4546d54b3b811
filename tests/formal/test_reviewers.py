"""The page for reviewers: every definition has its notation, and what is shown is what Coq prints.

GAPTRON_RECORD=1 writes what Coq prints, the seconds of processor time included, to proofs/coq/reviewers.json.
"""

import json
import os
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import REPOSITORY, Command

from gaptron.coq.library import ALLOWED, axioms_in, compiled, everything, run_coqc
from gaptron.ledger.html.reviewers_section import reviewers
from gaptron.ledger.printed import EXPORTED, printed
from gaptron.ledger.reviewers import (
    DEFINED,
    NOT_FORMAL,
    STATED,
    ReadDefinition,
    Reviewed,
    Stated,
    defined,
    notation,
    recorded,
    reviewed,
    stated,
)
from gaptron.system.documents import Document
from gaptron.theory.shipped import FileError

RECORD = REPOSITORY / "proofs" / "coq" / "reviewers.json"
PAPER = [REPOSITORY / "proofs" / "gaptron" / f"{name}.py" for name in (
    "theorem1_logistic", "theorem2_hinge", "theorem3_smooth_hinge",
)]  # fmt: skip


def test_every_definition_has_its_notation_and_nothing_else_has() -> None:
    written = {file: sorted(entries) for file, entries in notation().items() if file != NOT_FORMAL}
    assert written == {file: sorted(names) for file, names in defined().items()}
    assert all(all(entries.values()) for entries in notation().values())


def test_a_definition_that_is_added_needs_one(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = everything() | {"Definitions.v": everything()["Definitions.v"] + "\nDefinition added (x : R) : R := x.\n"}
    monkeypatch.setattr("gaptron.ledger.reviewers.everything", lambda: texts)
    assert defined()["Definitions.v"][-1] == "added"
    with pytest.raises(FileError, match=r"older than the library: it has no added of Definitions\.v$"):
        reviewed()


@pytest.mark.parametrize(
    ("path", "names"),
    [
        (("definitions", "Definitions.v", "guarantee"), "guarantee of Definitions.v of definitions"),
        (("definitions", "Definitions.v"), "guarantee of Definitions.v of definitions"),
        (("statements", "Lemma1"), "Lemma1 of statements"),
        (("statements",), "Theorem1 of statements"),
    ],
)
def test_what_is_recorded_of_an_older_library_is_named(
    path: tuple[str, ...], names: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = recorded()
    *outer, last = path
    table = said
    for name in outer:
        table = table[name]
    del table[last]
    monkeypatch.setattr("gaptron.ledger.reviewers.recorded", lambda: said)
    monkeypatch.setattr("gaptron.ledger.reviewers.defined", lambda: {"Definitions.v": ["guarantee"]})
    with pytest.raises(FileError, match=f"older than the library: it has no {names}$"):
        reviewed()


def test_a_record_that_is_no_json_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "reviewers.json").write_text("<<<<<<<")
    monkeypatch.setattr("gaptron.ledger.reviewers.folder", lambda: tmp_path)
    with pytest.raises(FileError, match=r"reviewers\.json cannot be read: Expecting value"):
        recorded()


def test_a_statement_without_a_proof_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = everything() | {"New.v": everything()["New.v"] + "\nDefinition Hoped : Prop := False.\n"}
    monkeypatch.setattr("gaptron.ledger.reviewers.everything", lambda: texts)
    with pytest.raises(FileError, match="states Hoped and does not prove it"):
        stated()


def test_every_statement_by_hand_is_proved_and_shown() -> None:
    named = {name for file in STATED for name, closed in DEFINED.findall(everything()[file]) if closed}
    assert named < set(stated())
    assert set(recorded()["statements"]) == set(stated())
    shown = {one.name: one for of_file in reviewed().statements.values() for one in of_file}
    for name in named:
        assert shown[name].printed.startswith(f"{name} =")


def test_the_recorded_axioms_are_the_allowed_ones() -> None:
    for name, said in recorded()["statements"].items():
        assert set(said["axioms"]) <= set(ALLOWED), name
        assert said["axioms"], name


def test_what_is_shown_is_escaped() -> None:
    hostile = "<script>alert(1)</script>"
    definition, statement = (
        ReadDefinition(hostile, hostile, hostile),
        Stated(hostile, hostile, hostile, (hostile,), 1.0),
    )
    found = Reviewed(hostile, {hostile: (definition,)}, {hostile: (statement,)}, {hostile: hostile})
    shown = reviewers({hostile: [hostile]}, found)
    assert "<script" not in shown
    assert shown.count("&lt;script&gt;") == 14


def test_every_definition_and_statement_is_on_the_page() -> None:
    shown = reviewers({"a reason": ["a theorem"]})
    for name in [*(n for names in defined().values() for n in names), *stated()]:
        assert f"<summary><code>{name}</code>" in shown
    assert "<dt>a reason</dt><dd>a theorem</dd>" in shown


# --- against Coq ----------------------------------------------------------------------------------------------------


def without_measurements(said: Document) -> Document:
    """What Coq prints again, whatever the machine."""
    statements = {
        name: {"printed": one["printed"], "axioms": [] if stated()[name][1].startswith(EXPORTED) else one["axioms"]}
        for name, one in said["statements"].items()
    }
    return {"coq": said["coq"], "definitions": said["definitions"], "statements": statements}


def seconds_of(library: Path, folder: Path, texts: dict[str, str]) -> Iterator[tuple[str, float]]:
    """Of each file, the processor time of coqc."""
    for name, text in texts.items():
        (folder / name).write_text(text)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = run_coqc(name, folder, (library, folder))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert done is not None
        assert done["code"] == 0, done["error"]
        yield name, round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1)


def measured(said: Document, gaptron: Command, library: Path, folder: Path) -> Document:
    """The same with the seconds of each proof's file, and the axioms of what is proved from exports."""
    assert gaptron("export", "--coq", folder / "exported", *PAPER).returncode == 0
    project = (folder / "exported" / "_CoqProject").read_text().split()
    exported = {name: (folder / "exported" / name).read_text() for name in project if name.startswith(("T_", "PaperP"))}
    proofs = {f"{proof.split('.')[0]}.v" for _, proof in stated().values()}
    texts = {name: text for name, text in everything().items() if name in proofs} | exported
    seconds = dict(seconds_of(library, folder, texts))
    for name, (_, proof) in stated().items():
        one = said["statements"][name]
        one["seconds"] = seconds[f"{proof.split('.')[0]}.v"]
        if proof.startswith(EXPORTED):
            question = f"Require Import Reals.\nFrom Gaptron Require PaperProofs.\nPrint Assumptions {proof}.\n"
            one["axioms"] = axioms_in(compiled({"Ask.v": question}, folder, library))
    return said


@pytest.mark.coq
@pytest.mark.slow
def test_what_is_recorded_is_what_coq_prints(library: Path, tmp_path: Path, gaptron: Command) -> None:
    said = printed(library, tmp_path)
    if os.environ.get("GAPTRON_RECORD"):
        RECORD.write_text(json.dumps(measured(said, gaptron, library, tmp_path), indent=1) + "\n")
        return
    assert without_measurements(recorded()) == said
