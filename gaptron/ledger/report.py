"""What ``check`` says: one JSON document for machines, a table or plain lines for people."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gaptron.ledger.witness import witness_line
from gaptron.obligations import Obligation
from gaptron.printable import printable
from gaptron.prove.check import Checked
from gaptron.theorem import Theorem
from gaptron.verdict import EVIDENCE, Outcome, Verdict

STYLES = {Verdict.PROVED: "green", Verdict.REFUTED: "bold red", Verdict.UNDECIDED: "yellow"}


class PlainConsole(Console):
    """A console that leaves a broken pipe to its caller."""

    def on_broken_pipe(self) -> None:
        """Raise instead of exiting with a code that means something else here."""
        raise BrokenPipeError


def as_json(files: list[Path], checked: list[Checked]) -> str:
    """The document of ``check --json``."""
    theorems = [_theorem(file, result) for file, result in zip(files, checked, strict=True)]
    return json.dumps({"schema": 1, "theorems": theorems}, indent=1)


def error_as_json(message: str) -> str:
    """The document of ``check --json`` for an input that could not be used."""
    return json.dumps({"schema": 1, "theorems": [], "error": message}, indent=1)


def _theorem(file: Path, checked: Checked) -> dict[str, Any]:
    return {
        "name": checked.item.name,
        "file": str(file),
        "line": checked.item.line,
        "source": checked.item.source,
        "verdict": checked.verdict.value,
        **_parameters(checked),
        "obligations": [_obligation(o, r) for o, r in zip(checked.obligations, checked.outcomes, strict=True)],
        "witness": checked.witness,
    }


def _parameters(checked: Checked) -> dict[str, str | None]:
    """Learning rate and regret as text; a lemma has neither."""
    item = checked.item
    eta, regret = (item.eta(), item.regret) if isinstance(item, Theorem) else (None, None)
    return {"learning_rate": None if eta is None else str(eta), "regret": None if regret is None else str(regret)}


def _obligation(obligation: Obligation, outcome: Outcome) -> dict[str, Any]:
    return {
        "id": obligation.id,
        "statement": obligation.statement,
        "verdict": outcome.verdict.value,
        "evidence": list(outcome.evidence),
        "method": outcome.method,
        "certificate": outcome.certificate,
        "seconds": outcome.seconds,
        "reason": outcome.reason,
        "witness": outcome.witness,
    }


def escaped(text: object) -> str:
    """Text from outside without control characters, escaped for the terminal's markup."""
    return escape(printable(text))


def shown_path(file: Path) -> str:
    """The path as a person would type it: relative if it is below the current folder."""
    below = file.is_absolute() and file.is_relative_to(Path.cwd())
    return escaped(file.relative_to(Path.cwd()) if below else file)


def show(console: Console, files: list[Path], checked: list[Checked], verbose: bool) -> None:
    """A table on a terminal, plain lines elsewhere; then every witness and every reason."""
    if console.is_terminal:
        console.print(_table(checked))
    else:
        for file, result in zip(files, checked, strict=True):
            console.print(_plain(file, result), soft_wrap=True)
    for file, result in zip(files, checked, strict=True):
        for line in _details(file, result, verbose):
            console.print(line, soft_wrap=True)
    console.print(_summary(checked), soft_wrap=True)


def _weakest(checked: Checked) -> str:
    used = [outcome.evidence[0] for outcome in checked.outcomes if outcome.evidence]
    return " + ".join(level for level in EVIDENCE if level in used)


def _claim(checked: Checked) -> str:
    parameters = _parameters(checked)
    shown = {"eta": parameters["learning_rate"], "regret": parameters["regret"]}
    return ", ".join(f"{name} = {value}" for name, value in shown.items() if value is not None)


def _table(checked: list[Checked]) -> Table:
    table = Table("verdict", "theorem", "learning rate", "regret", "evidence", "obligations", "seconds")
    for result in checked:
        style, parameters = STYLES[result.verdict], _parameters(result)
        table.add_row(
            f"[{style}]{result.verdict.value}[/]",
            escaped(result.item.name),
            escaped(parameters["learning_rate"] or ""),
            escaped(parameters["regret"] or ""),
            _weakest(result),
            _counts(result),
            f"{sum(o.seconds for o in result.outcomes):.2f}",
        )
    return table


def _counts(checked: Checked) -> str:
    proved = sum(outcome.verdict is Verdict.PROVED for outcome in checked.outcomes)
    return f"{proved}/{len(checked.outcomes)}"


def _plain(file: Path, checked: Checked) -> str:
    claim = f" ({escaped(_claim(checked))})" if _claim(checked) else ""
    return (
        f"{checked.verdict.value:9} {escaped(checked.item.name)}{claim}: {_counts(checked)} obligations"
        f"{', ' + _weakest(checked) if _weakest(checked) else ''}, {shown_path(file)}:{checked.item.line}"
    )


def _details(file: Path, checked: Checked, verbose: bool) -> Iterator[str]:
    """One line for each way in which a theorem is refuted and for each undecided obligation, as editors read them."""
    where = f"{shown_path(file)}:{checked.item.line}:"
    name = escaped(checked.item.name)
    for witness in checked.witnesses:
        yield f"{where} {_styled(Verdict.REFUTED)} {name}: {escaped(witness_line(witness))}"
    for obligation, outcome in zip(checked.obligations, checked.outcomes, strict=True):
        head = f"{where} {_styled(outcome.verdict)} {name}: {escaped(obligation.id)}:"
        if outcome.verdict is Verdict.UNDECIDED:
            yield f"{head} {escaped(outcome.reason)}"
        elif verbose:
            yield f"{head} {escaped(obligation.statement)} ({_cost(outcome)})"
            if outcome.witness is not None:
                yield f"    {escaped(witness_line(outcome.witness))}"


def _styled(verdict: Verdict) -> str:
    return f"[{STYLES[verdict]}]{verdict.value}[/]"


def _cost(outcome: Outcome) -> str:
    parts = (", ".join(outcome.evidence), outcome.method, f"{outcome.seconds:.2f} s")
    return "; ".join(part for part in parts if part)


def _summary(checked: list[Checked]) -> str:
    counts = [(verdict, sum(c.verdict is verdict for c in checked)) for verdict in Verdict]
    return ", ".join(f"{count} {verdict.value}" for verdict, count in counts if count)
