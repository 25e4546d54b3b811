"""``explain``: one claim, theorem or obligation, and what its verdict stands on."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from gaptron.checking.cache import Cache, default_path
from gaptron.checking.checker import Checked, Listener, check, document, obligation_document
from gaptron.checking.recall import Recalled
from gaptron.constants.engine import Engine
from gaptron.constants.why import why
from gaptron.obligations import Obligation
from gaptron.reports.check_report import said
from gaptron.reports.witness import breaks_line, refuted_text, witness_line, witness_text
from gaptron.system.deadline import CLAIM_SECONDS
from gaptron.system.documents import Document
from gaptron.system.exits import warn
from gaptron.system.printable import between, folded, printable
from gaptron.system.progress import Progress
from gaptron.theory.decoders import GapMap
from gaptron.theory.files import NO_FILE, Filed, Library, Statement
from gaptron.theory.items import Item
from gaptron.theory.shipped import FileError, no_such, place, require_mentioned, shipped_files, shipped_names
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Theorem


@dataclass(frozen=True)
class Explained:
    """The verdict, the row of ``check`` or ``audit`` with ``why`` beside it, and the same in lines for people."""

    verdict: str
    row: Document
    lines: tuple[str, ...]
    is_claim: bool = False

    @property
    def document(self) -> Document:
        """For ``explain --json``."""
        return {"schema": 1, **({"claim": self.row} if self.is_claim else {"theorems": [self.row]})}


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
        return _explained_claim(meant, library, shown, seconds)
    whole = meant.item.name
    obligation = name.removeprefix(whole).removeprefix(": ") if _is_about(whole, name) else name.partition(": ")[2]
    return explained_item(meant, shown, seconds, obligation)


def _meant(name: str, library: Library) -> Statement | Filed:
    """The one claim, or theorem or lemma, of this name; an exact name needs few files, a part of one all of them.

    A theorem's own name may hold what stands between that of a theorem and its obligation: the longest name is meant.
    """
    theorem = name.partition(": ")[0]
    known: dict[str, Statement | Filed] = {}
    for entries in library.by_file(name, theorem):
        known |= {_name(entry): entry for entry in entries}
        exact = [e for e in entries if _name(e) == name or (isinstance(e, Statement) and _is_about(_name(e), name))]
        if exact:
            return max(exact, key=lambda entry: len(_name(entry)))
    theorems = [other for other, entry in known.items() if isinstance(entry, Statement)]
    found = _matching(name, known) or _matching(theorem, theorems)
    if not found:
        raise FileError(no_such(name, known if not library.written else shipped_names()))
    if len(found) > 1:
        raise FileError(f"{name}: this could be {'; '.join(found[:20])}")
    return known[found[0]]


def _is_about(theorem: str, name: str) -> bool:
    """Whether it is the theorem's name, or that of an obligation of it."""
    return f"{name}: ".startswith(f"{theorem}: ")


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
        reasons = _reasons(checked.item, checked.witnesses, cache, shown, seconds)
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
    yield from _block("written in", place(statement.file, item.line))
    for name in _shown_arguments(item):
        value = getattr(item, name)
        said_of = value.expression if isinstance(value, GapMap) else value
        yield from _block(name.replace("_", " "), "" if value is None else str(said_of))
    for parameter in item.parameters:
        yield from _block("parameter", between(parameter.name, parameter.low, parameter.high))
    source = b"" if statement.file == NO_FILE else statement.file.read_bytes()
    for paragraph in (ast.get_docstring(ast.parse(source)) or "").split("\n\n"):
        yield from _block("file", paragraph.replace("**", ""))
    for o, r in zip(checked.obligations, checked.outcomes, strict=True):
        yield f"  {r.verdict.value}  {printable(o.id)}: {printable(said(obligation_document(o, r)))}"
        details = [", ".join(r.evidence), r.method or "", r.certificate or "", r.reason or ""]
        yield f"    {printable('; '.join(part for part in details if part))}"
        if r.witness:
            yield f"    {printable(witness_line(r.witness))}"
    if checked.witness:
        yield from _block("refuted", refuted_text(checked.witness))
        yield from _block("broken", breaks_line(checked.witness["breaks"]) if "breaks" in checked.witness else "")
    for sentence in reasons:
        yield from _block("why", sentence)


