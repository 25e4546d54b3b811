"""The claims of a theorem's obligations as lemmas of one Coq file, and how a proof asks for them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gaptron.coq.certificates import HEADER, claim_to_coq
from gaptron.coq.constants import above_zero, shown
from gaptron.coq.kernel_data import Data, printed
from gaptron.coq.real_terms import variable
from gaptron.coq.records import TheoremStatement
from gaptron.kernel import Certificate, Claim
from gaptron.language.terms import Json, Term
from gaptron.obligations import Obligation

COMPUTED = """
From Gaptron Require Import WrittenFunctions Obligations.
Definition data : {type} := {data}%nat.
Definition data_proofs : list cert := {proofs}%nat.
Lemma data_is_proved : {proves} data data_proofs = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
"""


@dataclass
class Claims:
    """Lemmas by obligation, in order, with the variables that they are about."""

    text: str = HEADER
    by_obligation: dict[str, list[tuple[str, tuple[str, ...]]]] = field(default_factory=dict)

    def add(self, obligation: Obligation, certificate: Certificate) -> None:
        """The claims of one obligation, proved from its certificate."""
        base = obligation.id.replace("/", "_").replace(" ", "_")
        rows = self.by_obligation.setdefault(obligation.id, [])
        for number, (claim, proof) in enumerate(zip(certificate.claims, certificate.proofs or (), strict=True)):
            name = f"{base}_claim_{number}"
            self.text += "\n" + claim_to_coq(claim, proof, name)
            rows.append((name, tuple(sorted(claim.names))))

    def compute(self, data: TheoremStatement, proofs: Sequence[Data]) -> None:
        """A theorem as data, proved by a computation from certificates of what Coq's ``obligations`` asks of it."""
        names = {"type": data.type, "proves": data.proves}
        self.text += COMPUTED.format(data=printed(data.data()), proofs=printed(list(proofs)), **names)

    def have(self, name: str, claim: Claim, proof: Json) -> None:
        """One more lemma, of no obligation."""
        self.text += "\n" + claim_to_coq(claim, proof, name)

    def positive(self, name: str, value: Term) -> bool:
        """One more lemma, that a constant is above zero, if an enclosure shows it."""
        proof = shown(value)
        if proof is not None:
            self.have(name, above_zero(value), proof)
        return proof is not None

    def of(self, *prefixes: str) -> list[tuple[str, tuple[str, ...]]]:
        """The lemmas of the obligations whose names start so, in order."""
        return [row for name, rows in self.by_obligation.items() if name.startswith(prefixes) for row in rows]

    def attempts(self, *prefixes: str, at: Mapping[str, str] | None = None) -> list[str]:
        """A tactic for each lemma that uses it at the variables of the same names, or at other numbers."""
        return [self.use(row, at or {}) for row in self.of(*prefixes)]

    @staticmethod
    def use(row: tuple[str, Sequence[str]], at: Mapping[str, str], tactic: str = "use") -> str:
        """The tactic that uses a lemma."""
        name, variables = row
        numbers = " ".join(at.get(v, variable(v)) for v in variables)
        return f"{tactic} ({name} {numbers})" if numbers else f"{tactic} {name}"


def closing(*attempts: str | Sequence[str]) -> str:
    """The first of some tactics that closes the goal."""
    flat: list[str] = []
    for attempt in attempts:
        flat += [attempt] if isinstance(attempt, str) else list(attempt)
    return f"first [{' | '.join(flat)}]"
