"""The verb ``explain``: one claim, theorem or obligation, and what its verdict stands on."""

import ast
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gaptron.system.deadline import CLAIM_SECONDS
from gaptron.system.exits import fail, warn
from gaptron.system.printable import printable

if TYPE_CHECKING:
    from gaptron.checking.cache import Cache
    from gaptron.checking.check import Checked
    from gaptron.system.documents import Document
    from gaptron.theory.files import Filed, Statement
    from gaptron.theory.items import Item
    from gaptron.theory.library import Library

EXIT_CODES = """\b
Exit codes:
  0  it is PROVED
  1  it is REFUTED
  2  usage or input error, or nothing (or more than one thing) has this name
  3  it is UNDECIDED or NOT-CHECKABLE
"""

CODES = {"PROVED": 0, "REFUTED": 1, "UNDECIDED": 3, "NOT-CHECKABLE": 3}


@click.command(epilog=EXIT_CODES)
@click.argument("name", metavar="ID")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout and nothing else.")
def explain(name: str, files: tuple[Path, ...], as_json: bool) -> None:
    """Explain a claim, a theorem or an obligation: statement, verdict, evidence, witness, and why it is REFUTED.

    ID is a claim's identifier (gaptron/t1-gap), a theorem's name ("Theorem 2, hinge"), an obligation
    ("Theorem 2, hinge: gap/right/1"), or a part of one that fits nothing else. It is looked for in FILES (or
    folders), or else among all that is shipped. Explaining from a FILE runs its Python.
    """
    import json

    from gaptron.theory.shipped import FileError, mentions, python_files, shipped_files

    try:
        own = python_files(files)
        if not own and not any(mentions(file, name.partition(": ")[0]) for file in shipped_files()):
            raise FileError(_no_such(name))
        verdict, text = _explained(name, own, as_json)
    except FileError as error:
        fail(error, document=json.dumps({"schema": 1, "error": str(error)}, indent=1) if as_json else None)
    click.echo(text)
    sys.exit(CODES[verdict])


def _no_such(name: str) -> str:
    return f"{name}: no claim or theorem has such a name"


def _explained(name: str, own: list[Path], as_json: bool) -> tuple[str, str]:
    """The verdict and the text."""
    from gaptron.theory.files import Filed, shipped_files
    from gaptron.theory.library import Library

    library = Library(own or shipped_files(), written=not own)
    meant = _meant(name, library)
    if isinstance(meant, Filed):
        return _claim(meant, library, as_json)
    return _theorem(meant, "" if meant.item.name == name else name.partition(": ")[2], as_json)


def _meant(name: str, library: "Library") -> "Statement | Filed":
    """The one claim, or theorem or lemma, of this name; an exact name needs few files, a part of one all of them."""
    from gaptron.theory.files import FileError, Statement

    theorem = name.partition(": ")[0]
    known: dict[str, Statement | Filed] = {}
    for entry in library.entries(theorem):
        known[_name(entry)] = entry
        if _name(entry) == name or (isinstance(entry, Statement) and _name(entry) == theorem):
            return entry
    theorems = [other for other, entry in known.items() if isinstance(entry, Statement)]
    found = _matching(name, known) or _matching(theorem, theorems)
    if not found:
        raise FileError(_no_such(name))
    if len(found) > 1:
        raise FileError(f"{name}: this could be {'; '.join(found[:20])}")
    return known[found[0]]


def _name(entry: "Statement | Filed") -> str:
    from gaptron.theory.files import Filed

    return entry.claim.id if isinstance(entry, Filed) else entry.item.name


def _matching(name: str, names: Iterable[str]) -> list[str]:
    """All that contain it."""
    return [other for other in names if name and name.lower() in other.lower()]


# --- claims -------------------------------------------------------------------------------------------------


