"""Two kernels, one specification: the tables of the Python kernel, and proofs with one part changed, asked of both."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest
import test_kernel_rules
from kernel_rows import Row
from test_coq_certificates import NARROWER, ROWS, mutations
from test_readme import table
from test_shipped_in_coq import DETAILS

from gaptron.coq.data import SIGNS
from gaptron.coq.verified import UnwrittenError, accepted, computation
from gaptron.kernel import Claim, Rejected, Relation, check
from gaptron.language.terms import Json

pytestmark = [pytest.mark.slow, pytest.mark.coq]

ATTACKS: list[Row] = [getattr(row, "values", (row,))[0] for row in test_kernel_rules.REJECTED]
ANY_CONTRADICTION = {  # Coq takes any constant with the wrong sign, the Python kernel zero alone
    "the summands do not add up to zero",
    "no summand is certainly positive",
    "the box is empty",
}
SECONDS = 600
EVERY = 2  # of the changed proofs
TABLE = "<!-- table: two kernels -->"


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


def changed_claims(claim: Claim) -> Iterator[Claim]:
    """Claims of the same variables with a hypothesis dropped or turned, another sign, or another number."""
    given = claim.given
    for index, relation in enumerate(given):
        yield replace(claim, given=given[:index] + given[index + 1 :])
        turned = Relation(relation.sign, relation.right, relation.left)
        yield replace(claim, given=(*given[:index], turned, *given[index + 1 :]))
    for sign in SIGNS:
        yield claim.instead(Relation(sign, claim.then.left, claim.then.right))
    for step in (Fraction(1, 1000), Fraction(-1, 1000)):
        yield claim.instead(Relation(claim.then.sign, claim.then.left, ("+", claim.then.right, step)))


def changed(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows with something changed in the claim, and then in the proof."""
    for row in rows:
        for claim in changed_claims(row.claim):
            if claim.names == row.claim.names and claim != row.claim:
                yield replace(row, claim=claim)
        for proof in islice(mutations(row.proof), 0, None, EVERY):
            yield replace(row, proof=proof)


def test_of_ten_thousand_changes_coq_accepts_no_more_than_python_but_other_contradictions(library: Path) -> None:
    """What each kernel says of every change is a table of docs/formal_details.md; what is not changed is none of it."""
    rows = list(changed(ROWS))
    assert len(rows) > 10_000
    said = answers((asked(row.claim, row.proof) for row in rows), library)
    classes = dict[tuple[str, str], list[Row]]()
    for row, answer in zip(rows, said, strict=True):
        reason = rejection(row.claim, row.proof).partition(":")[0]
        if answer:
            assert reason in {"", *ANY_CONTRADICTION}, row
        of_coq = "accepts" if answer else "has no words" if answer is None else "refuses"
        of_python = f"rejects: {reason}" if reason and answer else "rejects" if reason else "accepts"
        classes.setdefault((of_python, of_coq), []).append(row)
    lines = [
        f"| {python} | {coq} | {len(found):,} | {found[0].rule}, {found[0].why} |"
        for (python, coq), found in sorted(classes.items())
    ]
    table(
        DETAILS,
        TABLE,
        "\n".join(["", "| Python's kernel | Coq's | changes | of, among others |", "|---|---|---|---|", *lines]),
    )


def rejection(claim: Claim, proof: Json) -> str:
    """Why the Python kernel rejects a proof; nothing if it accepts it."""
    try:
        check(claim, proof)
    except Rejected as rejected:
        return str(rejected)
    return ""
