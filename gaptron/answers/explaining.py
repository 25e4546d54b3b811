"""``explain``: one claim, theorem or obligation, and what its verdict stands on."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from gaptron.answers.explanation import Explained, block, reasons_for
from gaptron.checking.cache import Cache, default_path
from gaptron.checking.checker import Checked, Listener, check
from gaptron.checking.document import document, obligation_document
from gaptron.checking.recall import Recalled
from gaptron.obligations import Obligation
from gaptron.reports.check_report import said
from gaptron.reports.witness import breaks_line, refuted_text, witness_line
from gaptron.system.deadline import CLAIM_SECONDS
from gaptron.system.exits import warn
from gaptron.system.printable import between, folded, printable
from gaptron.system.progress import Progress
from gaptron.theory.files import NO_FILE, Filed, Library, Statement
from gaptron.theory.shipped import FileError, no_such, place, require_mentioned, shipped_files, shipped_names
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Theorem
from gaptron.theory.verdict import best_witnesses


def explained(name: str, own: list[Path], shown: Progress, seconds: float) -> Explained:
    """A claim by its identifier, a theorem by its name, or one of its obligations, of these files or of the shipped.

    ``seconds`` by the clock are for what would be allowed, if it is REFUTED.

    Raises
    ------
    FileError
        If a file cannot be used, or nothing, or more than one thing, has this name.
    """
    if not own:
        require_mentioned(name)
    library = Library(own or shipped_files(), written=not own)
    meant = _meant(name, library)
    if isinstance(meant, Filed):
        from gaptron.answers.explained_claim import explained_claim  # the audit, which no theorem need wait for

        return explained_claim(meant, library, shown, seconds)
    return explained_item(meant, shown, seconds, "" if meant.item.name == name else name.partition(": ")[2])


def _meant(name: str, library: Library) -> Statement | Filed:
    """The one claim, or theorem or lemma, of this name; an exact name needs few files, a part of one all of them."""
    theorem = name.partition(": ")[0]
    known: dict[str, Statement | Filed] = {}
    for entry in library.entries(theorem):
        known[_name(entry)] = entry
        if _name(entry) == name or (isinstance(entry, Statement) and _name(entry) == theorem):
            return entry
    theorems = [other for other, entry in known.items() if isinstance(entry, Statement)]
    found = _matching(name, known) or _matching(theorem, theorems)
    if not found:
        raise FileError(no_such(name, known if not library.written else shipped_names()))
    if len(found) > 1:
        raise FileError(f"{name}: this could be {'; '.join(found[:20])}")
    return known[found[0]]


def _name(entry: Statement | Filed) -> str:
    return entry.claim.id if isinstance(entry, Filed) else entry.item.name


def _matching(name: str, names: Iterable[str]) -> list[str]:
    """All that contain it."""
    return [other for other in names if name and name.lower() in other.lower()]


class _Shows(Listener):
    """Shows how many obligations are decided."""

    def __init__(self, shown: Progress) -> None:
        self.shown = shown

    def planned(self, number: int, obligations: Sequence[Obligation]) -> None:
        """There are so many."""
        self.shown.at(0, len(obligations), "obligations")

    def decided(self, number: int, place: int, row: Recalled) -> None:
        """One more is decided."""
        self.shown.advance()


def explained_item(statement: Statement, shown: Progress, seconds: float, obligation: str = "") -> Explained:
    """A theorem or lemma, or one obligation of it.

    What is still at work on a theorem when it is refuted is soon ended, unless it is the obligation that is asked for.
    """
    with closing(Cache(default_path(), warn)) as cache:
        (checked,) = check([statement.item], CLAIM_SECONDS, 2, _Shows(shown), cache, brief=not obligation)
        checked = _part(checked, obligation) if obligation else checked
        witnesses = best_witnesses([outcome.witness for outcome in checked.outcomes if outcome.witness is not None])
        reasons = reasons_for(checked.item, witnesses, cache, shown, seconds)
    row = document(statement.file, checked) | {"why": reasons}
    return Explained(checked.verdict.value, row, tuple(map(folded, _theorem_lines(statement, checked, reasons))))


def _part(checked: Checked, obligation: str) -> Checked:
    """One obligation of it alone."""
    pairs = [(o, r) for o, r in zip(checked.obligations, checked.outcomes, strict=True) if o.id == obligation]
    if not pairs:
        known = "; ".join(o.id for o in checked.obligations)
        raise FileError(f"{checked.item.name} has no obligation {obligation}: it has {known}")
    return Checked(checked.item, (pairs[0][0],), (pairs[0][1],))


def _theorem_lines(statement: Statement, checked: Checked, reasons: list[str]) -> Iterator[str]:
    item = statement.item
    yield f"{checked.verdict.value}  {printable(item.name)} ({printable(item.source or 'no source')})"
    yield from block("written in", place(statement.file, item.line))
    if isinstance(item, StructuredTheorem):
        names = ("outputs", "target", "entropy", "scale", "update", "learning_rate", "coefficient", "regret", "sizes")
        for name in names:
            value = getattr(item, name)
            yield from block(name.replace("_", " "), "" if value is None else str(value))
    if isinstance(item, Theorem):
        yield from block("loss", str(item.loss))
        is_mixed = item.decoder == "gap map"
        yield from block("gap map", str(item.gap_map.expression)) if is_mixed else block("decoder", item.decoder)
        yield from block("feedback", item.feedback)
        for name in ("exploration", "learning_rate", "regret", "abstention_cost", "classes"):
            value = getattr(item, name)
            yield from block(name.replace("_", " "), "" if value is None else str(value))
    for parameter in item.parameters:
        yield from block("parameter", between(parameter.name, parameter.low, parameter.high))
    source = b"" if statement.file == NO_FILE else statement.file.read_bytes()
    for paragraph in (ast.get_docstring(ast.parse(source)) or "").split("\n\n"):
        yield from block("file", paragraph.replace("**", ""))
    for o, r in zip(checked.obligations, checked.outcomes, strict=True):
        yield f"  {r.verdict.value}  {printable(o.id)}: {printable(said(obligation_document(o, r)))}"
        details = [", ".join(r.evidence), r.method or "", r.certificate or "", r.reason or ""]
        yield f"    {printable('; '.join(part for part in details if part))}"
        if r.witness:
            yield f"    {printable(witness_line(r.witness))}"
    if checked.witness:
        yield from block("refuted", refuted_text(checked.witness))
        yield from block("broken", breaks_line(checked.witness["breaks"]) if "breaks" in checked.witness else "")
    for sentence in reasons:
        yield from block("why", sentence)
