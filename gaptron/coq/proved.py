"""Claims as lemmas over Coq's reals, closed by computations of the verified kernel, and how a proof asks for them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce

from gaptron.coq.kernel_data import Data, UnwrittenError, certificate_data, claim_data, places_of, printed
from gaptron.coq.real_terms import conclusion, need_text, needs, relation_text, show, variable
from gaptron.coq.records import TheoremStatement
from gaptron.coq.script import UntranslatedError
from gaptron.kernel import Certificate, Claim, Rejected, Relation, check
from gaptron.kernel.enclosures import enclose
from gaptron.language.terms import Json, Term
from gaptron.obligations import Obligation
from gaptron.prove.hints import written
from gaptron.prove.rational_functions import polynomial_term, quotient

HEADER = """\
Require Import Reals Lra ZArith QArith List.
From Gaptron.kernel Require Import Relations Atoms Derivation Intervals Motion Certificate Stated.
From Gaptron Require Import Signs Enclosures.
Import ListNotations.
Open Scope R_scope.
"""
COMPUTED = """
From Gaptron Require Import WrittenFunctions Obligations.
Definition data : {type} := {data}%nat.
Definition data_proofs : list cert := {proofs}%nat.
Lemma data_is_proved : {proves} data data_proofs = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
"""
PRECISIONS = (64, 128, 256, 512)  # bits, of enclosures
ZERO = Fraction(0)


def claim_to_coq(claim: Claim, proof: Json, name: str) -> str:
    """A lemma that says what the claim says, with definedness; the claim and its certificate as data prove it.

    Raises
    ------
    UntranslatedError
        With what the verified kernel has no words for, or because the proof does not fit the claim: a hypothesis, a
        field or a number that is not there.
    """
    try:
        given = printed(certificate_data(claim, proof))
        asked = printed(claim_data(claim, proof))
    except UnwrittenError as error:
        raise UntranslatedError(str(error), claim) from error
    except Rejected as error:
        raise UntranslatedError("a proof that does not fit its claim", claim, str(error)) from error
    places = places_of(claim, proof)
    values = " :: ".join([*(variable(name) if name in claim.names else "0" for name in places), "@nil R"])
    return "\n".join(
        (
            f"Definition {name}_data : claim := {asked}%nat.",
            f"Definition {name}_proof : cert := {given}%nat.",
            f"Lemma {name} :",
            f"  {_statement(claim)}.",
            "Proof.",
            f"  intros. by_data {name}_data {name}_proof ({values}).",
            "Qed.",
            "",
        )
    )


def _statement(claim: Claim) -> str:
    """The claim over Coq's reals: its hypotheses, each after what its parts must be, and its defined conclusion."""
    names = {v: variable(v) for v in sorted(claim.names)}
    premises = [f"integer {show(term, names)}" for term in claim.integers]
    known = set()
    for relation in claim.given:
        for need in needs(relation.left, relation.right):
            if need not in known:
                known.add(need)
                premises.append(need_text(need, names))
        premises.append(relation_text(relation, names))
    quantified = f"forall {' '.join(names.values())} : R, " if names else ""
    return quantified + " -> ".join([*premises, conclusion(claim.then, names)])


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

    def positive(self, name: str, value: Term) -> bool:
        """One more lemma, that a constant is above zero, if an enclosure shows it."""
        proof = shown(value)
        if proof is not None:
            self.text += "\n" + claim_to_coq(above_zero(value), proof, name)
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


def splitting(proofs: Sequence[str]) -> str:
    """The tactic that proves a conjunction by those of its parts."""
    return reduce(lambda rest, proof: f"split; [{proof} | {rest}]", reversed(proofs))


def closing(*attempts: str | Sequence[str]) -> str:
    """The first of some tactics that closes the goal."""
    flat: list[str] = []
    for attempt in attempts:
        flat += [attempt] if isinstance(attempt, str) else list(attempt)
    return f"first [{' | '.join(flat)}]"


def above_zero(term: Term) -> Claim:
    """The claim that it is."""
    return Claim((), Relation(">", term, ZERO))


def shown(term: Term) -> Json | None:
    """A proof of this claim, if there is one by enclosures."""
    for bits in PRECISIONS:
        for way in (_direct, _after_needs):
            try:
                proof = written(above_zero(term), way(term, bits))
                check(above_zero(term), proof)
            except Rejected:
                continue
            return proof
    return None


def _direct(_: Term, bits: int) -> Json:
    return {"rule": "interval", "bits": bits, "form": "direct"}


def _after_needs(term: Term, bits: int) -> Json:
    """The proof after enclosures of what makes the constant defined, innermost parts first."""
    proof = _direct(term, bits)
    for part, wanted in reversed(needs(term)):
        whole = _whole(part)
        below = wanted == "nonzero" and enclose(whole, {}, bits)[1] < 0
        relation = Relation("<" if below else ">=" if wanted == "nonnegative" else ">", whole, ZERO)
        proof = {"rule": "lemma", "relation": relation.data, "proof": _direct(whole, bits), "then": proof}
    return proof


def _whole(part: Term) -> Term:
    """Its numerator, if it is written with powers of exponentials below: the kernel knows signs of polynomials."""
    numerator, denominators = quotient(part)
    return polynomial_term(numerator) if denominators else part
