"""What is to be decided, and what became of it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from gaptron.kernel import Certificate, Claim, digest, read_certificate
from gaptron.obligations import Obligation
from gaptron.obligations.statement import statement
from gaptron.system.documents import Document
from gaptron.theory.items import Item
from gaptron.theory.verdict import Ruling, Verdict


@dataclass(frozen=True)
class Task:
    """One obligation of one theorem or lemma."""

    item: Item
    obligation: Obligation

    @property
    def about(self) -> Document:
        """Which theorem and obligation a certificate belongs to, for people and for finding them again."""
        return {"theorem": self.item.name, "obligation": self.obligation.id, "statement": self.obligation.statement}

    def kernel_claims(self) -> tuple[Claim, ...] | None:
        """The statement that a certificate must have; None if the kernel cannot express it, or there is none."""
        if self.obligation.unsupported is not None or not self.obligation.claims:
            return None
        try:
            return tuple(statement(claim) for claim in self.obligation.claims)
        except NotImplementedError:
            return None


@dataclass(frozen=True)
class Decided:
    """What became of a task, and the certificate that the kernel replayed, if there is one."""

    outcome: Ruling
    certificate: Certificate | None = None


def certified(
    verdict: Verdict, certificate: Certificate, solved: tuple[str, ...] = (), witness: Document | None = None
) -> Decided:
    """What a certificate amounts to that the kernel has replayed; ``solved`` is what solvers say beside it."""
    method, name = method_of(certificate), digest(certificate.data)
    outcome = Ruling(verdict, evidence=("kernel", *solved), method=method, certificate=name, witness=witness)
    return Decided(outcome, certificate)


def as_data(decided: Decided) -> Document:
    """Ready for JSON."""
    return {
        "outcome": decided.outcome.document,
        "certificate": None if decided.certificate is None else decided.certificate.data,
    }


def from_data(found: Document) -> Decided:
    """From ``as_data``."""
    kept = found["certificate"]
    return Decided(outcome_from(found["outcome"]), None if kept is None else read_certificate(json.dumps(kept)))


def outcome_from(data: Document) -> Ruling:
    """From the outcome in ``as_data``."""
    return Ruling(**data | {"verdict": Verdict(data["verdict"]), "evidence": tuple(data["evidence"])})


def internal_error(error: BaseException) -> str:
    """A reason for UNDECIDED that nobody foresaw, on one line."""
    if isinstance(error, MemoryError):
        return "it needed more memory than there is"
    text = " ".join(str(error).split())
    return f"an internal error: {type(error).__name__}{': ' if text else ''}{text}"


def method_of(certificate: Certificate) -> str:
    """The rules that a certificate uses."""
    if certificate.refutes is not None:
        return "point"
    return ", ".join(sorted(set(_rules_of(list(certificate.proofs or ())))))


def _rules_of(proof: object) -> Iterator[str]:
    if isinstance(proof, dict):
        if "rule" in proof:
            yield proof["rule"]
        proof = list(proof.values())
    if isinstance(proof, list):
        for part in proof:
            yield from _rules_of(part)
