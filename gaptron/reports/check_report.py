"""What ``check`` says of documents of theorems: JSON for machines, a table or plain lines for people."""

import json
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from gaptron.reports import junit
from gaptron.reports.expected import is_as_expected, is_unaccepted, surprise, words
from gaptron.reports.junit import Fault, TestCase
from gaptron.reports.witness import breaks_line, refuted_text, witness_line
from gaptron.system.documents import Document
from gaptron.system.printable import between, folded, printable
from gaptron.theory.shipped import place
from gaptron.theory.verdict import EVIDENCE, Verdict, best_witnesses

STYLES = {"PROVED": "green", "REFUTED": "bold red", "UNDECIDED": "yellow"}
FEW = 3
LONGEST = 100  # characters of a lemma's formulas on the line of its verdict


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


def say(console: Console, line: str) -> None:
    """A line with markup, as several if it is long; what is styled stands at its beginning."""
    text = Text.from_markup(line)
    console.print(Text(folded(text.plain), spans=text.spans), soft_wrap=True)


def show(console: Console, theorem: Document, verbose: bool) -> None:
    """A plain line, then its notes, every witness and every reason."""
    say(console, _plain(theorem))
    show_details(console, theorem, verbose)


def show_details(console: Console, theorem: Document, verbose: bool) -> None:
    """One line for each way in which a theorem is refuted and for each reason, as editors read them."""
    for line in (*_notes(theorem), *_details(theorem, verbose)):
        say(console, line)


def _weakest(theorem: Document) -> str:
    used = [obligation["evidence"][0] for obligation in theorem["obligations"] if obligation["evidence"]]
    whole = "coq, " if theorem.get("coq", {}).get("accepted") else ""
    return whole + " + ".join(level for level in EVIDENCE if level in used)


def _claim(theorem: Document) -> str:
    shown = {"eta": theorem["learning_rate"], "regret": theorem["regret"]}
    ranges = [between(name, *ends) for name, ends in theorem["parameters"].items()]
    formulas = "; ".join(o["statement"] for o in theorem["obligations"] if o["words"] is not None)
    cut = f"{formulas[:LONGEST]}..." if len(formulas) > LONGEST else formulas
    named = [f"{name} = {value}" for name, value in shown.items() if value is not None]
    return ", ".join([cut] if formulas else [*named, *ranges])


def table(theorems: list[Document]) -> Table:
    """For a terminal."""
    found = Table("verdict", "theorem", "learning rate", "regret", "evidence", "obligations", "seconds")
    for theorem in theorems:
        found.add_row(
            ", ".join(filter(None, [_verdict(theorem), words(theorem)])),
            escaped(theorem["name"]),
            escaped(theorem["learning_rate"] or ""),
            escaped(theorem["regret"] or ""),
            _weakest(theorem),
            _counts(theorem),
            f"{sum(obligation['seconds'] for obligation in theorem['obligations']):.2f}",
        )
    return found


def _verdict(theorem: Document) -> str:
    return _styled(theorem["verdict"]) + (f" ({theorem['refutes']})" if theorem["refutes"] else "")


def _counts(theorem: Document) -> str:
    proved = sum(obligation["verdict"] == "PROVED" for obligation in theorem["obligations"])
    return f"{proved}/{len(theorem['obligations'])}"


def _where(theorem: Document) -> str:
    return place(shown_path(Path(theorem["file"])), theorem["line"])


def _plain(theorem: Document) -> str:
    claim = f" ({escaped(_claim(theorem))})" if _claim(theorem) else ""
    refuted = [escaped(refuted_text(theorem["witness"]))] if theorem["witness"] else []
    about = filter(None, [_weakest(theorem), *refuted, words(theorem)])
    said = [f"{_counts(theorem)} obligations", *about, _where(theorem)]
    return f"{theorem['verdict']:9} {escaped(theorem['name'])}{claim}: {', '.join(said)}"


def _notes(theorem: Document) -> Iterator[str]:
    """How decimals were read, and why Coq did not accept what is PROVED or REFUTED."""
    for reading in theorem.get("readings", ()):
        argument, decimal, rational = (escaped(reading[key]) for key in ("argument", "decimal", "rational"))
        name = escaped(theorem["name"])
        yield f"{_where(theorem)}: note: {name}: {argument}: {decimal} was read as {rational}"
    if is_unaccepted(theorem):
        name, reason = escaped(theorem["name"]), escaped(theorem["coq"]["reason"])
        yield f"{_where(theorem)}: note: {name}: not {theorem['verdict'].lower()} in Coq: {reason}"


