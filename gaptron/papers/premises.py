"""What a claim that holds rests on, each hypothesis of its kind, for reports."""

from gaptron.papers.checked_files import ProvedClaim
from gaptron.papers.textbook import FILE
from gaptron.papers.trees import COQ, is_ours
from gaptron.papers.typed_formulas import Hypothesis
from gaptron.system.documents import Document

SAID = {"declaration": "definition"}  # the range of a symbol says what it is


def hypotheses(claim: ProvedClaim) -> list[Document]:
    """{"text", "kind", ...} of each: definition, protocol, assumption, fact, claim (one that is whole) or ours."""
    hyps = {h for p in claim.proved for h in p.hyps}
    rows = [_row(h) for h in sorted(hyps, key=lambda h: (h.kind, h.text))]
    cited = [_said(one.stated.name, "claim" if one.whole else "ours") for one in claim.cites]
    return list({(row["text"], row["kind"]): row for row in (*rows, *cited)}.values())


def _row(h: Hypothesis) -> Document:
    kind = "ours" if is_ours(h) else SAID.get(h.kind, h.kind)
    closed = [f"{FILE}:{name}" for name in COQ[h.text]] if kind == "fact" else []
    return _said(h.text, kind, h.location, h.quote, ", ".join(closed) or None)


def _said(text: str, kind: str, location: str = "", quote: str = "", coq: str | None = None) -> Document:
    return {"text": text, "kind": kind, "location": location, "quote": quote, "coq": coq}
