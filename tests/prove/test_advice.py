"""A round that is broken at every learning rate says what would mend it."""

import pytest
from sympy import Expr, Max, Rational, log

from gaptron import GapMap, MarginLoss, Parameter, SoftmaxLoss, Theorem
from gaptron.prove.advice import advice
from gaptron.symbols import K, m, p

SQUARE, HINGE = Max(1 - m, 0) ** 2, Max(1 - m, 0)
OFF_ABOVE = (
    "the loss reaches 0 with a slope, where no prediction helps: "
    "MarginLoss(..., off_above=beta) leaves out right rounds whose margin is above beta"
)


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


def test_the_slope_is_seen_where_the_tangent_ends() -> None:
    theorem = Theorem(name="hinge", loss=MarginLoss(HINGE), gap_map=GapMap(Max(0, 1 - 2 * m)), learning_rate=1 / K)
    assert advice(theorem, {"K": 2, "scores": ["16/17", "0"], "label": 0, "gap": "1"}) == OFF_ABOVE
    smooth = Theorem(name="smooth", loss=MarginLoss(SQUARE), gap_map=GapMap(SQUARE), learning_rate=1 / K)
    assert advice(smooth, {"K": 2, "scores": ["1/2", "0"], "label": 0, "gap": "1"}) is None


def test_what_no_decoder_can_mend_is_said() -> None:
    hinge, third, square = (
        Theorem(name="best", loss=MarginLoss(loss), decoder="best", learning_rate=1 / K)
        for loss in (HINGE, SQUARE / 3, SQUARE)
    )
    at_the_kink, at_a_tie = ({"K": 2, "scores": scores, "needed": ["1", "1"]} for scores in (["1", "0"], ["0", "0"]))
    assert advice(hinge, at_the_kink) == OFF_ABOVE
    said = "the loss is 1/3 at this tie, no more than P(wrong): scale the loss by 3"
    assert advice(third, at_a_tie) == said
    assert advice(square, at_a_tie) is None
    assert advice(square, at_the_kink) is None


@pytest.mark.parametrize("eta", [1 / (2 * K), 1 / K])
def test_a_rate_that_is_too_large_is_not_a_matter_of_scale(eta: Expr) -> None:
    assert of(MarginLoss(SQUARE), eta, 0) is None


def test_at_a_rate_of_zero_there_is_nothing_to_mend() -> None:
    w = Parameter("w", 0, 1)
    theorem = Theorem(name="w", loss=MarginLoss(SQUARE / 2), gap_map=GapMap(SQUARE), learning_rate=w / (4 * K))
    assert advice(theorem, {"K": 2, "scores": ["0", "0"], "label": 0, "gap": "1/2", "parameters": {"w": "0"}}) is None