def _claim(filed: "Filed", library: "Library", as_json: bool) -> tuple[str, str]:
    """A claim, audited together with the claims it rests on."""
    import json

    from gaptron.checking.cache import Cache, default_path
    from gaptron.ledger.audit import audit
    from gaptron.ledger.claims import as_dict

    with closing(Cache(default_path(), warn)) as cache:
        rows = {row.claim.id: row for row in audit(_with_ancestors(filed, library), CLAIM_SECONDS, cache)}
        row = rows[filed.claim.id]
        looked_at = [found.checked for found in row.grounds if found.checked and found.witness == row.witness]
        reasons = _why(looked_at[0].item, [row.witness], cache) if looked_at and row.witness else []
    document = as_dict(row) | {"why": reasons}
    if as_json:
        return row.verdict, json.dumps({"schema": 1, "claim": document}, indent=1)
    return row.verdict, "\n".join(_claim_lines(document, {name: r.verdict for name, r in rows.items()}))


def _why(item: "Item", witnesses: "list[Document]", cache: "Cache") -> list[str]:
    """Which term outweighs which at the witnesses, and what would be allowed."""
    from gaptron.sharpen.engine import Engine
    from gaptron.sharpen.why import why

    return why(item, witnesses, Engine(CLAIM_SECONDS, 2, cache)) if witnesses else []


def _with_ancestors(filed: "Filed", library: "Library") -> list["Filed"]:
    """The claim and all it rests on; a premise that is no claim is for the audit to name."""
    from gaptron.theory.files import Filed

    found = {filed.claim.id: filed}
    waiting = [*filed.claim.premises]
    while waiting:
        name = waiting.pop()
        premise = next((e for e in library.entries(name) if isinstance(e, Filed) and e.claim.id == name), None)
        if premise is not None and name not in found:
            found[name] = premise
            waiting += premise.claim.premises
    return list(found.values())


def _claim_lines(row: dict, verdicts: dict[str, str]) -> Iterator[str]:  # type: ignore[type-arg]
    from gaptron.ledger.witness import witness_text

    yield f"{row['verdict']}  {row['id']} ({printable(row['source'])})"
    yield from _block("statement", row["statement"])
    yield from _block("finding", row["finding"])
    if row["witness"]:
        yield from _block("witness", witness_text(row["witness"]))
    for sentence in row["why"]:
        yield from _block("why", sentence)
    if row["corrected"]:
        yield from _block(f"corrected ({row['corrected_verdict'] or 'needs no proof'})", row["corrected"])
    for constant in row["constants"]:
        best = f"best {constant['best']}" if constant["best"] else "best not known"
        yield from _block(
            "constant", f"of {constant['name']}: printed {constant['printed']}, {best}. {constant['attained']}"
        )
    for premise in row["premises"]:
        yield from _block("rests on", f"{premise}: {verdicts[premise]}")
    if row["argument"]:
        yield from _block("argument", row["argument"])
        from gaptron.theory.facts import marked

        yield from _block("facts", marked(row["facts"]))
        yield from _block("open", "; ".join(row["open"]))
    for statement, theorem in row["stated_in_coq"].items():
        yield from _block("in Coq", f"{statement}, proved by {theorem}")
    for kind in ("grounds", "second"):
        for ground in row[kind]:
            yield from _ground_lines("ground" if kind == "grounds" else "second route", ground)
    for problem in row["problems"]:
        yield from _block("DIFFERS", problem)
    yield from _block("written in", f"{row['file']}:{row['line']}")


def _ground_lines(title: str, ground: dict) -> Iterator[str]:  # type: ignore[type-arg]
    from gaptron.ledger.witness import witness_text

    head = f"{ground['kind']}: {ground['verdict'] or 'no verdict'}"
    if ground["item"]:
        head += f", {ground['item']}"
    if ground["evidence"]:
        head += f" ({', '.join(ground['evidence'])})"
    yield from _block(title, head)
    if ground["proof"]:
        yield from _proof_lines(ground["proof"])
    for obligation in ground["obligations"] if not ground["proof"] else ():
        yield f"    {obligation['verdict']} {printable(obligation['id'])}: {printable(obligation['statement'])}"
    if ground["witness"] and not ground["obligations"]:
        yield f"    {printable(witness_text(ground['witness']))}"
    if ground["reason"]:
        yield f"    {printable(ground['reason'])}"


