"""What ``check`` says of documents of theorems: JSON for machines, a table or plain lines for people."""

import json
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gaptron.ledger import junit
from gaptron.ledger.junit import Fault, TestCase
from gaptron.ledger.witness import witness_line
from gaptron.system.documents import Document
from gaptron.system.printable import printable
from gaptron.theory.verdict import EVIDENCE, Verdict, best_witnesses

STYLES = {"PROVED": "green", "REFUTED": "bold red", "UNDECIDED": "yellow"}
FEW = 3


class PlainConsole(Console):
    """A console that leaves a broken pipe to its caller."""

    def on_broken_pipe(self) -> None:
        """Raise instead of exiting with a code that means something else here."""
        raise BrokenPipeError


def as_json(theorems: list[Document], error: str | None = None, partial: bool = False) -> str:
    """The document of ``check --json``: of all that was asked for, or partial; with what could not be used."""
    found: Document = {"schema": 1, "theorems": theorems}
    if partial:
        found["partial"] = True
    if error is not None:
        found["error"] = error
    return json.dumps(found, indent=1)


def escaped(text: object) -> str:
    """Text from outside without control characters, escaped for the terminal's markup."""
    return escape(printable(text))


def shown_path(file: Path) -> str:
    """The path as a person would type it: relative if it is below the current folder."""
    below = file.is_absolute() and file.is_relative_to(Path.cwd())
    return escaped(file.relative_to(Path.cwd()) if below else file)


def show(console: Console, theorem: Document, verbose: bool) -> None:
    """A plain line, then its notes, every witness and every reason."""
    console.print(_plain(theorem), soft_wrap=True)
    show_details(console, theorem, verbose)


def show_details(console: Console, theorem: Document, verbose: bool) -> None:
    """One line for each way in which a theorem is refuted and for each reason, as editors read them."""
    for line in (*_notes(theorem), *_details(theorem, verbose)):
        console.print(line, soft_wrap=True)


def _weakest(theorem: Document) -> str:
    used = [obligation["evidence"][0] for obligation in theorem["obligations"] if obligation["evidence"]]
    whole = "coq, " if theorem.get("coq", {}).get("accepted") else ""
    return whole + " + ".join(level for level in EVIDENCE if level in used)


def _claim(theorem: Document) -> str:
    shown = {"eta": theorem["learning_rate"], "regret": theorem["regret"]}
    return ", ".join(f"{name} = {value}" for name, value in shown.items() if value is not None)


def table(theorems: list[Document]) -> Table:
    """For a terminal."""
    found = Table("verdict", "theorem", "learning rate", "regret", "evidence", "obligations", "seconds")
    for theorem in theorems:
        found.add_row(
            _styled(theorem["verdict"]),
            escaped(theorem["name"]),
            escaped(theorem["learning_rate"] or ""),
            escaped(theorem["regret"] or ""),
            _weakest(theorem),
            _counts(theorem),
            f"{sum(obligation['seconds'] for obligation in theorem['obligations']):.2f}",
        )
    return found


def _counts(theorem: Document) -> str:
    proved = sum(obligation["verdict"] == "PROVED" for obligation in theorem["obligations"])
    return f"{proved}/{len(theorem['obligations'])}"


def _where(theorem: Document) -> str:
    return f"{shown_path(Path(theorem['file']))}:{theorem['line']}"


def _plain(theorem: Document) -> str:
    claim = f" ({escaped(_claim(theorem))})" if _claim(theorem) else ""
    return (
        f"{theorem['verdict']:9} {escaped(theorem['name'])}{claim}: {_counts(theorem)} obligations"
        f"{', ' + _weakest(theorem) if _weakest(theorem) else ''}, {_where(theorem)}"
    )


def _notes(theorem: Document) -> Iterator[str]:
    """How decimals were read, and why Coq did not accept what is PROVED or REFUTED."""
    for reading in theorem.get("readings", ()):
        argument, decimal, rational = (escaped(reading[key]) for key in ("argument", "decimal", "rational"))
        name = escaped(theorem["name"])
        yield f"{_where(theorem)}: note: {name}: {argument}: {decimal} was read as {rational}"
    if theorem.get("coq", {}).get("accepted") is False:
        name, reason = escaped(theorem["name"]), escaped(theorem["coq"]["reason"])
        yield f"{_where(theorem)}: note: {name}: not {theorem['verdict'].lower()} in Coq: {reason}"


def _details(theorem: Document, verbose: bool) -> Iterator[str]:
    name, where = escaped(theorem["name"]), _where(theorem)
    for witness in shown_witnesses(theorem):
        yield f"{where}: {_styled('REFUTED')} {name}: {escaped(witness_line(witness))}"
    for obligations in grouped(theorem["obligations"]):
        first = obligations[0]
        head = f"{where}: {_styled(first['verdict'])} {name}: {escaped(first['id'])}"
        if first["verdict"] == "UNDECIDED":
            more = f" and {len(obligations) - 1} more" if len(obligations) > 1 else ""
            yield f"{head}{more}: {escaped(first['reason'])}"
        elif verbose:
            yield f"{head}: {escaped(first['statement'])} ({_cost(first)})"
            if first["witness"] is not None:
                yield f"    {escaped(witness_line(first['witness']))}"


def shown_witnesses(theorem: Document) -> list[Document]:
    """One against each part of a theorem."""
    return best_witnesses([o["witness"] for o in theorem["obligations"] if o["witness"] is not None])


def grouped(obligations: list[Document]) -> list[list[Document]]:
    """Each by itself, but many that are undecided for the same reason together."""
    groups: dict[object, list[Document]] = {}
    for number, obligation in enumerate(obligations):
        reason = obligation["reason"]
        shared = obligation["verdict"] == "UNDECIDED" and sum(o["reason"] == reason for o in obligations) > FEW
        groups.setdefault(reason if shared else number, []).append(obligation)
    return list(groups.values())


def _styled(verdict: str) -> str:
    return f"[{STYLES[verdict]}]{verdict}[/]"


def _cost(obligation: Document) -> str:
    parts = (", ".join(obligation["evidence"]), obligation["method"], f"{obligation['seconds']:.2f} s")
    return "; ".join(part for part in parts if part)


def summary(theorems: list[Document]) -> str:
    """How many have which verdict."""
    counts = [(v.value, sum(theorem["verdict"] == v.value for theorem in theorems)) for v in Verdict]
    return ", ".join(f"{count} {verdict}" for verdict, count in counts if count)


def as_junit(theorems: list[Document], errors: dict[str, str], partial: bool = False) -> str:
    """A suite for each theorem: REFUTED is a failure, UNDECIDED an error, and so is a file that could not be used."""
    unusable = [
        junit.suite(file, [TestCase(file, "the file", file, fault=Fault("error", "input", why))], "failures", "errors")
        for file, why in errors.items()
    ]
    decided = [
        junit.suite(theorem["name"], [_case(theorem, o) for o in theorem["obligations"]], "failures", "errors", "time")
        for theorem in theorems
    ]
    return junit.as_xml(junit.suites("gaptron check", [*unusable, *decided], partial))


def _case(theorem: Document, obligation: Document) -> TestCase:
    fault = None
    if obligation["verdict"] == "REFUTED":
        fault = Fault("failure", "REFUTED", witness_line(obligation["witness"] or {}), obligation["statement"])
    elif obligation["verdict"] == "UNDECIDED":
        fault = Fault("error", "UNDECIDED", obligation["reason"] or "", obligation["statement"])
    group, name, seconds = theorem["name"], obligation["id"], obligation["seconds"]
    return TestCase(group, name, theorem["file"], theorem["line"], seconds, fault)