def _details(theorem: Document, verbose: bool) -> Iterator[str]:
    """Of a theorem that is as expected nothing, unless all is asked for."""
    if is_as_expected(theorem) and not verbose:
        return
    name, where = escaped(theorem["name"]), _where(theorem)
    if surprise(theorem):
        yield f"{where}: {_styled(theorem['verdict'])} {name}: {surprise(theorem)}"
    for witness in shown_witnesses(theorem):
        yield f"{where}: {_styled('REFUTED')} {name}: {escaped(witness_line(witness))}"
        if verbose and "breaks" in witness:
            yield f"    the bound is broken: {escaped(breaks_line(witness['breaks']))}"
    for sentence in advised(theorem):
        yield f"{where}: hint: {name}: {escaped(sentence)}"
    for obligations in grouped(theorem["obligations"]):
        first = obligations[0]
        head = f"{where}: {_styled(first['verdict'])} {name}: {escaped(first['id'])}"
        if first["verdict"] == "UNDECIDED" and (verbose or theorem["verdict"] == "UNDECIDED"):
            more = f" and {len(obligations) - 1} more" if len(obligations) > 1 else ""
            yield f"{head}{more}: {escaped(first['reason'])}"
        elif verbose:
            yield f"{head}: {escaped(said(first))} ({_cost(first)})"
            if first["witness"] is not None:
                yield f"    {escaped(witness_line(first['witness']))}"


def shown_witnesses(theorem: Document) -> list[Document]:
    """One against each part of a theorem."""
    return best_witnesses([o["witness"] for o in theorem["obligations"] if o["witness"] is not None])


def advised(theorem: Document) -> list[str]:
    """What would mend it, as its witnesses say, each once."""
    witnesses = [o["witness"] for o in theorem["obligations"] if o["witness"] is not None]
    return list(dict.fromkeys(w["advice"] for w in witnesses if "advice" in w))


def grouped(obligations: list[Document]) -> list[list[Document]]:
    """Each by itself, but many that are undecided for the same reason together."""
    groups: dict[object, list[Document]] = {}
    for number, obligation in enumerate(obligations):
        reason = obligation["reason"]
        shared = obligation["verdict"] == "UNDECIDED" and sum(o["reason"] == reason for o in obligations) > FEW
        groups.setdefault(reason if shared else number, []).append(obligation)
    return list(groups.values())


def said(obligation: Document) -> str:
    """What is decided, with the words of the file beside a formula of its own."""
    words = "" if obligation["words"] is None else f', in words: "{obligation["words"]}"'
    return f"{obligation['statement']}{words}"


def _styled(verdict: str) -> str:
    return f"[{STYLES[verdict]}]{verdict}[/]"


def _cost(obligation: Document) -> str:
    parts = (", ".join(obligation["evidence"]), obligation["method"], f"{obligation['seconds']:.2f} s")
    return "; ".join(part for part in parts if part)


def summary(theorems: list[Document]) -> str:
    """How many have which verdict."""
    counts = [(v.value, sum(theorem["verdict"] == v.value for theorem in theorems)) for v in Verdict]
    said = ", ".join(f"{count} {verdict}" for verdict, count in counts if count)
    if not any(map(words, theorems)):
        return said
    others = sum(not is_as_expected(theorem) for theorem in theorems)
    return f"{said}: {f'{others} not' if others else 'all'} as expected"


def as_junit(theorems: list[Document], errors: dict[str, str], partial: bool = False) -> str:
    """A suite for each theorem: REFUTED is a failure, UNDECIDED an error, and so is a file that could not be used.

    A theorem that is as expected has neither, one that expected another verdict than PROVED a case that says so.
    """
    unusable = [
        junit.suite(file, [TestCase(file, "the file", file, fault=Fault("error", "input", why))], "failures", "errors")
        for file, why in errors.items()
    ]
    decided = [
        junit.suite(theorem["name"], list(_cases(theorem)), "failures", "errors", "time") for theorem in theorems
    ]
    return junit.as_xml(junit.suites("gaptron check", [*unusable, *decided], partial))


def _cases(theorem: Document) -> Iterator[TestCase]:
    yield from (_case(theorem, obligation) for obligation in theorem["obligations"])
    if (said := surprise(theorem)) is not None:
        fault = Fault("failure", theorem["verdict"], said)
        yield TestCase(theorem["name"], "verdict", theorem["file"], theorem["line"], fault=fault)


def _case(theorem: Document, obligation: Document) -> TestCase:
    fault, verdict = None, None if is_as_expected(theorem) else obligation["verdict"]
    if verdict == "REFUTED":
        witness = obligation["witness"]
        said = f"{refuted_text(witness)}: {witness_line(witness)}"
        fault = Fault("failure", "REFUTED", said, obligation["statement"])
    elif verdict == "UNDECIDED":
        fault = Fault("error", "UNDECIDED", obligation["reason"] or "", obligation["statement"])
    group, name, seconds = theorem["name"], obligation["id"], obligation["seconds"]
    return TestCase(group, name, theorem["file"], theorem["line"], seconds, fault)
