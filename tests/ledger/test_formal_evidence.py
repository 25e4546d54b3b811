"""The evidence ``coq`` of claims: of mistake bounds of theorems that Coq accepts whole, and of no others."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import pytest
from conftest import Shipped, shipped_entries

from gaptron.checking.cache import Cache
from gaptron.checking.checker import Checked
from gaptron.ledger.html.page import page as as_html
from gaptron.ledger.recomputation import Audited, audit, whole_theorem
from gaptron.ledger.rendering import as_dict
from gaptron.system.documents import Document
from gaptron.theory.claims import Obligations
from gaptron.theory.files import Filed

pytestmark = pytest.mark.slow

BOUNDS = {
    "gaptron/t5-bound": ["Theorem 5, bandit hinge"],
    "gaptron/t6-bound-some-gamma": ["Theorem 6, bandit smooth hinge"],
}
PROJECTED = (  # with full information Coq's game is on the whole space
    "gaptron/t1-bound", "gaptron/t2-bound", "gaptron/t3-bound", "gaptron/t3-printed-two-classes",
    "gaptron/t2-best-threshold", "slides/abstention-regret",
)  # fmt: skip
BANDIT = "gaptron/t5-bound"


def filed() -> dict[str, Filed]:
    """All claims, by name."""
    return {claim.claim.id: claim for claim in shipped_entries()[1]}


def needed(name: str, known: dict[str, Filed]) -> dict[str, Filed]:
    """A claim with all that it rests on."""
    found = {name: known[name]}
    for premise in known[name].claim.premises:
        found |= needed(premise, known)
    return found


def wholes(claim: Filed) -> list[str]:
    """The theorems whose bounds a claim is."""
    theorems = map(whole_theorem, (*claim.claim.grounds, *claim.claim.second))
    return [theorem.name for theorem in theorems if theorem is not None]


def test_bounds_are_those_of_whole_theorems(shipped: Shipped) -> None:
    known = filed()
    for name, theorems in BOUNDS.items():
        assert wholes(known[name]) == theorems
    for name in ("gaptron/lemma1", "gaptron/t4-bound", "blog/t1-bound", *PROJECTED):
        assert not wholes(known[name])

    def row(formal: Callable[[Checked], Document]) -> Audited:
        with closing(Cache(shipped.cache, pytest.fail)) as cache:
            rows = audit(list(needed(BANDIT, known).values()), 20.0, cache, 1, formal=formal)
        (found,) = (found for found in rows if found.claim.id == BANDIT)
        assert found.verdict == "PROVED"
        return found

    accepted = row(
        lambda checked: {"accepted": True, "module": "M", "theorem": "whole", "statement": checked.item.name}
    )
    refused = row(lambda checked: {"accepted": checked.item.name not in BOUNDS[BANDIT]})
    assert "coq" in accepted.evidence
    assert [one["statement"] for one in as_dict(accepted)["coq"]] == BOUNDS[BANDIT]
    assert "coq" not in refused.evidence
    for found, is_shown in ((accepted, True), (refused, False)):
        summary = f"<summary>Evidence: {', '.join(found.evidence)}</summary>"
        assert summary in as_html([found])
        assert ("coq" in summary) is is_shown


def test_a_part_of_a_theorem_is_not_the_whole_of_it() -> None:
    *_, bound = filed()[BANDIT].claim.second
    assert isinstance(bound, Obligations)
    theorem = whole_theorem(bound)
    assert theorem is bound.item
    assert whole_theorem(Obligations(bound.item, "gap*")) is None
    assert whole_theorem(Obligations(replace(theorem, regret=None))) is None
