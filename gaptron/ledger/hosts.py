"""What ``check`` says to code hosts: annotations of GitHub, and SARIF 2.1.0. Only what is not PROVED is a finding."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from gaptron.ledger.report import grouped, shown_witnesses
from gaptron.ledger.witness import witness_line
from gaptron.system.documents import Document
from gaptron.system.printable import printable

RULES = {
    "REFUTED": ("error", "The theorem is false: exact numbers break it."),
    "UNDECIDED": ("warning", "Neither a proof nor exact numbers against it were found."),
}
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
UNKNOWN = "UNDECIDED"


@dataclass(frozen=True)
class HostFinding:
    """A theorem, or a part of one, that is not PROVED: where it is written, and why."""

    verdict: str
    file: str
    line: int
    message: str


def findings(theorems: Sequence[Document]) -> Iterator[HostFinding]:
    """One for each witness, and for each reason why something is open."""
    for theorem in theorems:
        file, line, name = _shown(theorem["file"]), theorem["line"], printable(theorem["name"])
        for witness in shown_witnesses(theorem):
            yield HostFinding("REFUTED", file, line, f"{name}: {printable(witness_line(witness))}")
        for obligations in grouped([o for o in theorem["obligations"] if o["verdict"] == UNKNOWN]):
            more = f" and {len(obligations) - 1} more" if len(obligations) > 1 else ""
            reason = f"{obligations[0]['id']}{more}: {obligations[0]['reason']}"
            yield HostFinding(UNKNOWN, file, line, f"{name}: {printable(reason)}")
        if theorem.get("coq", {}).get("accepted") is False:
            yield HostFinding(
                UNKNOWN,
                file,
                line,
                f"{name}: not {theorem['verdict'].lower()} in Coq: {printable(theorem['coq']['reason'])}",
            )


def _shown(file: object) -> str:
    """Relative to the current folder, as hosts want it, if it is below."""
    path = Path(str(file)).absolute()
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else path.as_posix()


def as_github(theorems: Sequence[Document], errors: Mapping[str, str]) -> str:
    """A workflow command a line; nothing if all is PROVED."""
    lines = [
        f"::{RULES[f.verdict][0]} file={_property(f.file)},line={f.line},title={f.verdict}::{_data(f.message)}"
        for f in findings(theorems)
    ]
    for file, error in errors.items():
        place = f"file={_property(_shown(file))}," if file else ""
        lines.append(f"::error {place}title=Input error::{_data(printable(error))}")
    return "\n".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def as_sarif(theorems: Sequence[Document], errors: Mapping[str, str]) -> str:
    """One run; files that could not be used are notifications of it."""
    driver = {
        "name": "gaptron",
        "version": version("gaptron"),
        "rules": [
            {"id": rule, "shortDescription": {"text": text}, "defaultConfiguration": {"level": level}}
            for rule, (level, text) in RULES.items()
        ],
    }
    notifications = [{"level": "error", "message": {"text": printable(error)}} for error in errors.values()]
    invocation = {"executionSuccessful": not errors, "toolExecutionNotifications": notifications}
    results = [_result(found) for found in findings(theorems)]
    run = {"tool": {"driver": driver}, "invocations": [invocation], "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)


def _result(found: HostFinding) -> Document:
    place = {"artifactLocation": {"uri": found.file}, "region": {"startLine": found.line}}
    return {
        "ruleId": found.verdict,
        "level": RULES[found.verdict][0],
        "message": {"text": found.message},
        "locations": [{"physicalLocation": place}],
    }
