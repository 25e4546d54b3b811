"""``export --coq``: Coq developments that compile by themselves."""

import json
import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from gaptron.checking.cache import Cache, default_path
from gaptron.checking.checker import Checked, check
from gaptron.checking.coq_evidence import accepted, whole_of
from gaptron.coq.development import Whole
from gaptron.coq.formal import printed_statement
from gaptron.coq.library import MissingCoqError, coqc, folder, needed_by, proved_from
from gaptron.coq.script import OutOfScopeError, UntranslatedError
from gaptron.system.atomic import write_atomically
from gaptron.system.deadline import CLAIM_SECONDS
from gaptron.system.documents import Document
from gaptron.system.exits import warn
from gaptron.theory.files import Statement
from gaptron.theory.theorem import Lemma
from gaptron.theory.verdict import Verdict

FLAGS = "-R . Gaptron"


@dataclass
class Exported:
    """What is written, and what is left out: the worst verdict of all decides the exit code."""

    wholes: list[Whole] = field(default_factory=list)
    theorems: list[Document] = field(default_factory=list)
    refutations: list[Document] = field(default_factory=list)
    verdicts: set[Verdict] = field(default_factory=set)

    def add(self, whole: Whole, verdict: Verdict, listed: Document) -> None:
        """A theorem that is exported, or the refutation of one that is not."""
        self.wholes.append(whole)
        if verdict is Verdict.PROVED:
            self.theorems.append(listed)
            return
        self.refutations.append(listed)
        self.leave(listed["name"], verdict, f"its refutation is in {whole.module}.v")

    def leave(self, name: str, verdict: Verdict, reason: str) -> None:
        """A theorem that is not."""
        self.verdicts.add(verdict)
        is_refuted = "it is REFUTED, and " if verdict is Verdict.REFUTED else ""
        warn(f"{name}: not exported: {is_refuted}{reason}")

    @property
    def code(self) -> int:
        """1 if something is REFUTED, 3 if something else is left out, else 0."""
        return 1 if Verdict.REFUTED in self.verdicts else 3 if self.verdicts else 0


def write_developments(home: Path, statements: Sequence[Statement]) -> int:
    """Write the developments of the theorems among these to a folder; the exit code."""
    theorems = [statement for statement in statements if not isinstance(statement.item, Lemma)]
    exported = Exported()
    with closing(Cache(default_path(), warn)) as cache:
        items = [statement.item for statement in theorems]
        for statement, checked in zip(
            theorems, check(items, CLAIM_SECONDS, os.cpu_count() or 1, cache=cache), strict=True
        ):
            _export(exported, statement, checked, cache)
    _write(home, exported)
    return exported.code


def _export(exported: Exported, statement: Statement, checked: Checked, cache: Cache) -> None:
    name = statement.item.name
    verdict = checked.verdict
    if verdict is Verdict.UNDECIDED:
        exported.leave(name, verdict, "it is UNDECIDED")
        return
    left = Verdict.REFUTED if verdict is Verdict.REFUTED else Verdict.UNDECIDED
    try:
        whole = whole_of(checked, cache)
    except (OutOfScopeError, UntranslatedError) as error:
        exported.leave(name, left, str(error))
        return
    if any(whole.module == other.module for other in exported.wholes):
        exported.leave(name, left, "another theorem has this name; export it to a folder of its own")
        return
    said = _said(checked, whole, cache)
    if "reason" in said:
        exported.leave(name, left, said["reason"])
        return
    listed = {"name": name, "file": str(statement.file), "module": whole.module, "theorem": whole.theorem}
    exported.add(whole, verdict, {**listed, "statement": said["statement"], "axioms": said["axioms"]})


def _said(checked: Checked, whole: Whole, cache: Cache) -> Document:
    """The statement and the axioms, as Coq prints them; without coqc the statement as it is written, and no axioms."""
    try:
        coqc()
    except MissingCoqError:
        return {"statement": printed_statement(whole), "axioms": None}
    return accepted(checked, whole, cache)


def _write(home: Path, exported: Exported) -> None:
    theorems = {name: text for whole in exported.wholes for name, text in whole.files.items()}
    theorems |= proved_from(theorems)
    files = {**needed_by(theorems.values()), **theorems}
    project = [FLAGS, "", *files]
    files["_CoqProject"] = "\n".join(project) + "\n"
    files["Makefile"] = (folder() / "Makefile").read_text(encoding="utf-8")
    files["theorems.json"] = json.dumps(exported.theorems, indent=1) + "\n"
    files["refutations.json"] = json.dumps(exported.refutations, indent=1) + "\n"
    for name, text in files.items():
        (home / name).parent.mkdir(exist_ok=True)
        write_atomically(home / name, text)
