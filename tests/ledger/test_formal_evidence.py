"""The evidence ``coq`` of claims: of mistake bounds of theorems that Coq accepts whole, and of no others."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import pytest
from conftest import Shipped, shipped_entries

from gaptron.checking.cache import Cache
from gaptron.checking.check import Checked
from gaptron.ledger.audit import Audited, audit
from gaptron.ledger.claims import as_html
from gaptron.ledger.formal import whole_theorem
from gaptron.system.documents import Document
from gaptron.theory.arguments import Argument
from gaptron.theory.derived import parameters
from gaptron.theory.files import Filed

pytestmark = pytest.mark.slow

BOUNDS = {
    "gaptron/t1-bound": ["Theorem 1, logistic"],
    "gaptron/t2-bound": ["Theorem 2, hinge"],
    "gaptron/t3-bound": ["Theorem 3, smooth hinge"],
    "gaptron/t5-bound": ["Theorem 5, bandit hinge"],
    "gaptron/t6-bound-some-gamma": ["Theorem 6, bandit smooth hinge"],
    "slides/abstention-regret": ["every c < 1, logistic", "every c < 1, hinge", "every c < 1, smooth"],
    "blog/examples-bounds": ["blog, squared hinge", "blog, smoothed hinge", "blog, weighted smoothed hinge"],
}
BLOG = "blog/examples-bounds"


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
    theorems = [whole_theorem(ground) for ground in claim.claim.grounds if isinstance(ground, Argument)]
    return [theorem.name for theorem in theorems if theorem is not None]


def test_bounds_are_those_of_whole_theorems(shipped: Shipped) -> None:
    known = filed()
    for name, theorems in BOUNDS.items():
        assert wholes(known[name]) == theorems
    assert not wholes(known["gaptron/lemma1"])

    def row(formal: Callable[[Checked], Document]) -> Audited:
        with closing(Cache(shipped.cache, pytest.fail)) as cache:
            rows = audit(list(needed(BLOG, known).values()), 20.0, cache, 1, formal=formal)
        (found,) = (found for found in rows if found.claim.id == BLOG)
        assert found.verdict == "PROVED"
        return found

    accepted = row(lambda checked: {"accepted": True})
    refused = row(lambda checked: {"accepted": checked.item.name != "blog, squared hinge"})
    assert "coq" in accepted.evidence
    assert "coq" not in refused.evidence
    for found, is_shown in ((accepted, True), (refused, False)):
        summary = f"<summary>Evidence: {', '.join(found.evidence)}</summary>"
        assert summary in as_html([found])
        assert ("coq" in summary) is is_shown


def test_with_bandit_feedback_the_numbers_are_the_theorems() -> None:
    """The conclusion names the excess; what it is, as eta and gamma, the hypotheses say."""
    *_, bound = filed()["gaptron/t5-bound"].claim.grounds
    assert isinstance(bound, Argument)
    theorem = whole_theorem(bound)
    assert theorem is not None
    for one in parameters(theorem):
        left = tuple(hypothesis for hypothesis in bound.hypotheses if hypothesis != one)
        assert len(left) == len(bound.hypotheses) - 1
        assert whole_theorem(replace(bound, hypotheses=left)) is None
        assert whole_theorem(replace(bound, hypotheses=(*left, one.func(one.lhs, 2 * one.rhs)))) is None
