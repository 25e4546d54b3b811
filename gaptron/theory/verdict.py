"""What is said of an obligation or a theorem, and on which evidence."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

from gaptron.system.documents import Document

if TYPE_CHECKING:
    import sympy as sp


class Verdict(Enum):
    """Three answers that are never collapsed. Together, REFUTED overrides UNDECIDED, which overrides PROVED."""

    PROVED = "PROVED"  # certainly true, with evidence that names who says so
    REFUTED = "REFUTED"  # certainly false, with an exact witness that was replayed
    UNDECIDED = "UNDECIDED"  # neither is known, with the reason; a timeout is this

    @staticmethod
    def of(parts: list["Verdict"]) -> "Verdict":
        """The verdict of a conjunction; nothing to prove is not a proof."""
        for verdict in (Verdict.REFUTED, Verdict.UNDECIDED):
            if verdict in parts:
                return verdict
        return Verdict.PROVED if parts else Verdict.UNDECIDED


EVIDENCE = ("kernel", "smt x2", "smt")  # strongest first


class UndecidedError(Exception):
    """A claim that could not be proved: the reason, and perhaps a point at which it seems to fail.

    ``may_still_hold`` if an engine was silent, rather than against it; ``hint`` is what might help.
    """

    def __init__(
        self,
        reason: str,
        model: "dict[sp.Symbol, Fraction] | None" = None,
        may_still_hold: bool = False,
        hint: str = "",
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.model = model or {}
        self.may_still_hold = may_still_hold
        self.hint = hint


@dataclass(frozen=True)
class Ruling:
    """The verdict on one obligation. ``witness`` is JSON-ready and present exactly when REFUTED.

    ``method`` names the rules of the proof, ``certificate`` is the digest of the one that the kernel replayed.
    """

    verdict: Verdict
    evidence: tuple[str, ...] = ()
    seconds: float = 0.0
    method: str | None = None
    certificate: str | None = None
    reason: str | None = None
    witness: Document | None = None

    @property
    def document(self) -> Document:
        """Ready for JSON."""
        return {
            "verdict": self.verdict.value,
            "evidence": list(self.evidence),
            "method": self.method,
            "certificate": self.certificate,
            "seconds": self.seconds,
            "reason": self.reason,
            "witness": self.witness,
        }


def best_witnesses(found: list[Document]) -> list[Document]:
    """One against each part of a theorem (its gap, its loss, ...): those that break the bound first, then the gap."""
    found = sorted(found, key=lambda w: (w["refutes"] != "bound", "gap" not in w, "subgradient" in w))
    return list({w["obligation"].split("/")[0]: w for w in reversed(found)}.values())[::-1]


def summary(obligations: list[Document]) -> Document:
    """What is known of a theorem by its obligations: its verdict, what is refuted, on what it stands, its witness."""
    witness = next(iter(best_witnesses([o["witness"] for o in obligations if o["witness"] is not None])), None)
    return {
        "verdict": Verdict.of([Verdict(obligation["verdict"]) for obligation in obligations]).value,
        "refutes": None if witness is None else witness["refutes"],
        "evidence": strongest_evidence(obligations),
        "obligations": obligations,
        "witness": witness,
    }


def strongest_evidence(obligations: list[Document]) -> list[str]:
    """On what a theorem stands: the strongest evidence of each obligation, the strongest first."""
    used = {obligation["evidence"][0] for obligation in obligations if obligation["evidence"]}
    return [level for level in EVIDENCE if level in used]
