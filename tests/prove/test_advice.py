"""A round that is broken at every learning rate says what would mend it."""

import pytest
from sympy import Expr, Max, Rational, log

from gaptron import GapMap, MarginLoss, SoftmaxLoss, Theorem
from gaptron.prove.advice import OFF_ABOVE, advice
from gaptron.symbols import K, m, p

SQUARE, HINGE = Max(1 - m, 0) ** 2, Max(1 - m, 0)


def of(loss: MarginLoss | SoftmaxLoss, eta: Expr, label: int, gap_map: Expr = SQUARE) -> str | None:
    theorem = Theorem(name="one", loss=loss, gap_map=GapMap(gap_map), learning_rate=eta)
    return advice(theorem, {"K": 2, "scores": ["0", "0"], "label": label, "gap": "1"})


def test_a_loss_that_is_too_small_at_a_tie_is_scaled() -> None:
    said = "the loss is 1/2 at this tie, no more than P(wrong): scale the loss by 2"
    assert of(MarginLoss(SQUARE / 2), 1 / (4 * K), 0) == said
    natural = of(SoftmaxLoss(-log(p)), 1 / (4 * K), 1, Max(0, Rational(1, 2) - p))
    assert natural is not None
    assert natural.endswith("scale the loss by 1.44270")


def test_a_loss_that_reaches_zero_with_a_slope_is_switched_off() -> None:
    theorem = Theorem(name="hinge", loss=MarginLoss(HINGE), gap_map=GapMap(HINGE), learning_rate=1 / (2 * K))
    witness = {"K": 2, "scores": ["1", "0"], "label": 0, "gap": "1/4", "subgradient": "left"}
    assert advice(theorem, witness) == OFF_ABOVE
    assert advice(theorem, witness | {"label": 1}) is None


@pytest.mark.parametrize("eta", [1 / (2 * K), 1 / K])
def test_a_rate_that_is_too_large_is_not_a_matter_of_scale(eta: Expr) -> None:
    assert of(MarginLoss(SQUARE), eta, 0) is None
