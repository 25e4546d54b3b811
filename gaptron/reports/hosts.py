"""What ``check`` says to code hosts: annotations and job summaries of GitHub, SARIF 2.1.0: what is not as expected."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from gaptron.reports.check_report import grouped, shown_witnesses, summary
from gaptron.reports.expected import is_as_expected, is_unaccepted, surprise, words
from gaptron.reports.witness import refuted_text, witness_line
from gaptron.system.documents import Document
from gaptron.system.printable import printable

RULES = {
    "REFUTED": ("error", "Exact numbers break the bound, a condition of its proof, or a statement."),
    "UNDECIDED": ("warning", "Neither a proof nor exact numbers against it were found."),
    "PROVED": ("error", "A proof was found, and the file expects that there is none."),
}
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
UNKNOWN = "UNDECIDED"


@dataclass(frozen=True)
class HostFinding:
    """A theorem, or a part of one, that is not as expected: where it is written, and why."""

    verdict: str
    file: str
    line: int
    message: str
    refutes: str | None = None


def findings(theorems: Sequence[Document]) -> Iterator[HostFinding]:
    """One for each verdict, witness and reason that is not expected, and for what Coq did not accept."""
    for theorem in theorems:
        yield from () if is_as_expected(theorem) else _unexpected(theorem)
        if is_unaccepted(theorem):
            said = f"not {theorem['verdict'].lower()} in Coq: {theorem['coq']['reason']}"
            yield _finding(theorem, UNKNOWN, said)


def _unexpected(theorem: Document) -> Iterator[HostFinding]:
    if (said := surprise(theorem)) is not None:
        yield _finding(theorem, theorem["verdict"], said)
    for witness in shown_witnesses(theorem):
        said = f"{refuted_text(witness)}: {witness_line(witness)}"
        yield _finding(theorem, "REFUTED", said, witness["refutes"])
    for obligations in grouped([o for o in theorem["obligations"] if o["verdict"] == UNKNOWN]):
        more = f" and {len(obligations) - 1} more" if len(obligations) > 1 else ""
        yield _finding(theorem, UNKNOWN, f"{obligations[0]['id']}{more}: {obligations[0]['reason']}")


def _finding(theorem: Document, verdict: str, said: str, refutes: str | None = None) -> HostFinding:
    message = f"{printable(theorem['name'])}: {printable(said)}"
    return HostFinding(verdict, _shown(theorem["file"]), theorem["line"], message, refutes)


def _shown(file: object) -> str:
    """Relative to the current folder, as hosts want it, if it is below."""
    path = Path(str(file)).absolute()
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else path.as_posix()


def as_github(theorems: Sequence[Document], errors: Mapping[str, str], lines: Mapping[str, int]) -> str:
    """A workflow command a line; nothing if all is as expected. ``lines`` are those that errors are about."""
    said = [
        f"::{RULES[f.verdict][0]} file={_property(f.file)},line={f.line},title={f.verdict}::{_data(f.message)}"
        for f in findings(theorems)
    ]
    for file, error in errors.items():
        line = f"line={lines[file]}," if file in lines else ""
        place = f"file={_property(_shown(file))},{line}" if file else ""
        said.append(f"::error {place}title=Input error::{_data(printable(error))}")
    return "\n".join(said)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def as_sarif(theorems: Sequence[Document], errors: Mapping[str, str], lines: Mapping[str, int]) -> str:
    """One run; files that could not be used are notifications of it, at the ``lines`` that errors are about."""
    driver = {
        "name": "gaptron",
        "version": version("gaptron"),
        "rules": [
            {"id": rule, "shortDescription": {"text": text}, "defaultConfiguration": {"level": level}}
            for rule, (level, text) in RULES.items()
        ],
    }
    notifications = [
        {"level": "error", "message": {"text": printable(error)}}
        | ({"locations": [_location(_shown(file), lines.get(file))]} if file else {})
        for file, error in errors.items()
    ]
    invocation = {"executionSuccessful": not errors, "toolExecutionNotifications": notifications}
    results = [_result(found) for found in findings(theorems)]
    run = {"tool": {"driver": driver}, "invocations": [invocation], "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)


def _result(found: HostFinding) -> Document:
    return {
        "ruleId": found.verdict,
        "level": RULES[found.verdict][0],
        "message": {"text": found.message},
        "locations": [_location(found.file, found.line)],
        **({"properties": {"refutes": found.refutes}} if found.refutes else {}),
    }


def _location(file: str, line: int | None) -> Document:
    region = {} if line is None else {"region": {"startLine": line}}
    return {"physicalLocation": {"artifactLocation": {"uri": file}, **region}}


def as_summary(theorems: Sequence[Document], errors: Mapping[str, str]) -> str:
    """Markdown: how many have which verdict, a row for each theorem, and what is not as expected."""
    rows = [" | ".join(["", _verdict(one), _cell(one["name"]), f"{_cell(_shown(one['file']))}:{one['line']}", ""])
            for one in theorems]  # fmt: skip
    listed = [f"- {found.verdict}: {_cell(found.message)}" for found in findings(theorems)]
    listed += [f"- input error: {_cell(printable(error))}" for error in errors.values()]
    table = ["| verdict | theorem | where |", "|---|---|---|", *map(str.strip, rows)] if rows else []
    parts = [["### gaptron check"], [summary(list(theorems))] if rows else [], table, listed]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _verdict(theorem: Document) -> str:
    said = words(theorem)
    return theorem["verdict"] if said is None else f"{theorem['verdict']} ({said})"


def _cell(text: object) -> str:
    """Text that is no markup and no end of a cell."""
    return re.sub(r"([\\`*_|<>\[\]])", r"\\\1", printable(text))
