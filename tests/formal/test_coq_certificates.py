"""Certificates as Coq proofs: what Coq accepts, and what it must refuse."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import test_kernel_rules
from kernel_language import DIRECT, MEAN, claim, combination, contradiction, interval, move

from gaptron.coq.library import RefusedError, compiled
from gaptron.coq.proved import HEADER, claim_to_coq
from gaptron.coq.script import UntranslatedError
from gaptron.kernel import check
from gaptron.kernel import rules as kernel_rules
from gaptron.prove.hints import written

ROWS = [
    *(replace(row, proof=proof) for row, proof in test_kernel_rules.WRITTEN),
    *test_kernel_rules.ACCEPTED_AS_WRITTEN,
]
FIRST = {row.rule: row for row in reversed(ROWS)}


# --- rules ------------------------------------------------------------------------------------------------------------


def test_every_rule_of_the_kernel_has_a_row() -> None:
    assert set(FIRST) == set(kernel_rules.RULES)


@pytest.mark.slow
@pytest.mark.coq
def test_every_row_is_translated_and_compiles(library: Path, tmp_path: Path) -> None:
    lemmas = [claim_to_coq(row.claim, row.proof, f"row_{number}") for number, row in enumerate(ROWS)]
    compiled({"C_rows.v": "\n".join((HEADER, *lemmas))}, tmp_path, library)


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x > 0; x <= 1 |- log(x) <= 0", id="the logarithm of 1 is 0"),
        pytest.param("|- log(1018316/1000003) > 181/10000", id="a long rational"),
        pytest.param(
            "|- log(18452932266952763309/18446744073709551616) < 4/10000", id="a rational that is longer still"
        ),
    ],
)
def test_logarithms_are_enclosed_in_whole_numbers(text: str, library: Path, tmp_path: Path) -> None:
    asked = claim(text)
    proof = written(asked, interval(64))
    check(asked, proof)
    compiled({"C_logarithm.v": f"{HEADER}\n{claim_to_coq(asked, proof, 'logarithm')}"}, tmp_path, library, seconds=60)


POWERS = ("x**(-3) <= 2", "(x + 1)**(-3) <= 1/5", "x - x**(-5) <= 19/4")


@pytest.mark.slow
@pytest.mark.coq
def test_slopes_of_negative_powers_are_as_narrow_as_the_kernels(library: Path, tmp_path: Path) -> None:
    lemmas = []
    for number, power in enumerate(POWERS):
        asked = claim(f"x >= 1; x <= 2; x > 0; x + 1 > 0 |- {power}")
        proof = written(asked, MEAN)
        check(asked, proof)
        lemmas.append(claim_to_coq(asked, proof, f"mean_{number}"))
    falls, known = claim("x >= 1 |- x**(-3) <= 1"), combination(("1", [0]), ("1", [1]), ("1", []))
    moved = written(falls, move("down", DIRECT, DIRECT, facts=[("x > 0", known)]))
    check(falls, moved)
    compiled({"C_powers.v": "\n".join((HEADER, *lemmas, claim_to_coq(falls, moved, "moved")))}, tmp_path, library)


@pytest.mark.slow
@pytest.mark.coq
def test_a_logarithm_inside_of_another_and_beside_it(library: Path, tmp_path: Path) -> None:
    """As in the logistic loss log(1 + exp(-2*m), 2): the outer one is rewritten while it has the inner one."""
    both = "log(x) + log(x*exp(-log(x)/2))"
    asked = claim(f"x > 0 |- {both} <= {both}")
    proof = written(asked, combination(("1", [1])))
    check(asked, proof)
    compiled({"C_nested.v": f"{HEADER}\n{claim_to_coq(asked, proof, 'nested')}"}, tmp_path, library, seconds=60)


def test_a_rule_without_translation_is_named_with_the_claim() -> None:
    with pytest.raises(
        UntranslatedError, match=r"^the rule magic: it has no translation, in the claim x <= x$"
    ) as error:
        claim_to_coq(claim("|- x <= x"), {"terms": [], "tables": [], "proof": {"rule": "magic"}}, "lemma")
    assert error.value.rule == "the rule magic"
    assert error.value.claim == claim("|- x <= x")


def mutations(part: Any) -> Iterator[Any]:
    """Proofs with one part left out, or something else in its place."""
    yield from (None, -1, 99, "z", "1/0", [], {})
    items = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for place, inner in items:
        yield (
            type(part)((k, v) for k, v in part.items() if k != place)
            if isinstance(part, dict)
            else (part[:place] + part[place + 1 :])
        )
        for changed in mutations(inner):
            yield {**part, place: changed} if isinstance(part, dict) else [*part[:place], changed, *part[place + 1 :]]


def test_a_proof_that_does_not_fit_its_claim_is_refused_or_written() -> None:
    """Coq or the kernel has the last word on what is written; nothing else is raised."""
    refused = set()
    for rule, row in FIRST.items():
        for proof in islice(mutations(row.proof), 0, None, 5):
            try:
                claim_to_coq(row.claim, proof, "mutated")
            except UntranslatedError as error:
                refused.add((rule, error.rule))
    assert {rule for rule, why in refused if why == "a proof that does not fit its claim"} == set(FIRST)


NOT_TRUE = r'expected to have type\s+"check \w+ \w+ = true"'
SQUARE = "|- 0 <= (x - y)**2"
WRONG = [
    pytest.param(SQUARE, combination(("1", [0]), ("2", [], "x - y")), id="a coefficient"),
    pytest.param(SQUARE, combination(("1", [0]), ("1", [], "x + y")), id="a square"),
    pytest.param("y >= 1 |- x >= 1", combination(("1", [0]), ("1", [1])), id="no hypothesis about it"),
    pytest.param("x >= 1 |- x >= 2", combination(("1", [0]), ("1", [1])), id="a constant"),
    pytest.param(
        "x >= 0; x <= 1 |- log(2) <= 69/100",
        DIRECT,
        id="log",
    ),
]


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.parametrize(("text", "sketch"), WRONG)
def test_a_wrong_proof_is_refused(text: str, sketch: object, library: Path, tmp_path: Path) -> None:
    proof = written(claim(text), sketch)
    with pytest.raises(kernel_rules.Rejected):
        check(claim(text), proof)
    with pytest.raises(RefusedError, match=NOT_TRUE):
        compiled({"Wrong.v": HEADER + claim_to_coq(claim(text), proof, "wrong")}, tmp_path, library)


@pytest.mark.slow
@pytest.mark.coq
def test_a_right_proof_beside_the_wrong_ones_is_accepted(library: Path, tmp_path: Path) -> None:
    proof = written(claim(SQUARE), combination(("1", [0]), ("1", [], "x - y")))
    check(claim(SQUARE), proof)
    compiled({"Right.v": HEADER + claim_to_coq(claim(SQUARE), proof, "right")}, tmp_path, library)


def test_a_claim_says_what_the_kernel_says_with_definedness() -> None:
    asked = claim("1/y <= 3; 1 <= 0 |- 1/y <= x")
    text = claim_to_coq(asked, written(asked, contradiction(1)), "stated")
    assert "forall v_x v_y : R, v_y <> 0 -> (1 * (/ v_y)) <= 3 -> 1 <= 0 -> v_y <> 0 /\\ (1 * (/ v_y)) <= v_x." in text
