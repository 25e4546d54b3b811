"""A theorem and what became of it as a JSON-ready document: the one shape that every report is made of."""

from collections.abc import Sequence
from pathlib import Path

from gaptron.checking.checker import Checked
from gaptron.obligations import Obligation
from gaptron.system.documents import Document
from gaptron.theory.items import Item
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Lemma
from gaptron.theory.verdict import Ruling, summary


def document(file: Path, checked: Checked) -> Document:
    """Of a theorem that was checked."""
    rows = zip(checked.obligations, checked.outcomes, strict=True)
    obligations = [obligation_document(obligation, outcome) for obligation, outcome in rows]
    return head(file, checked.item) | summary(obligations)


def head(file: Path, item: Item) -> Document:
    """What is known of a theorem before it is checked; a lemma has neither learning rate nor regret."""
    eta, regret = (item.eta(), item.regret) if not isinstance(item, Lemma) else (None, None)
    found = {
        "name": item.name,
        "file": str(file),
        "line": item.line,
        "source": item.source,
        "verdict": "UNDECIDED",
        "expected": item.expect,
        "learning_rate": None if eta is None else str(eta),
        "regret": None if regret is None else str(regret),
        "parameters": {one.name: [_bound(one.low), _bound(one.high)] for one in item.parameters},
    }
    if isinstance(item, StructuredTheorem):
        found |= {"scale": str(item.scale), "coefficient": str(item.coefficient), "update": item.update}
    readings: Sequence[tuple[str, str, str]] = getattr(item, "readings", ())
    if readings:
        found["readings"] = [
            dict(zip(("argument", "decimal", "rational"), reading, strict=True)) for reading in readings
        ]
    return found


def _bound(end: object) -> str | None:
    return None if end is None else str(end)


def obligation_document(obligation: Obligation, outcome: Ruling) -> Document:
    """Of one obligation."""
    return statement_document(obligation) | outcome.document


def statement_document(obligation: Obligation) -> Document:
    """What is to be decided."""
    return {"id": obligation.id, "statement": obligation.statement, "words": obligation.words}
