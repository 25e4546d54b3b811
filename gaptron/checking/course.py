"""What is known of one theorem in the course of a check, as documents."""

from dataclasses import dataclass, field

from gaptron.system.documents import Document
from gaptron.theory.verdict import Ruling, Verdict, summary

UNPLANNED = {"id": "obligations", "statement": "what must be proved", "words": None}


@dataclass
class Course:
    """Its head, its obligations once they are known, and what became of them; ``given_up`` says why it is left open."""

    head: Document
    planned: list[Document] | None = None
    found: dict[int, Document] = field(default_factory=dict)
    certificates: dict[int, Document] = field(default_factory=dict)
    given_up: str | None = None
    asks_coq: bool = False
    coq: Document | None = None
    data: object = None  # the theorem itself, if it is wanted

    @property
    def is_settled(self) -> bool:
        """Whether nothing more will be known."""
        decided = self.planned is not None and len(self.found) == len(self.planned)
        return self.given_up is not None or (decided and (self.coq is not None or not self.asks_coq))

    def document(self) -> Document:
        """What every report is made of; an obligation that nobody answered is UNDECIDED."""
        places = [UNPLANNED] if self.planned is None else self.planned
        obligations = [self.found.get(place) or self._open(planned) for place, planned in enumerate(places)]
        found = self.head | summary(obligations)
        if self.asks_coq:
            found["coq"] = self._asked(found["verdict"])
            found["evidence"] = [*(["coq"] if found["coq"].get("accepted") else []), *found["evidence"]]
        return found

    def _asked(self, verdict: str) -> Document:
        """What Coq says; of what is PROVED or REFUTED and was not given to it, why."""
        if self.coq is not None:
            return self.coq
        if verdict == Verdict.UNDECIDED.value:
            return {"accepted": None}
        return {"accepted": False, "reason": self.given_up or "it was not given to Coq"}

    def _open(self, planned: Document) -> Document:
        return planned | Ruling(Verdict.UNDECIDED, reason=self.given_up or "no process answered").document
