"""``explain`` of a claim: its statement and verdict, and the grounds and claims that it rests on."""

from collections.abc import Iterator
from contextlib import closing

from gaptron.answers.explanation import Explained, block, reasons_for
from gaptron.checking.cache import Cache, default_path
from gaptron.ledger.proof_files import ProofFiles
from gaptron.ledger.recomputation import audit
from gaptron.ledger.rendering import as_dict
from gaptron.reports.witness import witness_text
from gaptron.system.deadline import CLAIM_SECONDS
from gaptron.system.documents import Document
from gaptron.system.exits import warn
from gaptron.system.printable import folded, printable
from gaptron.system.progress import Progress
from gaptron.theory.files import Filed, Library


def explained_claim(filed: Filed, library: Library, shown: Progress, seconds: float) -> Explained:
    """A claim, audited together with the claims it rests on."""
    shown.at(0, 0, "claims")
    with closing(Cache(default_path(), warn)) as cache:
        rows = {row.claim.id: row for row in audit(_with_ancestors(filed, library), CLAIM_SECONDS, cache)}
        row = rows[filed.claim.id]
        looked_at = [found.checked for found in row.grounds if found.checked and found.witness == row.witness]
        reasons = (
            reasons_for(looked_at[0].item, [row.witness], cache, shown, seconds) if looked_at and row.witness else []
        )
    written = as_dict(row) | {"why": reasons}
    verdicts = {name: other.verdict for name, other in rows.items()}
    return Explained(row.verdict, written, tuple(map(folded, _claim_lines(written, verdicts))), is_claim=True)


def _with_ancestors(filed: Filed, library: Library) -> list[Filed]:
    """The claim and all it rests on; a premise that is no claim is for the audit to name."""
    found, proofs = {filed.claim.id: filed}, ProofFiles()
    waiting = _premises(filed, proofs)
    while waiting:
        name = waiting.pop()
        premise = next((e for e in library.entries(name) if isinstance(e, Filed) and e.claim.id == name), None)
        if premise is not None and name not in found:
            found[name] = premise
            waiting += _premises(premise, proofs)
    return list(found.values())


def _premises(filed: Filed, proofs: ProofFiles) -> list[str]:
    return [*filed.claim.premises, *proofs.cited(filed.claim, filed.file)]


def _claim_lines(row: Document, verdicts: dict[str, str]) -> Iterator[str]:
    yield f"{row['verdict']}  {row['id']} ({printable(row['source'])})"
    yield from block("statement", row["statement"])
    yield from block("finding", row["finding"])
    if row["witness"]:
        yield from block("witness", witness_text(row["witness"]))
    for sentence in row["why"]:
        yield from block("why", sentence)
    if row["corrected"]:
        yield from block(f"corrected ({row['corrected_verdict'] or 'needs no proof'})", row["corrected"])
    for constant in row["constants"]:
        best = f"best {constant['best']}" if constant["best"] else "best not known"
        yield from block(
            "constant", f"of {constant['name']}: printed {constant['printed']}, {best}. {constant['attained']}"
        )
    for premise in row["premises"]:
        yield from block("rests on", f"{premise}: {verdicts[premise]}")
    if row["argument"]:
        yield from block("argument", row["argument"])
        yield from block("facts", "; ".join(row["facts"]))
        yield from block("open", "; ".join(row["open"]))
    for one in row["hypotheses"] or ():
        yield from block(one["kind"], _hypothesis(one))
    for one in row["coq"]:
        yield from block("in Coq", f"{one['file']}:{one['name']}, proved by {one['theorem']}: {one['compared']}")
        yield from (f"    {printable(line)}" for line in one["statement"].splitlines())
    for kind in ("grounds", "second"):
        for ground in row[kind]:
            yield from _ground_lines("ground" if kind == "grounds" else "second route", ground)
    for problem in row["problems"]:
        yield from block("DIFFERS", problem)
    yield from block("written in", f"{row['file']}:{row['line']}")


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
    yield from block(title, head)
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