def _proof_lines(proof: dict) -> Iterator[str]:  # type: ignore[type-arg]
    for title in ("hypotheses", "supplied"):
        for sentence in proof[title]:
            yield f"    {'hypothesis' if title == 'hypotheses' else 'supplied by prose'}: {printable(sentence)}"
    for step in proof["steps"]:
        yield f"    step: {printable(step['says'])} [{printable(step['by'])}]"
    for sentence in proof["conclusion"]:
        yield f"    conclusion: {printable(sentence)}"
    yield f"    an example: {printable(', '.join(f'{name} = {value}' for name, value in proof['example'].items()))}"


def _block(title: str, text: str) -> Iterator[str]:
    """A title and its text on one line; nothing if there is no text."""
    if text:
        yield f"  {title}: {printable(' '.join(text.split()))}"


# --- theorems and obligations -------------------------------------------------------------------------------


def _theorem(statement: "Statement", obligation: str, as_json: bool) -> tuple[str, str]:
    """A theorem or lemma, or one obligation of it."""
    from gaptron.checking.cache import Cache, default_path
    from gaptron.checking.check import check
    from gaptron.checking.document import document
    from gaptron.ledger import report
    from gaptron.theory.verdict import best_witnesses

    with closing(Cache(default_path(), warn)) as cache:
        (checked,) = check([statement.item], CLAIM_SECONDS, 2, cache=cache)
        checked = _part(checked, obligation) if obligation else checked
        witnesses = best_witnesses([outcome.witness for outcome in checked.outcomes if outcome.witness is not None])
        reasons = _why(checked.item, witnesses, cache)
    if as_json:
        return checked.verdict.value, report.as_json([document(statement.file, checked) | {"why": reasons}])
    return checked.verdict.value, "\n".join(_theorem_lines(statement, checked, reasons))


def _part(checked: "Checked", obligation: str) -> "Checked":
    """One obligation of it alone."""
    from gaptron.checking.check import Checked
    from gaptron.theory.files import FileError

    pairs = [(o, r) for o, r in zip(checked.obligations, checked.outcomes, strict=True) if o.id == obligation]
    if not pairs:
        known = "; ".join(o.id for o in checked.obligations)
        raise FileError(f"{checked.item.name} has no obligation {obligation}: it has {known}")
    return Checked(checked.item, (pairs[0][0],), (pairs[0][1],))


def _theorem_lines(statement: "Statement", checked: "Checked", reasons: list[str]) -> Iterator[str]:
    from gaptron.ledger.witness import witness_line
    from gaptron.theory.structured.theorem import StructuredTheorem
    from gaptron.theory.theorem import Theorem

    item = statement.item
    yield f"{checked.verdict.value}  {printable(item.name)} ({printable(item.source or 'no source')})"
    yield from _block("written in", f"{statement.file}:{item.line}")
    if isinstance(item, StructuredTheorem):
        names = ("outputs", "target", "entropy", "scale", "update", "learning_rate", "coefficient", "regret", "sizes")
        for name in names:
            value = getattr(item, name)
            yield from _block(name.replace("_", " "), "" if value is None else str(value))
    if isinstance(item, Theorem):
        yield from _block("loss", str(item.loss))
        is_mixed = item.decoder == "gap map"
        yield from _block("gap map", str(item.gap_map.expression)) if is_mixed else _block("decoder", item.decoder)
        yield from _block("feedback", item.feedback)
        for name in ("exploration", "learning_rate", "regret", "abstention_cost", "classes"):
            value = getattr(item, name)
            yield from _block(name.replace("_", " "), "" if value is None else str(value))
    for paragraph in _docstring(statement.file).split("\n\n"):
        yield from _block("file", paragraph.replace("**", ""))
    for o, r in zip(checked.obligations, checked.outcomes, strict=True):
        yield f"  {r.verdict.value}  {printable(o.id)}: {printable(o.statement)}"
        details = [", ".join(r.evidence), r.method or "", r.certificate or "", r.reason or ""]
        yield f"    {printable('; '.join(part for part in details if part))}"
        if r.witness:
            yield f"    {printable(witness_line(r.witness))}"
    for sentence in reasons:
        yield from _block("why", sentence)


def _docstring(file: Path) -> str:
    return ast.get_docstring(ast.parse(file.read_bytes())) or ""
