"""Losses of all scores in theorem files: what may be written, what is refused with which sentence."""

import re
from typing import Any

import pytest
from sympy import Max, Rational, exp

from gaptron import Contact, GapMap, PairwiseLoss, SeparableLoss, Theorem, TheoremError
from gaptron.symbols import K, m, p, z
from gaptron.theory.data import read, written

HINGES = PairwiseLoss(Max(1 - m, 0))
ONE_VERSUS_ALL = SeparableLoss(own=Max(1 - z, 0), other=Max(1 + z, 0) / K)


@pytest.mark.parametrize("loss", [HINGES, ONE_VERSUS_ALL], ids=["pairwise", "separable"])
def test_a_theorem_about_proximal_steps_need_not_name_its_decoder(loss: Any) -> None:
    found = Theorem(name="mine", loss=loss, update="proximal", regret=K)
    assert (found.decoder, found.classes, found.last_class_count) == ("best", None, None)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            {"gap_map": GapMap(1 - p), "learning_rate": 1},
            "gap_map = 1 - p uses the symbol p: with a PairwiseLoss it is",
        ),
        ({"update": "proximal", "sharp_at": Contact(right=True, margin=1)}, "sharp_at does not go with a PairwiseLoss"),
        ({"update": "proximal", "abstention_cost": Rational(1, 3)}, "abstention_cost does not go with a PairwiseLoss"),
        ({"gap_map": GapMap(m), "learning_rate": 1, "exploration": 1}, "exploration does not go with a PairwiseLoss"),
        ({"gap_map": GapMap(m), "learning_rate": 1, "feedback": "bandit"}, "not with a PairwiseLoss"),
        ({"update": "proximal", "learning_rate": 1}, 'update = "proximal" has a regret only'),
        ({"learning_rate": 1}, 'gap_map is missing: a GapMap is needed, or decoder="best"'),
    ],
)
def test_what_does_not_go_with_them_is_named(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(TheoremError, match=re.escape(said)):
        Theorem(name="mine", loss=HINGES, **arguments)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: PairwiseLoss(z), "PairwiseLoss phi = z uses the symbol z: allowed here: m, K"),
        (lambda: SeparableLoss(own=m, other=z), "SeparableLoss own = m uses the symbol m: allowed here: z, K"),
        (lambda: SeparableLoss(own=z, others=z), "SeparableLoss has no argument 'others': did you mean 'other'?"),
        (
            lambda: Theorem(name="mine", loss=max, update="proximal"),
            "nor a PairwiseLoss or a SeparableLoss of all scores",
        ),
    ],
)
def test_a_loss_that_cannot_be_written_is_refused_with_a_sentence(wrong: Any, said: str) -> None:
    with pytest.raises(TheoremError) as refused:
        wrong()
    assert said in str(refused.value)


def test_they_are_data_between_processes() -> None:
    theorems = [Theorem(name="mine", loss=loss, update="proximal", regret=exp(1)) for loss in (HINGES, ONE_VERSUS_ALL)]
    document, functions = written(theorems)
    assert (read(document, lambda _: None), functions) == (theorems, [])
