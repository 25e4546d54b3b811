"""How the grounds of a claim are composed: ``whole`` in the proof language, or in ``steps``."""

from collections.abc import Sequence
from dataclasses import dataclass

from gaptron.ledger.grounds import Found
from gaptron.papers.hypotheses import hypotheses
from gaptron.system.documents import Document
from gaptron.theory.claims import Ground, InProof, Obligations
from gaptron.theory.theorem import Lemma

UNWRITTEN = "not yet written in the proof language"


@dataclass(frozen=True)
class Composition:
    """Of a claim that is PROVED: what it rests on, each of its kind.

    ``hypotheses`` is None if part of it is neither in the proof language nor a theorem that is decided as a whole.
    """

    hypotheses: tuple[Document, ...] | None

    @property
    def open(self) -> tuple[str, ...]:
        """What is between it and ``whole``."""
        if self.hypotheses is None:
            return (UNWRITTEN,)
        return tuple(row["text"] for row in self.hypotheses if row["kind"] == "ours")

    @property
    def facts(self) -> dict[str, str]:
        """The textbook facts that it rests on, with the theorems of the library that prove each: "File.v:theorem"."""
        return {row["text"]: row["coq"] for row in self.hypotheses or () if row["kind"] == "fact"}

    @property
    def kind(self) -> str:
        """``whole`` or ``steps``."""
        return "steps" if self.open else "whole"


def composed(known: Composition | None) -> Document:
    """The composition of a claim, ready for JSON; None of one that is not PROVED."""
    if known is None:
        return {"argument": None, "hypotheses": None, "facts": [], "facts_in_coq": {}, "open": []}
    return {
        "argument": known.kind,
        "hypotheses": None if known.hypotheses is None else list(known.hypotheses),
        "facts": list(known.facts),
        "facts_in_coq": known.facts,
        "open": list(known.open),
    }


def composition(grounds: Sequence[Found]) -> Composition:
    """How these grounds are composed."""
    proved = [found.proved for found in grounds if found.proved]
    if not proved or not all(_is_written(found.ground) for found in grounds):
        return Composition(None)
    listed = [row for claim in proved for row in hypotheses(claim)]
    return Composition(tuple({(row["text"], row["kind"]): row for row in listed}.values()))


def _is_written(ground: Ground) -> bool:
    """Whether it rests on nothing that it does not say: a claim of a proof file, or a theorem decided as a whole."""
    return isinstance(ground, InProof) or (
        isinstance(ground, Obligations) and not isinstance(ground.item, Lemma) and ground.only == "*"
    )
