"""Two kernels, one specification: the tables of the Python kernel, and proofs with one part changed, asked of both."""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import pytest
import test_kernel_rules
from kernel_rows import Row
from test_coq_certificates import FIRST, ROWS, mutations

from gaptron.coq.verified import UnwrittenError, accepted, computation
from gaptron.kernel import Claim, Rejected, check
from gaptron.language.terms import Json

pytestmark = [pytest.mark.slow, pytest.mark.coq]

ATTACKS: list[Row] = [getattr(row, "values", (row,))[0] for row in test_kernel_rules.REJECTED]
NARROWER = {  # what the Python kernel normalises and the verified one does not
    ("combination", "a logarithm of a product of negative factors"),
    ("combination", "a root of what is zero by algebra"),
}
ANY_CONTRADICTION = {  # Coq takes any constant with the wrong sign, the Python kernel zero alone
    "the summands do not add up to zero",
    "no summand is certainly positive",
}
SECONDS = 600
EVERY = 3  # of the changed proofs


def asked(claim: Claim, proof: Json) -> str | None:
    """What Coq is asked, if there are words for it."""
    try:
        return computation(claim, proof)
    except (Rejected, UnwrittenError):
        return None


def answers(questions: Iterable[str | None], library: Path) -> list[bool | None]:
    """What Coq computes; None where it is not asked."""
    found = list(questions)
    said = iter(accepted([one for one in found if one is not None], SECONDS, library.parent))
    return [None if one is None else next(said) for one in found]


def test_what_the_python_kernel_accepts_is_accepted(library: Path) -> None:
    said = answers((asked(row.claim, row.proof) for row in ROWS), library)
    assert {(row.rule, row.why) for row, one in zip(ROWS, said, strict=True) if one is False} == NARROWER
    assert said.count(True) > len(ROWS) / 2


def test_no_attack_that_the_python_kernel_rejects_is_accepted(library: Path) -> None:
    said = answers((asked(row.claim, row.proof) for row in ATTACKS), library)
    assert [(row.rule, row.why) for row, one in zip(ATTACKS, said, strict=True) if one] == []
    assert said.count(False) > 50


def test_no_changed_proof_is_accepted_by_coq_and_rejected_in_python(library: Path) -> None:
    changed = [(row.claim, proof) for row in FIRST.values() for proof in islice(mutations(row.proof), 0, None, EVERY)]
    said = answers((asked(claim, proof) for claim, proof in changed), library)
    reasons = {rejection(*row).partition(":")[0] for row, one in zip(changed, said, strict=True) if one}
    assert reasons <= {"", *ANY_CONTRADICTION}
    assert said.count(False) > 25


def rejection(claim: Claim, proof: Json) -> str:
    """Why the Python kernel rejects a proof; nothing if it accepts it."""
    try:
        check(claim, proof)
    except Rejected as rejected:
        return str(rejected)
    return ""
