"""What the report shows, handed to its template."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import groupby

from markupsafe import Markup

from gaptron.checking.checker import Checked
from gaptron.ledger.bibliography import DOCUMENTS
from gaptron.ledger.errata import HASH, by_documents, by_hand, document_title
from gaptron.ledger.grounds import Found
from gaptron.ledger.html import gaps, graph
from gaptron.ledger.html.drawn import figure
from gaptron.ledger.html.mathml import expression, mathml, quotation, statement, typeset
from gaptron.ledger.html.reviewers_section import reviewers
from gaptron.ledger.html.tightness import Best, best_streams, curves
from gaptron.ledger.recomputation import Audited
from gaptron.ledger.related import AT, RESULTS
from gaptron.ledger.rendering import as_dict, proof
from gaptron.ledger.templates import offline, text_of
from gaptron.plots import plotted
from gaptron.reports.outweighs import at_witnesses
from gaptron.reports.witness import refuted_text, witness_text
from gaptron.system.documents import Document
from gaptron.theory.claims import KINDS as WORDS
from gaptron.theory.claims import SEVERITIES, SHARP, Constant
from gaptron.theory.theorem import Theorem

DRAWN = 7  # numbers of classes
VERDICTS = tuple(graph.SYMBOLS)
OURS = "the surrogate-gap documents"


def page(rows: list[Audited]) -> str:
    """The whole report of claims in the order of their documents. The same rows give the same bytes.

    Raises
    ------
    FileError
        If a formula cannot be shown as MathML.
    """
    ours = all(not row.title and row.claim.document in DOCUMENTS for row in rows)  # what comes with the package
    best = best_streams() if ours else {}  # of other documents none, whose theorems may have the same names
    claim = partial(_claim, rows=rows, shaky=graph.shaky(rows))
    return offline(
        "page.html.j2",
        {"anchor": graph.anchor, "typeset": typeset, "quotation": quotation, "claim": claim},
        gaps.script() + text_of("script.js") + text_of("drawn.js"),
        title="Audit of " + (OURS if ours else "; ".join(dict.fromkeys(map(document_title, rows)))),
        said_of=_said_of(rows),
        ours=ours,
        drawn=[] if ours else _drawn(rows),
        counts=[
            (name, title, {verdict: sum(row.verdict == verdict for row in part) for verdict in VERDICTS})
            for name, title, part in _documents(rows)
        ],
        verdicts=VERDICTS,
        symbols=graph.SYMBOLS,
        total=Counter(row.verdict for row in rows),
        errata=by_documents(rows),
        severities=SEVERITIES,
        kinds=WORDS,
        reviewers=reviewers() if ours else "",
        related=_related() if ours else [],
        sharp=SHARP,
        constants=[_constant(row, constant, best) for row in rows for constant in row.claim.constants],
        graphs=[
            (name, title, drawing, graph.edges(part))
            for name, title, part in _documents(rows)
            if (drawing := graph.drawing(part))
        ],
        theorems=_theorems(rows, best),
        claims=_documents(rows),
        problems=[(row.claim.id, problem) for row in rows for problem in row.problems],
        one_route=[row.claim.id for row in rows if not row.second and row.verdict in ("PROVED", "REFUTED")],
        best=best,
        curves=curves(best),
    )


def _said_of(rows: list[Audited]) -> str:
    """How many claims of how many documents."""
    documents = len(_documents(rows))
    return f"{len(rows)} claim{'s' * (len(rows) != 1)}" + (f" of {documents} documents" if documents > 1 else "")


def _drawn(rows: list[Audited]) -> list[tuple[str, Markup]]:
    """The figures of the theorems that decide claims, by name."""
    items = {checked.item.name: checked.item for _, checked in _looked_at(rows)}
    theorems = [item for name, item in sorted(items.items()) if isinstance(item, Theorem)]
    return [(theorem.name, figure(plotted(theorem, _counts_to_draw(theorem)))) for theorem in theorems]


def _counts_to_draw(theorem: Theorem) -> list[int]:
    """Some numbers of classes that it claims."""
    first = theorem.first_class_count
    return [n for n in range(first, first + DRAWN) if theorem.claims(n)]


def _looked_at(rows: list[Audited]) -> Iterator[tuple[Audited, Checked]]:
    """Every theorem and lemma that decides a claim, as often as it does, after the claim."""
    for row in rows:
        yield from ((row, found.checked) for found in row.every if found.checked is not None)


def _documents(rows: list[Audited]) -> list[tuple[str, str, list[Audited]]]:
    """Rows by their documents: name, title, rows."""
    return [
        (name, title, list(part))
        for (name, title), part in groupby(rows, key=lambda row: (row.claim.document, document_title(row)))
    ]


def _related() -> list[Document]:
    """Results in common units, their constants as formulas."""
    return [
        {"result": one, "constant": expression(one.constant, one.source), "numbers": [one.at(n) for n in AT]}
        for one in RESULTS
    ]


# --- claims -------------------------------------------------------------------------------------------------


def _claim(row: Audited, rows: list[Audited], shaky: set[str]) -> Document:
    claim = row.claim
    known = {other.claim.id for other in rows}
    corrected = claim.corrected
    return as_dict(row) | {
        "document": claim.document,
        "title": document_title(row),
        "formula": mathml(row.tex, claim.id) if row.tex else "",
        "rough": claim.rough,
        "worked": row.worked,
        "shaky": claim.id in shaky,
        "witness": witness_text(counterexample) if (counterexample := by_hand(row)) else "",
        "why": _why(row),
        "corrected_formula": mathml(corrected.tex, claim.id) if corrected and corrected.tex else "",
        "evidence": ", ".join(row.evidence),
        "premises": [(premise, premise in known) for premise in row.premises],
        "supports": [other.claim.id for other in rows if claim.id in other.premises],
        "rests_on": _rests_on(row),
        "proofs": [proof(found.proved.stated) for found in row.grounds if found.proved],
        "grounds": [_ground(found) for found in row.grounds],
        "second": [_ground(found) for found in row.second],
    }


def _why(row: Audited) -> list[str]:
    """Which term outweighs which at the witness against a theorem."""
    broken = [
        found.checked.item for found in row.grounds if found.checked and found.witness and found.witness == row.witness
    ]
    return at_witnesses(broken[0], [row.witness]) if broken and row.witness else []


RESTS_ON = {
    "definition": ("definition", "definitions"),
    "protocol": ("line of the protocol", "lines of the protocol"),
    "assumption": ("assumption of the document", "assumptions of the document"),
    "fact": ("textbook fact", "textbook facts"),
    "claim": ("claim", "claims"),
    "ours": ("assumption of ours", "assumptions of ours"),
    "obligation": ("proof obligation with its certificate", "proof obligations, each with its certificate"),
}


def _rests_on(row: Audited) -> str:
    """In words: how many of each kind."""
    if row.composition is None:
        return ""
    counts = Counter(one["kind"] for one in row.composition.hypotheses or ())
    counts["obligation"] = sum(len(found.checked.obligations) for found in row.grounds if found.checked)
    said = [f"{counts[kind]} {names[counts[kind] > 1]}" for kind, names in RESTS_ON.items() if counts[kind]]
    return " and ".join(filter(None, (", ".join(said[:-1]), *said[-1:])))


def _ground(found: Found) -> Document:
    checked = found.checked
    shown = found.shown or (found.witness if checked is None else None)
    return {
        "kind": KINDS[type(found.ground).__name__],
        "verdict": found.verdict.value if found.verdict else "no verdict",
        "refutes": refuted_text(checked.witness) if checked and checked.witness else "",
        "evidence": ", ".join(found.evidence),
        "item": checked.item.name if checked else "",
        "obligations": _obligations(checked) if checked else [],
        "instance": witness_text(shown) if shown else "",
        "reason": found.reason or "",
    }


KINDS = {
    "InProof": "claim of a proof file",
    "Obligations": "proof obligations",
    "Rests": "premise",
    "Breaks": "counterexample",
    "Shows": "example",
    "Resists": "exact random instances",
    "NotCheckable": "not checkable",
}


def _obligations(checked: Checked) -> list[dict[str, str]]:
    return [
        {
            "id": o.id,
            "statement": o.statement,
            "verdict": r.verdict.value,
            "evidence": ", ".join(r.evidence),
            "certificate": (r.certificate or "")[:HASH],
        }
        for o, r in zip(checked.obligations, checked.outcomes, strict=True)
    ]


# --- theorems and constants ---------------------------------------------------------------------------------


def _theorems(rows: list[Audited], best: dict[str, list[Best]]) -> list[Document]:
    """Every theorem and lemma that decides a claim, with the obligations that were looked at."""
    found: dict[str, Document] = {}
    for row, checked in _looked_at(rows):
        item = checked.item
        if item.name not in found:
            parts = statement(item) if isinstance(item, Theorem) else []
            found[item.name] = {"name": item.name, "source": item.source or "", "parts": parts, "obligations": {},
                                "claims": {}, "best": best.get(item.name, [])}  # fmt: skip
        found[item.name]["obligations"] |= {o["id"]: o for o in _obligations(checked)}
        found[item.name]["claims"][row.claim.id] = None
    return [found[name] for name in sorted(found, key=lambda name: (not name.startswith("Theorem"), name))]


def _constant(row: Audited, constant: Constant, best: dict[str, list[Best]]) -> Document:
    where = row.claim.id
    attacked = best.get(constant.theorem or "", [])
    return {
        "id": where,
        "source": row.claim.source,
        "name": constant.name,
        "printed": expression(constant.printed, where),
        "sharp": "" if constant.best is None else SHARP[constant.sharp],
        "best": "" if constant.best is None else expression(constant.best, where),
        "attained": constant.attained,
        "attack": max(attacked, key=lambda b: b.ratio) if attacked else None,
    }
