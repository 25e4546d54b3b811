"""Two kernels, one specification: the tables of the Python kernel, and proofs with one part changed, asked of both."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, islice

import pytest
import test_kernel_rules
from kernel_rows import Row, attack
from test_coq_certificates import ROWS
from test_readme import table
from test_shipped_in_coq import DETAILS

from gaptron.coq.kernel_data import SIGNS
from gaptron.coq.verified import UnwrittenError, accepted, computation
from gaptron.kernel import Claim, Rejected, Relation, check
from gaptron.language.terms import Json

pytestmark = [pytest.mark.slow, pytest.mark.coq]

REJECTED: list[Row] = [getattr(row, "values", (row,))[0] for row in test_kernel_rules.REJECTED]
ATTACKS: list[Row] = [
    *(replace(row, proof=proof) for row in REJECTED if (proof := attack(row.claim, row.proof)) is not None),
    *test_kernel_rules.REJECTED_AS_WRITTEN,
]
SECONDS = 1800
PROOFS = 400  # changed proofs of a row that are looked at
EACH, OF_AN_ATTACK = 250, 30  # changes of a row that are asked, at most
OPERATIONS = {"+": "*", "*": "+", "exp": "log", "log": "exp", "root": "^", "^": "root"}
OTHER_WORDS = {**OPERATIONS, "up": "down", "down": "up"}
ROUNDING = "the enclosure is not on one side of zero"
ROUNDED = f"rejects: {ROUNDING}"
TAKEN = "rejects: the name is taken"  # to Coq variables are numbers
TABLE = "<!-- table: two kernels -->"


def asked(claim: Claim, proof: Json) -> str | None:
    """What Coq is asked, if there are words for it."""
    try:
        return computation(claim, proof)
    except (Rejected, UnwrittenError):
        return None


def answers(questions: Iterable[str | None]) -> list[bool | None]:
    """What Coq computes; None where it is not asked."""
    found = list(questions)
    said = iter(accepted([one for one in found if one is not None], SECONDS))
    return [None if one is None else next(said) for one in found]


def test_what_the_python_kernel_accepts_is_accepted() -> None:
    said = answers(asked(row.claim, row.proof) for row in ROWS)
    assert [(row.rule, row.why) for row, one in zip(ROWS, said, strict=True) if not one] == []


def test_no_attack_that_the_python_kernel_rejects_is_accepted() -> None:
    said = answers(asked(row.claim, row.proof) for row in ATTACKS)
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


def other_parts(part: Json, names: Iterable[str]) -> Iterator[Json]:
    """What may stand in the place of a part of a proof: of its own kind, and not the same."""
    match part:
        case int():
            yield from (part + 1, part - 1)
        case str() if part in SIGNS:
            yield from (sign for sign in SIGNS if sign != part)
        case str() if part in OTHER_WORDS:
            yield OTHER_WORDS[part]
        case str() if re.fullmatch(r"-?\d+(/\d+)?", part):
            value = Fraction(part)
            yield from map(str, {2 * value, value + 1, value / 3, -value, value - Fraction(1, 1000)} - {value})
        case str():
            yield from (name for name in names if name != part)
        case list() if len({*map(type, part)}) == 1 and str(part[0]) not in {*OPERATIONS, *SIGNS}:
            yield from (part[:place] + part[place + 1 :] for place in range(len(part)))
            yield from (part[: place + 1] + part[place:] for place in range(len(part)))


def other_proofs(part: Json, names: list[str]) -> Iterator[Json]:
    """Proofs with something else of its kind in the place of one part, or two fields of a rule exchanged."""
    if isinstance(part, dict):
        fields = [name for name in part if name != "rule"]
        for one, other in combinations(fields, 2):
            if isinstance(part[one], dict) and isinstance(part[other], dict) and part[one] != part[other]:
                yield {**part, one: part[other], other: part[one]}
        for name in fields:
            yield from ({**part, name: inner} for inner in other_proofs(part[name], names))
        return
    yield from other_parts(part, names)
    for place, one in enumerate(part) if isinstance(part, list) else ():
        yield from ([*part[:place], inner, *part[place + 1 :]] for inner in other_proofs(one, names))


def changed(rows: Iterable[Row], most: int) -> Iterator[Row]:
    """The rows with something changed in the claim, in the proof, or in both: of each row so many at most."""
    for row in rows:
        claims = [row.claim, *(one for one in changed_claims(row.claim) if one.names == row.claim.names)]
        proofs = [row.proof, *islice(other_proofs(row.proof, sorted(row.claim.names)), PROOFS)]
        pairs = [(claim, proof) for proof in proofs for claim in claims if (claim, proof) != (row.claim, row.proof)]
        yield from (replace(row, claim=claim, proof=proof) for claim, proof in pairs[:: len(pairs) // most + 1])


def test_of_ten_thousand_changes_coq_accepts_those_that_python_accepts_but_for_rounding() -> None:
    """What each kernel says of every change is a table of docs/formal_details.md; what is not changed is none of it."""
    rows = [*changed(ROWS, EACH), *changed(ATTACKS, OF_AN_ATTACK)]
    said = answers(asked(row.claim, row.proof) for row in rows)
    assert len(rows) - said.count(None) > 10_000
    classes = dict[tuple[str, str], list[Row]]()
    for row, answer in zip(rows, said, strict=True):
        reason = rejection(row.claim, row.proof)
        of_python = "accepts" if reason is None else ROUNDED if reason == ROUNDING and answer else "rejects"
        of_python = TAKEN if answer and reason is not None and reason.endswith(" is not new") else of_python
        of_coq = "accepts" if answer else "has no words" if answer is None else "refuses"
        classes.setdefault((of_python, of_coq), []).append(row)
    assert not classes.keys() & {("rejects", "accepts"), ("accepts", "refuses"), ("accepts", "has no words")}
    assert len(classes.get((ROUNDED, "accepts"), [])) < 10
    lines = [
        f"| {python} | {coq} | {len(found):,} | {found[0].rule}, {found[0].why} |"
        for (python, coq), found in sorted(classes.items())
    ]
    table(
        DETAILS,
        TABLE,
        "\n".join(["", "| Python's kernel | Coq's | changes | of, among others |", "|---|---|---|---|", *lines]),
    )


def rejection(claim: Claim, proof: Json) -> str | None:
    """Why the Python kernel rejects a proof, if it does."""
    try:
        check(claim, proof)
    except Rejected as error:
        return str(error)
    return None
