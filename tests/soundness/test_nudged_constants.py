"""Sharp constants: a claim that asks for a billionth more is neither proved by the true claim's proof nor by search."""

from collections.abc import Iterator
from fractions import Fraction

import pytest
from kernel_language import claim

from gaptron.kernel import Claim, Rejected, Relation, check
from gaptron.prove.certify import certify
from gaptron.prove.proofs import NotFoundError

EPSILON = Fraction(1, 10**9)
SHARP = [
    "x >= 0; x <= 1 |- x*(1 - x) <= 1/4",
    "|- x**2 + y**2 >= 2*x*y",
    "x >= 1 |- x**2 >= 1",
    "x > 0 |- x + 1/x >= 2",
    "x >= 0; y >= 0; x + y <= 1 |- x*y <= 1/4",
    "K >= 2 |- (1 - 1/K)/K <= 1/4",
    "K >= 2 |- 1/K <= 1/2",
    "K >= 2; m >= 0; m <= 1 |- (1 - m)/K <= 1/2",
    "x >= 0; x <= 1 |- x**3 - x <= 0",
    "x >= -1; x <= 2 |- x**3 - 3*x <= 2",
    "x >= 0 |- exp(-x) <= 1",
    "x >= 0; x <= 1 |- exp(x) >= 1 + x",
    "x >= 1/2; x <= 2; x > 0 |- log(x) <= x - 1",
    "x >= 0; x <= 1 |- log(1 + x) <= x",
    "x >= 1; x <= 4 |- log(x) >= 0",
    "x >= 0 |- x*exp(-x) >= 0",
    "x >= 0; x <= 1 |- root(x, 2) <= 1",
    "x >= 0 |- root(x, 2)**2 == x",
    "x == 1 |- x**2 + x == 2",
    "x >= 0; x <= 1/2 |- x**2 <= 1/4",
    "x >= 1; x <= 2 |- 1/x <= 1",
    "x >= -1; x <= 1; y >= -1; y <= 1 |- x*y <= 1",
    "|- log(4) - 2*log(2) <= 0",
    "|- exp(1)*exp(-1) == 1",
    "p > 0; p <= 1 |- -log(p) >= 1 - p",
    "p >= 1/2; p <= 1; p > 0 |- p*log(p) <= 0",
    "x >= 2; K >= x |- K**2 >= 4",
    "x >= 0; y >= x |- y**2 >= x**2",
]


@pytest.mark.few(12)
@pytest.mark.parametrize("text", SHARP)
def test_a_claim_with_a_nudged_constant_is_not_proved_by_the_proof_of_the_true_claim(text: str) -> None:
    true = claim(text)
    proof = certify(true, 20)
    check(true, proof)
    for nudged in _nudged(true):
        with pytest.raises(Rejected):
            check(nudged, proof)


def _nudged(true: Claim) -> Iterator[Claim]:
    """False claims: the conclusion asks for a little more, or is strict where it is attained."""
    sign, left, right = true.then.sign, true.then.left, true.then.right
    shift = -EPSILON if sign in ("<=", "=") else EPSILON
    yield true.instead(Relation(sign, left, ("+", right, shift)))
    if sign == "=":
        yield true.instead(Relation(sign, left, ("+", right, EPSILON)))
        yield true.instead(Relation("!=", left, right))
    else:
        yield true.instead(Relation({"<=": "<", ">=": ">"}[sign], left, right))
        yield true.instead(Relation({"<=": ">", ">=": "<"}[sign], left, right))


@pytest.mark.few(1)
@pytest.mark.parametrize("text", SHARP)
def test_a_claim_with_a_nudged_constant_is_not_proved_by_a_search(text: str) -> None:
    for nudged in _nudged(claim(text)):
        with pytest.raises(NotFoundError):
            certify(nudged, 0.05)
