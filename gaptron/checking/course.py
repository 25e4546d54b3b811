"""What a check is asked to do, and what is known of one theorem in the course of it, as documents."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gaptron.system.documents import Document
from gaptron.theory.verdict import Ruling, Verdict, summary

UNPLANNED = {"id": "obligations", "statement": "what must be proved", "words": None}


@dataclass(frozen=True)
class Order:
    """Files by their number, and the names of those of their theorems that are settled already.

    ``only`` is a pattern of names, ``seconds`` the limit of each claim; without ``certificates`` none are handed over.
    With ``coq`` what is PROVED is given to Coq as well; ``cluster`` is the address of a scheduler whose workers help.
    ``given`` are theorems as data, instead of the file of that number; with ``shows_data`` all are handed over as data.
    """

    files: Mapping[int, Path]
    only: str | None
    seconds: float
    workers: int
    cache: Path | None
    certificates: bool
    coq: bool = False
    cluster: str | None = None
    settled: Mapping[int, Collection[str]] = field(default_factory=dict)
    given: Mapping[int, Document] = field(default_factory=dict)
    shows_data: bool = False


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
