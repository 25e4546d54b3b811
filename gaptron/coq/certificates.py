"""Claims as lemmas over Coq's reals, closed by one computation of the verified kernel on data."""

from gaptron.coq.kernel_data import UnwrittenError, claim_data, places_of, printed
from gaptron.coq.kernel_proofs import certificate_data
from gaptron.coq.real_terms import conclusion, need_text, relation_needs, relation_text, show, variable
from gaptron.coq.script import UntranslatedError
from gaptron.kernel import Claim, Rejected
from gaptron.language.terms import Json

HEADER = """\
Require Import Reals Lra ZArith QArith List.
From Gaptron.kernel Require Import Relations Atoms Derivation Intervals Motion Certificate Stated.
From Gaptron Require Import Signs Enclosures.
Import ListNotations.
Open Scope R_scope.
"""


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
        for need in relation_needs(relation):
            if need not in known:
                known.add(need)
                premises.append(need_text(need, names))
        premises.append(relation_text(relation, names))
    quantified = f"forall {' '.join(names.values())} : R, " if names else ""
    return quantified + " -> ".join([*premises, conclusion(claim.then, names)])
