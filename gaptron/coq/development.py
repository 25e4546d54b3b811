"""A proved theorem as a Coq development: its definitions as written, its claims from certificates, the whole guarantee.

The statement is printed from the theorem file alone. Each condition of the library's theorem is proved by taking the
functions apart (``proofs/coq/Cases.v``) and using the claims of the obligation that is about the case.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

from gaptron.coq.bandit_feedback import TUNING
from gaptron.coq.broken_structured import EnvelopeRefutation, StructuredRefutation, broken_criterion
from gaptron.coq.claim_search import Search
from gaptron.coq.no_value import NoValue
from gaptron.coq.proved import Claims
from gaptron.coq.real_terms import identifier
from gaptron.coq.refuted import Refuted, refuted
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.structured_development import StructuredDevelopment, about_entropy, conditions
from gaptron.coq.theorem_data import losses_data, theorem_data
from gaptron.coq.theorem_kinds import kind_of
from gaptron.coq.writing import Development
from gaptron.guesses import obligations_of
from gaptron.guesses.in_sympy import written
from gaptron.kernel import Certificate
from gaptron.obligations import Obligation
from gaptron.prove.certify import certify
from gaptron.system.documents import Document
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Theorem

LONGEST = 120
DEFINED = "/defined"  # how the names of the obligations end that a theorem from data rests on beside its data
OF_RATES = ("exploration/", "learning rate/", "regret")  # the obligations about the rates of a bandit theorem


@dataclass(frozen=True)
class Whole:
    """A development: its files, in the order in which they compile, and the module and theorem to look at."""

    files: dict[str, str]
    module: str
    theorem: str


def development(theorem: Theorem, proved: Mapping[str, Certificate], search: Search = certify) -> Whole:
    """Files that compile with the library: the claims with their proofs, and the whole theorem.

    Parameters
    ----------
    theorem : Theorem
    proved : certificates by the names of the obligations
        For all of the theorem's obligations.
    search : function
        A proof of a claim that Coq computes, in so many seconds, or NotFoundError.

    Raises
    ------
    OutOfScopeError
        If the library has no theorem for it, or an obligation no certificate, or a claim that Coq computes.
    UntranslatedError
        If a certificate has no translation.
    """
    check_scope(theorem)
    kind, module = kind_of(theorem), module_of(theorem.name)
    claims, own = Claims(), obligations_of(theorem)
    of_rates = [one for one in own if theorem.feedback == "bandit" and one.id.startswith(OF_RATES)]
    _add_all(claims, [one for one in own if one not in of_rates], proved, used=DEFINED)
    _add_all(claims, of_rates, proved, TUNING)
    claims.compute(*theorem_data(theorem, search))
    written = kind(theorem, claims, module)
    return Whole({f"{module}_claims.v": claims.text, f"{module}.v": written.text()}, module, f"{module}_whole")


def structured_development(theorem: StructuredTheorem, proved: Mapping[str, Certificate]) -> Whole:
    """Files that compile with the library: the conditions on the theorem's numbers, and the whole theorem.

    Parameters
    ----------
    theorem : StructuredTheorem
    proved : certificates by the names of the obligations
        Of those of ``conditions(theorem)`` that are PROVED.

    Raises
    ------
    OutOfScopeError
        If the library has no theorem for it, or a condition no certificate.
    UntranslatedError
        If a certificate has no translation.
    """
    module = module_of(theorem.name)
    claims = Claims()
    _add_conditions(claims, conditions(theorem), proved)
    written = StructuredDevelopment(theorem, claims, module)
    return Whole({f"{module}_claims.v": claims.text, f"{module}.v": written.text()}, module, f"{module}_whole")


def _add_conditions(claims: Claims, needed: Iterable[Obligation], proved: Mapping[str, Certificate]) -> None:
    """The claims of these obligations."""
    for obligation in needed:
        if obligation.id not in proved:
            (claim,) = obligation.claims
            raise OutOfScopeError(
                f"the library compares cost and entropy with the variance, and needs {written(claim).then}"
            )
        claims.add(obligation, proved[obligation.id])


def refutation(
    theorem: Theorem, proved: Mapping[str, Certificate], witness: Document, search: Search = certify
) -> Whole:
    """Files that compile with the library: where the theorem's functions are defined, and what breaks at a witness.

    Parameters
    ----------
    theorem : Theorem
    proved : certificates by the names of the obligations
        Of those that are PROVED.
    witness : Document
        Against one of the others.
    search : function
        A proof of a claim that Coq computes, in so many seconds, or NotFoundError.

    Raises
    ------
    OutOfScopeError
        If the library has no words for it, or an obligation that it rests on has no certificate.
    UntranslatedError
        If a certificate has no translation.
    """
    check_scope(theorem, is_refuted=True)
    found = refuted(theorem, witness)
    module = module_of(theorem.name, "R")
    claims = Claims()
    _add_all(claims, [one for one in obligations_of(theorem) if one.id.startswith(found.needs)], proved)
    if found.part in ("round", "criterion"):
        claims.compute(*losses_data(theorem, search))
    text = refuting(theorem, claims, module, found).text()
    return Whole({f"{module}_claims.v": claims.text, f"{module}.v": text}, module, f"{module}_refuted")


def structured_refutation(theorem: StructuredTheorem, witness: Document, proved: Mapping[str, Certificate]) -> Whole:
    """Files that compile with the library: the theorem's problem, and which part of its guarantee a witness denies.

    Parameters
    ----------
    theorem : StructuredTheorem
    witness : Document
    proved : certificates by the names of the obligations
        Of those of ``about_entropy(theorem)`` that are PROVED.

    Raises
    ------
    OutOfScopeError
        If the library has no words for it, or a condition on its entropy no certificate.
    """
    module, claims = module_of(theorem.name, "R"), Claims()
    _add_conditions(claims, about_entropy(theorem), proved)
    written = structured_refuting(theorem, claims, module, witness)
    return Whole({f"{module}_claims.v": claims.text, f"{module}.v": written.text()}, module, f"{module}_refuted")


def structured_refuting(
    theorem: StructuredTheorem, claims: Claims, module: str, witness: Document
) -> StructuredRefutation:
    """The development of this refutation beside its claims."""
    kind = StructuredRefutation if theorem.update == "gradient" else EnvelopeRefutation
    return kind(theorem, claims, module, broken_criterion(theorem, witness))


def refuting(theorem: Theorem, claims: Claims, module: str, found: Refuted) -> Development:
    """The development of a refutation beside its claims."""
    kind: Callable[..., Development] = NoValue if found.part == "domain" else kind_of(theorem)
    return kind(theorem, claims, module, found)


def _add_all(
    claims: Claims, needed: Iterable[Obligation], proved: Mapping[str, Certificate], prefix: str = "", used: str = ""
) -> None:
    """The claims of these obligations that are used, under their names after the prefix; all must be proved."""
    for obligation in needed:
        if obligation.id not in proved or proved[obligation.id].proofs is None:
            raise OutOfScopeError(f"the obligation {obligation.id} has no certificate that proves it")
        if obligation.id.endswith(used):
            claims.add(replace(obligation, id=prefix + obligation.id), proved[obligation.id])


def module_of(name: str, kind: str = "T") -> str:
    """The module of a theorem, or of its refutation ("R"): injective, and no longer than the name of a file may be."""
    written = identifier(name)
    if len(written) <= LONGEST:
        return f"{kind}_{written}"
    return f"{kind}_{written[:LONGEST]}_{sha256(written.encode()).hexdigest()}"


def check_scope(theorem: Theorem, is_refuted: bool = False) -> None:
    """OutOfScopeError, with the reason, for a theorem, or a refutation of it, that the library does not speak of."""
    if theorem.feedback == "bandit" and theorem.regret is None and not is_refuted:
        raise OutOfScopeError("no regret is claimed of it")
    kind_of(theorem)
