"""docs/certificates.md: the fields of rules and steps are the kernel's, and both kernels accept the example."""

import json
import re
from typing import Any

import pytest
from conftest import REPOSITORY

from gaptron.coq.verified import accepted, computation
from gaptron.kernel import Claim, Rejected, check
from gaptron.kernel.certificate import FORMAT
from gaptron.kernel.evidence import STEPS
from gaptron.kernel.rules import RULES

PAGE = (REPOSITORY / "docs" / "certificates.md").read_text(encoding="utf-8")
SECONDS = 600


def block(name: str) -> Any:
    found = re.search(rf"<!-- {name} -->\n```json\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_the_page_has_every_rule_with_its_fields() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (`.*?`) \|", PAGE, re.MULTILINE)
    assert {rule: tuple(re.findall(r"`(\w+)`", fields)) for rule, fields in rows} == {
        rule: fields for rule, (_, fields) in RULES.items()
    }
    assert FORMAT in PAGE


def test_the_page_has_every_step_with_its_length() -> None:
    steps = PAGE.partition("## Rules")[0].partition("Steps derive facts")[2]
    rows = re.findall(r'^\| `\["(\w+)", (.*?)\]` \|', steps, re.MULTILINE)
    assert {name: len(parts.split(", ")) + 1 for name, parts in rows} == {n: count for n, (_, count) in STEPS.items()}


def test_the_example_is_a_proof_of_its_claim() -> None:
    claim, proof = Claim.read(block("claim")), block("proof")
    check(claim, proof)
    with pytest.raises(Rejected):
        check(Claim(claim.given[:2], claim.then), proof)


@pytest.mark.slow
@pytest.mark.coq
def test_the_example_is_a_proof_to_the_verified_kernel() -> None:
    assert accepted([computation(Claim.read(block("claim")), block("proof"))], SECONDS) == [True]
