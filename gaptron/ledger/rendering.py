"""The ledger for readers: terminal, JSON, JUnit, Markdown."""

import json
from collections import Counter

from rich.table import Table

from gaptron.ledger.bibliography import DOCUMENTS
from gaptron.ledger.errata import plain
from gaptron.ledger.grounds import Found, composed
from gaptron.ledger.recomputation import Audited
from gaptron.papers.statements import StatedClaim
from gaptron.reports import check_report, junit
from gaptron.reports.check_report import PlainConsole, escaped, say, shown_path
from gaptron.reports.witness import claim_line
from gaptron.system.documents import Document
from gaptron.theory.claims import SHARP

STYLES = check_report.STYLES | {"NOT-CHECKABLE": "dim"}


def by_document(rows: list[Audited]) -> list[Audited]:
    """In the order of ``DOCUMENTS``, others last; within a document as they are written."""
    known = list(DOCUMENTS)
    return sorted(rows, key=lambda row: known.index(row.claim.document) if row.claim.document in known else len(known))


def as_json(rows: list[Audited], error: str | None = None) -> str:
    """The document of ``audit --json``, with what could not be used."""
    found = {"schema": 1, "claims": [as_dict(row) for row in rows]}
    return json.dumps(found if error is None else found | {"error": error}, indent=1)


def as_dict(row: Audited) -> Document:
    """One claim, ready for JSON."""
    claim = row.claim
    return {
        "id": claim.id,
        "source": claim.source,
        "statement": claim.statement,
        "tex": row.tex,
        "kind": claim.kind,
        "severity": claim.severity,
        "rough": bool(claim.rough),
        "location": claim.source,
        "quote": claim.quote,
        "cause": claim.cause or None,
        "patch": claim.patch or None,
        "instance": row.worked.document if row.worked else None,
        "verdict": row.verdict,
        "recorded": claim.recorded,
        "finding": claim.finding,
        "witness": row.witness,
        "reasons": row.reasons,
        "corrected": claim.corrected.statement if claim.corrected else None,
        "corrected_tex": claim.corrected.tex if claim.corrected else None,
        "corrected_verdict": row.corrected_verdict,
        "constants": [
            {
                "name": c.name,
                "printed": str(c.printed),
                "best": None if c.best is None else str(c.best),
                "attained": c.attained,
                "sharp": SHARP[c.sharp],
                "theorem": c.theorem,
            }
            for c in claim.constants
        ],
        "premises": list(row.premises),
        "evidence": list(row.evidence),
        **composed(row.composition),
        "stated_in_coq": dict(claim.coq),
        "coq": row.in_coq,
        "grounds": [_ground(found) for found in row.grounds],
        "second": [_ground(found) for found in row.second],
        "problems": row.problems,
        "file": str(row.file),
        "line": claim.line,
        "seconds": round(row.seconds, 4),
    }


def _ground(found: Found) -> Document:
    checked = found.checked
    obligations = zip(checked.obligations, checked.outcomes, strict=True) if checked else ()
    shown = proof(found.proved.stated) if found.proved else None
    return {
        "kind": type(found.ground).__name__,
        "verdict": None if found.verdict is None else found.verdict.value,
        "evidence": list(found.evidence),
        "reason": found.reason,
        "witness": found.witness or found.shown,
        "item": shown["name"] if shown else checked.item.name if checked else None,
        "proof": shown,
        "obligations": [
            {"id": o.id, "statement": o.statement, "verdict": r.verdict.value, "certificate": r.certificate}
            for o, r in obligations
        ],
    }


def show(rows: list[Audited]) -> None:
    """A table on a terminal, plain lines elsewhere; then what is not as recorded, and the counts."""
    console = PlainConsole(highlight=False)
    if console.is_terminal:
        console.print(_table(rows))
    else:
        for row in rows:
            say(console, f"{row.verdict:13} {escaped(row.claim.id)}: {escaped(claim_line(as_dict(row)))}")
    for row in rows:
        for problem in row.problems:
            where = f"{shown_path(row.file)}:{row.claim.line}"
            say(console, f"{where}: [bold red]DIFFERS[/] {escaped(row.claim.id)}: {escaped(problem)}")
    say(console, summary(rows))


def summary(rows: list[Audited]) -> str:
    """How many claims have which verdict."""
    counts = Counter(row.verdict for row in rows)
    parts = [f"{counts[verdict]} {verdict}" for verdict in STYLES if counts[verdict]]
    differing = sum(bool(row.problems) for row in rows)
    kinds = Counter(row.composition.kind for row in rows if row.composition)
    composed = f"; arguments: {kinds['whole']} whole, {kinds['steps']} in steps" if kinds else ""
    differs = f"; {differing} differ from what is recorded" if differing else "; all as recorded"
    return ", ".join(parts) + differs + composed


def _table(rows: list[Audited]) -> Table:
    table = Table("verdict", "claim", "evidence", "argument", "finding")
    for row in rows:
        style = STYLES[row.verdict]
        evidence = escaped(", ".join(row.evidence))
        argument = row.composition.kind if row.composition else ""
        known = escaped(claim_line(as_dict(row)))
        table.add_row(f"[{style}]{row.verdict}[/]", escaped(row.claim.id), evidence, argument, known)
    return table


def as_junit(rows: list[Audited]) -> str:
    """One case for each claim; one that differs from what is recorded is a failure."""
    return junit.as_xml(junit.suite("gaptron audit", list(map(_case, rows)), "failures"))


def _case(row: Audited) -> junit.TestCase:
    claim = row.claim
    fault = junit.Fault("failure", "DIFFERS", "; ".join(row.problems), claim.statement) if row.problems else None
    return junit.TestCase(claim.document, claim.id, row.file, claim.line, row.seconds, fault, _written(row))


def _written(row: Audited) -> dict[str, str]:
    """What the row is, where it stands and how it is to be changed; without what does not apply."""
    claim = row.claim
    texts = {"kind": claim.kind, "severity": claim.severity, "location": claim.source, "quote": claim.quote}
    texts |= {"rough": claim.rough, "patch": claim.patch, "instance": row.worked.text if row.worked else None}
    return {name: " ".join(text.split()) for name, text in texts.items() if text}


def as_markdown(rows: list[Audited]) -> str:
    """A table of all claims."""
    lines = [
        "<!-- generated by gaptron audit --markdown; do not edit -->",
        "",
        "| claim | location | verdict | finding | kind | severity | quote | instance | patch |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        written = [_written(row).get(name, "") for name in ("kind", "severity", "quote", "instance", "patch")]
        cells = (row.claim.id, row.claim.source, row.verdict, claim_line(as_dict(row)), *written)
        lines.append(f"| {' | '.join(_cell(cell) for cell in cells)} |")
    return "\n".join([*lines, "", summary(rows) + "."]) + "\n"


def _cell(text: str) -> str:
    return plain(text).replace("|", "\\|")


def proof(claim: StatedClaim) -> Document:
    """The text of a claim of a proof file, ready for JSON."""
    return {
        "name": f"{claim.name}, {claim.setting.title}",
        "hypotheses": [line.text for top in claim.setting.lines for _, line in top.walk()],
        "steps": [{"says": line.text} for top in claim.proof for _, line in top.walk()],
        "conclusion": [claim.text],
    }