def _shown_arguments(item: Item) -> Sequence[str]:
    if isinstance(item, StructuredTheorem):
        return ("outputs", "target", "entropy", "scale", "update", "learning_rate", "coefficient", "regret", "sizes")
    if isinstance(item, Theorem):
        predicts = "gap_map" if item.decoder == "gap map" else "decoder"
        rates = ("exploration", "learning_rate", "regret", "abstention_cost", "classes")
        return ("loss", predicts, "feedback", *rates)
    return ()


# --- claims -----------------------------------------------------------------------------------------------------------


def _explained_claim(filed: Filed, library: Library, shown: Progress, seconds: float) -> Explained:
    """A claim, audited together with the claims it rests on."""
    from gaptron.ledger.recomputation import audit  # which no theorem need wait for
    from gaptron.ledger.rendering import as_dict

    shown.at(0, 0, "claims")
    with closing(Cache(default_path(), warn)) as cache:
        rows = {row.claim.id: row for row in audit(_with_ancestors(filed, library), CLAIM_SECONDS, cache)}
        row = rows[filed.claim.id]
        looked_at = [found.checked for found in row.grounds if found.checked and found.witness == row.witness]
        reasons = _reasons(looked_at[0].item, [row.witness], cache, shown, seconds) if looked_at and row.witness else []
    written = as_dict(row) | {"why": reasons}
    verdicts = {name: other.verdict for name, other in rows.items()}
    return Explained(row.verdict, written, tuple(map(folded, _claim_lines(written, verdicts))), is_claim=True)


def _with_ancestors(filed: Filed, library: Library) -> list[Filed]:
    """The claim and all it rests on; a premise that is no claim is for the audit to name."""
    from gaptron.ledger.proof_files import ProofFiles

    found, waiting, proofs = {filed.claim.id: filed}, [filed], ProofFiles()
    while waiting:
        rests = waiting.pop()
        for name in (*rests.claim.premises, *proofs.cited(rests.claim, rests.file)):
            premise = next((e for e in library.entries(name) if isinstance(e, Filed) and e.claim.id == name), None)
            if premise is not None and name not in found:
                found[name] = premise
                waiting.append(premise)
    return list(found.values())


def _claim_lines(row: Document, verdicts: dict[str, str]) -> Iterator[str]:
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
        yield from _block("facts", "; ".join(row["facts"]))
        yield from _block("open", "; ".join(row["open"]))
    for one in row["hypotheses"] or ():
        yield from _block(one["kind"], _hypothesis(one))
    for one in row["coq"]:
        yield from _block("in Coq", f"{one['file']}:{one['name']}, proved by {one['theorem']}: {one['compared']}")
        yield from (f"    {printable(line)}" for line in one["statement"].splitlines())
    for kind in ("grounds", "second"):
        for ground in row[kind]:
            yield from _ground_lines("ground" if kind == "grounds" else "second route", ground)
    for problem in row["problems"]:
        yield from _block("DIFFERS", problem)
    yield from _block("written in", f"{row['file']}:{row['line']}")


def _hypothesis(one: Document) -> str:
    """With the place and words of the document, or the theorem of Coq."""
    quoted = f' ({one["location"]}: "{one["quote"]}")' if one["quote"] else ""
    return f"{one['text']}{quoted}" + (f" ({one['coq']})" if one["coq"] else "")


def _ground_lines(title: str, ground: Document) -> Iterator[str]:
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


def _proof_lines(proof: Document) -> Iterator[str]:
    for sentence in proof["hypotheses"]:
        yield f"    hypothesis: {printable(sentence)}"
    for step in proof["steps"]:
        yield f"    step: {printable(step['says'])}"
    for sentence in proof["conclusion"]:
        yield f"    conclusion: {printable(sentence)}"


# --- both -------------------------------------------------------------------------------------------------------------


def _reasons(item: Item, witnesses: list[Document], cache: Cache, shown: Progress, seconds: float) -> list[str]:
    """Which term outweighs which at the witnesses, and what would be allowed."""
    shown.at(0, 0, "what would be allowed")
    engine = Engine(CLAIM_SECONDS, 2, cache, begin=shown.begin, report=shown.advance)
    return why(item, witnesses, engine, seconds) if witnesses else []


def _block(title: str, text: str) -> Iterator[str]:
    """A title and its text on one line; nothing if there is no text."""
    if text:
        yield f"  {title}: {printable(' '.join(text.split()))}"
